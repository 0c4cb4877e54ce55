/// Checks everything in a store that a query can check.
///
/// A check that SQLite can't finish becomes a finding itself, so that a damaged table hides nothing
/// about the others.
final class StoreAudit {
  let database: Database
  let files: PersistentStoreFiles
  let catalog: StoreCatalog
  /// Where the model's properties are kept; nil without a model.
  let schema: StoreSchema?
  let gaps = SchemaGaps()
  let entityRows: [EntityNumbers.Row]
  /// How many rows a finding names.
  let rowLimit: Int
  private(set) var findings: [IntegrityFinding] = []
  var externalData: StoreInspection.ExternalDataFacts?
  /// The entities that have a place in the store; a configuration doesn't have all.
  let entities: [EntityDescription]

  /// - Throws: `CoreDataError` when the tables can't be listed.
  init(
    _ database: Database, files: PersistentStoreFiles, configuration: StoreConfiguration?,
    rowLimit: Int
  ) throws {
    self.database = database
    self.files = files
    self.rowLimit = rowLimit
    var catalog = try StoreCatalog(of: database)
    catalog.gaps = gaps
    self.catalog = catalog
    // A table that can't be read is a finding of the check of entity numbers.
    var rows = (try? EntityNumbers.rows(in: database)) ?? []
    // Without numbers of its own, the store most likely has those of a fresh one.
    if rows.isEmpty, let configuration { rows = EntityNumbers.freshRows(for: configuration) }
    entityRows = rows
    do {
      schema = try configuration.map { try StoreSchema(of: $0, in: rows, catalog: catalog) }
    } catch {
      schema = nil
      findings = [IntegrityFinding(.schemaUnknown, detail: error.shortReason)]
    }
    entities = schema?.entities ?? []
  }

  /// Runs all checks.
  func run() {
    checkFile()
    checkSchema()
    checkBookkeeping()
    checkHistory()
    guard let schema else { return }
    checkTables(of: schema)
    for entity in entities where hasTable(entity) {
      if entity.superentity == nil { checkMembership(of: entity, in: schema) }
      checkRows(of: entity, in: schema)
      checkRules(of: entity, in: schema)
      checkReferences(of: entity, in: schema)
      checkCounts(of: entity, in: schema)
    }
    checkConstraints(in: schema)
    checkLinks(in: schema)
    checkExternalData(in: schema)
  }

  func hasTable(_ entity: EntityDescription) -> Bool {
    catalog.hasTable(StoreNames.table(of: entity))
  }
}

// MARK: - Finding

extension StoreAudit {
  func add(_ finding: IntegrityFinding) { findings.append(finding) }

  /// Adds a finding for the rows of a query, if it has any.
  /// - Parameters:
  ///   - finding: All but count and rows.
  ///   - sql: Gives primary key and entity number, and what `target` and `detail` read after them.
  func gather(
    _ finding: IntegrityFinding, _ sql: String,
    target: (Statement) -> String? = { _ in nil }, detail: (Statement) -> String? = { _ in nil }
  ) {
    gather(finding, sql, example: { row($0, target: target, detail: detail) })
  }

  func gather(
    _ finding: IntegrityFinding, _ sql: String, example: (Statement) -> IntegrityFinding.Row
  ) {
    attempt(finding.place) {
      var finding = finding
      finding.count = 0
      try database.forEachRow(sql) { finding.count(example($0), showing: rowLimit) }
      if finding.count > 0 { add(finding) }
    }
  }

  /// The row a query is at, by primary key and entity number.
  func row(
    _ statement: Statement, target: (Statement) -> String? = { _ in nil },
    detail: (Statement) -> String? = { _ in nil }
  ) -> IntegrityFinding.Row {
    IntegrityFinding.Row(
      entity: name(ofNumber: statement.integer(1)), key: statement.integer(0),
      target: target(statement), detail: detail(statement))
  }

  /// Runs a check; one that SQLite can't finish is a finding.
  func attempt(_ place: String?, _ check: () throws -> Void) {
    do {
      try check()
    } catch {
      let finding = IntegrityFinding(
        .unreadableTable, table: place, detail: "can't be read to the end: \(error.shortReason)")
      if !findings.contains(finding) { add(finding) }
    }
  }

