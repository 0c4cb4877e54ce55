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
      try database.with(sql) { statement in
        while try statement.step() {
          finding.count += 1
          if finding.rows.count < rowLimit { finding.rows.append(example(statement)) }
        }
      }
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
        .unreadableTable, table: place, detail: "can't be read to its end: \(error.shortReason)")
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
  func hierarchy(_ entity: EntityDescription, _ schema: StoreSchema, _ alias: String) -> String {
    schema.condition(for: entity, withSubentities: true).map { "\(alias).\($0)" } ?? "1"
  }
}

extension Error {
  /// What is wrong, without place and advice.
  var shortReason: String { (self as? CoreDataError)?.reason ?? "\(self)" }
}