  func name(ofNumber number: Int64) -> String? {
    schema?.numbers.entity(numbered: number)?.name
      ?? entityRows.first { $0.number == number }?.name
  }

  /// `Entity/p3`, as it stands at the end of the object's URI.
  func text(ofKey key: Int64, number: Int64?, else entity: EntityDescription) -> String {
    let name = number.flatMap { self.name(ofNumber: $0) } ?? entity.name
    return "\(name)/p\(key)"
  }

  /// A condition that picks an entity's rows, subentities' included, from its table.
  func hierarchy(_ entity: EntityDescription, schema: StoreSchema, alias: String) -> String {
    schema.condition(for: entity, withSubentities: true).map { "\(alias).\($0)" } ?? "1"
  }
}

extension Error {
  /// What is wrong, without place and advice.
  var shortReason: String { (self as? CoreDataError)?.reason ?? "\(self)" }
}

// MARK: - The file

extension StoreAudit {
  /// Most lines that SQLite's own check gives.
  private static let mostMessages = 100

  func checkFile() {
    let messages: [String]
    do {
      messages = try database.texts("PRAGMA integrity_check(\(Self.mostMessages))")
        .flatMap { $0.split(separator: "\n").map(String.init) }
        .filter { $0 != "ok" && !$0.hasPrefix("*** in database main ***") }
    } catch {
      messages = ["it can't be completed: \(error.shortReason)"]
    }
    guard !messages.isEmpty else { return }
    let shown = messages.prefix(max(1, rowLimit)).joined(separator: "; ")
    let more = messages.count > max(1, rowLimit) ? "; …" : ""
    add(
      IntegrityFinding(
        .sqliteIntegrity, detail: "SQLite's own check: \(shown)\(more)", count: messages.count))
  }

  /// What the schema has that nothing here runs or reads.
  func checkSchema() {
    attempt("sqlite_master") {
      for ignored in try IgnoredSchema.all(in: database) {
        add(
          IntegrityFinding(
            .ignoredSchema, table: ignored.table, detail: ignored.message,
            count: max(1, ignored.names.count)))
      }
    }
  }

  func checkBookkeeping() {
    guard catalog.hasTable("Z_PRIMARYKEY") else {
      return add(IntegrityFinding(.missingTable, table: "Z_PRIMARYKEY"))
    }
    attempt("Z_PRIMARYKEY") { _ = try EntityNumbers.rows(in: database) }
    for row in entityRows where row.parent == 0 {
      attempt("Z" + row.name.uppercased()) { try checkMaximum(of: row) }
    }
    if let schema { checkNumbers(of: schema) }
  }

  /// Primary keys are never given out twice, so none may be above the highest one given out.
  private func checkMaximum(of root: EntityNumbers.Row) throws {
    let table = StoreNames.quoted("Z" + root.name.uppercased())
    guard catalog.hasTable(table) else { return }
    let highest = try database.integer("SELECT max(Z_PK) FROM \(table)") ?? 0
    guard root.maximum < highest else { return }
    add(
      IntegrityFinding(
        .staleMaximum, entity: root.name, table: "Z_PRIMARYKEY",
        detail:
          "\(root.maximum), but the highest key in \(StoreCatalog.plain(table)) is \(highest)",
        count: Int(clamping: highest &- root.maximum)))
  }

  private func checkNumbers(of schema: StoreSchema) {
    let byNumber = Dictionary(
      entityRows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      guard let row = byNumber[schema.numbers[entity]] else {
        add(IntegrityFinding(.missingEntityNumber, entity: entity.name))
        continue
      }
      if row.name != entity.name {
        add(IntegrityFinding(.oldEntityName, entity: entity.name, detail: "'\(row.name)'"))
      }
      let parent = entity.superentity.map { schema.numbers[$0] } ?? 0
      if row.parent != parent {
        add(
          IntegrityFinding(
            .wrongSuperentity, entity: entity.name,
            detail: "\(row.parent), but should be \(parent)"))
      }
    }
    let used = Set(schema.entities.map { schema.numbers[$0] })
    for row in entityRows where !used.contains(row.number) {
      add(
        IntegrityFinding(
          .unknownEntityNumber, table: "Z_PRIMARYKEY", detail: "'\(row.name)' (\(row.number))"))
    }
  }
}

// MARK: - Persistent history

extension StoreAudit {
  /// Whether Core Data keeps persistent history in a table, or what it mirrors to CloudKit.
  static func isHistory(_ table: String) -> Bool {
    ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) || table.hasPrefix("ANSCK")
  }

  /// Changes name entities by number, which a migration may have given to others.
  func checkHistory() {
    guard catalog.hasColumn("ZENTITY", in: "ACHANGE") else { return }
    gather(
      IntegrityFinding(
        .historyReference, table: "ACHANGE", detail: "an entity number that isn't in Z_PRIMARYKEY"),
      """
      SELECT Z_PK, ZENTITY FROM ACHANGE
      WHERE ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY) ORDER BY Z_PK
      """)
    guard catalog.hasColumn("ZTRANSACTIONID", in: "ACHANGE"), catalog.hasTable("ATRANSACTION")
    else {
      return
    }
    gather(
      IntegrityFinding(
        .historyReference, table: "ACHANGE", detail: "a transaction that isn't in ATRANSACTION"),
      """
      SELECT Z_PK, ZENTITY FROM ACHANGE WHERE ZTRANSACTIONID IS NOT NULL
        AND ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION) ORDER BY Z_PK
      """)
  }
}

// MARK: - Tables

// Whether the model's tables and columns are there, and whose rows are in them.

extension StoreAudit {
  func checkTables(of schema: StoreSchema) {
    for name in gaps.tables { add(IntegrityFinding(.missingTable, table: name)) }
    for (table, column) in gaps.columns {
      add(IntegrityFinding(.missingColumn, table: table, detail: column))
    }
    for table in schema.tables where catalog.hasTable(table.name) {
      checkColumnTypes(of: table)
      noteExtraColumns(of: table)
    }
  }

  private func checkColumnTypes(of table: StoreTable) {
    let actual = catalog.types(ofColumnsIn: table.name)
    for column in table.columns {
      guard let type = actual[StoreCatalog.plain(column.name)] else { continue }
      guard type.uppercased() != column.declaredType else { continue }
      add(
        IntegrityFinding(
          .columnType, table: StoreCatalog.plain(table.name),
          detail:
            "\(StoreCatalog.plain(column.name)) is declared \(type.isEmpty ? "without type" : type) "
            + "instead of \(column.declaredType)"))
    }
  }

  private func noteExtraColumns(of table: StoreTable) {
    let extra = table.columnsOfNoProperty(in: catalog)
    guard !extra.isEmpty else { return }
    add(
      IntegrityFinding(
        .extraColumn, table: StoreCatalog.plain(table.name),
        detail: extra.joined(separator: ", "), count: extra.count))
  }

  /// Whether each row of a table is of an entity of that table's hierarchy.
  func checkMembership(of root: EntityDescription, in schema: StoreSchema) {
    let table = schema.table(of: root)
    guard catalog.hasColumn("Z_ENT", in: table) else {
      return add(
        IntegrityFinding(.missingColumn, table: StoreCatalog.plain(table), detail: "Z_ENT"))
    }
    let numbers = schema.numbers.hierarchy(of: root).map(String.init).joined(separator: ", ")
    var finding = IntegrityFinding(.wrongEntity, table: StoreCatalog.plain(table))
    if root.isAloneInItsTable {
      finding.severity = .warning
      finding.detail = "; the table holds only \(root.name), so they are read as such"
    }
    gather(
      finding,
      """
      SELECT Z_PK, Z_ENT FROM \(table)
      WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers)) ORDER BY Z_PK
      """,
      detail: { $0.isNull(1) ? "Z_ENT is NULL" : "Z_ENT is \($0.integer(1))" })
    for entity in root.selfAndDescendants where entity.isAbstract {
      gather(
        IntegrityFinding(.abstractEntity, entity: entity.name),
        "SELECT Z_PK, Z_ENT FROM \(table) WHERE Z_ENT = \(schema.numbers[entity]) ORDER BY Z_PK")
    }
  }
}

// MARK: - Deferred migrations

extension StoreAudit {
  /// Tells that a deferred lightweight migration is pending, and what is there only until then.
  func notePending(_ tables: [StoreInspection.TableRows]) {
    let columns = findings.filter { $0.kind == .extraColumn }.compactMap { finding in
      finding.table.map { "columns of \($0) (\(finding.detail ?? ""))" }
    }
    let rest = columns + tables.map { "the table \($0.table)" }
    add(
      IntegrityFinding(
        .deferredMigration, table: "Z_METADATA",
        detail:
          "a deferred lightweight migration is pending; until it is finished the file keeps what "
          + "the model doesn't have"
          + (rest.isEmpty ? "" : ", which may be: " + rest.joined(separator: ", "))))
  }
}

// MARK: - Counts

extension StoreAudit {
  /// Fills in what isn't a finding.
  func describe(_ inspection: inout StoreInspection) {
    inspection.wasCheckedAgainstModel = schema != nil
    inspection.externalData = externalData
    inspection.entities = entityRows.sorted { $0.number < $1.number }.map(rows(of:))
    var rest = Set(catalog.tableNames)
    rest.subtract(["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"])
    rest.subtract(inspection.entities.map(\.table))
    let joins = joinRelationships(among: rest)
    for table in rest.sorted() {
      let rows = StoreInspection.TableRows(
        table: table, rows: count("SELECT count(*) FROM \(StoreNames.quoted(table))"),
        relationship: joins[table] ?? nil)
      if Self.isHistory(table) {
        inspection.historyTables.append(rows)
      } else if joins[table] != nil {
        inspection.joinTables.append(rows)
      } else {
        inspection.otherTables.append(rows)
      }
    }
  }

  private func rows(of row: EntityNumbers.Row) -> StoreInspection.EntityRows {
    let root = self.root(of: row)
    let table = "Z" + root.name.uppercased()
    let entity = schema?.numbers.entity(numbered: row.number)
    return StoreInspection.EntityRows(
      name: entity?.name ?? row.name, number: row.number,
      superentity: row.parent == 0 ? nil : name(ofNumber: row.parent),
      isAbstract: entity?.isAbstract, table: table,
      rows: count("SELECT count(*) FROM \(StoreNames.quoted(table)) WHERE Z_ENT = \(row.number)"),
      highestKey: row.parent == 0 ? row.maximum : nil)
  }

  /// The top of an entity's hierarchy; a damaged one may run in a circle.
  private func root(of row: EntityNumbers.Row) -> EntityNumbers.Row {
    var (current, seen) = (row, Set([row.number]))
    while current.parent != 0,
      let parent = entityRows.first(where: { $0.number == current.parent }),
      seen.insert(parent.number).inserted
    {
      current = parent
    }
    return current
  }

  /// Nil where it can't be counted, which is shown as not known, and never as none.
  private func count(_ sql: String) -> Int? {
    (try? database.integer(sql)).flatMap { $0 }.map { Int($0) }
  }

  /// The join tables and, with a model, the relationships that name them.
  private func joinRelationships(among tables: Set<String>) -> [String: String?] {
    var joins: [String: String?] = [:]
    guard let schema else {
      for table in tables where isJoinName(table) { joins[table] = .some(nil) }
      return joins
    }
    for (relationship, side) in schema.writingSides {
      joins[StoreCatalog.plain(side.table)] = "\(relationship.entity.name).\(relationship.name)"
    }
    return joins
  }

  /// `Z_`, a number and a name, as Core Data calls no other table.
  private func isJoinName(_ table: String) -> Bool {
    let rest = table.dropFirst(2)
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return table.hasPrefix("Z_") && !digits.isEmpty && digits.count < rest.count
  }
}
