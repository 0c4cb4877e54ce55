// What a row alone tells to be wrong.

/// A condition that no sound row of an entity fulfils.
struct RowCondition {
  let finding: IntegrityFinding
  let sql: String
}

extension StoreAudit {
  /// Conditions asked about in one pass; SQLite allows 2000 columns.
  private static let conditionsPerPass = 500

  /// Checks what an entity declares, in its own rows and those of its subentities.
  func checkRows(of entity: EntityDescription, in schema: StoreSchema) {
    let conditions = rowConditions(of: entity, in: schema)
    for start in stride(from: 0, to: conditions.count, by: Self.conditionsPerPass) {
      let part = conditions[start..<min(start + Self.conditionsPerPass, conditions.count)]
      attempt(entity.name) { try check(Array(part), of: entity, in: schema) }
    }
  }

  /// One pass over the table counts all; only what was found is looked at again.
  private func check(
    _ conditions: [RowCondition], of entity: EntityDescription, in schema: StoreSchema
  ) throws {
    let table = schema.table(of: entity)
    let members = hierarchy(entity, schema: schema, alias: table)
    let sums = conditions.map { "total(\($0.sql))" }.joined(separator: ", ")
    let counts = try database.with("SELECT \(sums) FROM \(table) WHERE \(members)") { statement in
      try statement.step() ? conditions.indices.map { Int(statement.double(Int32($0))) } : []
    }
    for (condition, count) in zip(conditions, counts) where count > 0 {
      var finding = condition.finding
      finding.count = count
      let sql = """
        SELECT Z_PK, Z_ENT FROM \(table)
        WHERE \(members) AND \(condition.sql) ORDER BY Z_PK LIMIT \(rowLimit)
        """
      finding.rows = try database.rows(sql) { row($0) }
      add(finding)
    }
  }

  private func rowConditions(
    of entity: EntityDescription, in schema: StoreSchema
  ) -> [RowCondition] {
    let table = schema.table(of: entity)
    var conditions: [RowCondition] = []
    func add(_ kind: IntegrityFinding.Kind, sql: String) {
      conditions.append(
        RowCondition(finding: IntegrityFinding(kind, entity: entity.name), sql: sql))
    }
    if entity.superentity == nil {
      add(.primaryKey, sql: "Z_PK < 1")
      if catalog.hasColumn("Z_OPT", in: table) {
        add(.lockCounter, sql: "(Z_OPT IS NULL OR Z_OPT < 1)")
      }
    }
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      switch (schema.storage(of: property), property) {
      case (_, let attribute as AttributeDescription):
        conditions += attribute.withElements.flatMap { self.conditions(on: $0, schema, table) }
      case (.toOne(let columns), _):
        guard catalog.hasColumn(columns.key, in: table) else { continue }
        conditions += self.conditions(on: property, columns, table)
      default: continue
      }
    }
    return conditions
  }

  /// Whether all columns of an attribute are there.
  private func hasColumns(
    of attribute: AttributeDescription, _ schema: StoreSchema, _ table: String
  ) -> Bool {
    switch schema.storage(of: attribute) {
    case .attribute(let column, _): catalog.hasColumn(column, in: table)
    case .composite(let columns):
      columns.leaves.allSatisfy { catalog.hasColumn($0.name, in: table) }
    default: false
    }
  }

  private func conditions(
    on attribute: AttributeDescription, _ schema: StoreSchema, _ table: String
  ) -> [RowCondition] {
    guard hasColumns(of: attribute, schema, table),
      attribute.composite.map({ hasColumns(of: $0, schema, table) }) ?? true
    else { return [] }
    var conditions: [RowCondition] = []
    func add(
      _ kind: IntegrityFinding.Kind, sql: String, detail: String? = nil,
      severity: FindingSeverity = .error
    ) {
      var finding = IntegrityFinding(kind, of: attribute, detail: detail)
      finding.severity = severity
      conditions.append(RowCondition(finding: finding, sql: sql))
    }
    if !attribute.isOptional, !attribute.isDerived, let lack = schema.lack(of: attribute) {
      // Core Data: observed in 12 of 24 photo libraries, where a migration in place added the attribute.
      add(.missingValue, sql: lack, detail: nil, severity: .warning)
    }
    guard case .attribute(let column, let codec) = schema.storage(of: attribute) else {
      return conditions
    }
    let form = StoredForm(of: attribute, column, codec)
    add(
      .wrongType, sql: "(\(column) IS NOT NULL AND NOT (\(form.condition)))", detail: form.name)
    if case .externalBinary = codec {
      add(
        .unknownExternalTag,
        sql: "(typeof(\(column)) = 'blob' AND hex(substr(\(column), 1, 1)) NOT IN ('01', '02'))")
    }
    return conditions
  }

  private func conditions(
    on relationship: PropertyDescription, _ columns: ToOneColumns, _ table: String
  ) -> [RowCondition] {
    let key = columns.key
    func condition(
      _ kind: IntegrityFinding.Kind, sql: String, detail: String? = nil
    ) -> RowCondition {
      RowCondition(finding: IntegrityFinding(kind, of: relationship, detail: detail), sql: sql)
    }
    var conditions = [
      condition(
        .wrongType, sql: "(\(key) IS NOT NULL AND typeof(\(key)) <> 'integer')",
        detail: "a primary key")
    ]
    if !relationship.isOptional {
      conditions.append(condition(.missingValue, sql: "\(key) IS NULL"))
    }
    if let order = columns.order, catalog.hasColumn(order, in: table) {
      let isMissing = "(\(key) IS NOT NULL AND \(order) IS NULL)"
      let isTwice = Self.isTwice([key, order], in: table)
      conditions += [(IntegrityFinding.Kind.missingOrder, isMissing), (.equalOrder, isTwice)].map {
        condition($0, sql: $1, detail: StoreCatalog.plain(order))
      }
    }
    return conditions
  }

  /// Whether another row has the same in some columns.
  static func isTwice(_ columns: [String], in table: String) -> String {
    let list = columns.joined(separator: ", ")
    let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return """
      (\(list)) IN (
        SELECT \(list) FROM \(table) WHERE \(present) GROUP BY \(list) HAVING count(*) > 1)
      """
  }
}

/// The form in which Core Data stores the values of an attribute.
private struct StoredForm {
  /// What a sound value is, for messages.
  let name: String
  /// Whether a column's value is sound.
  let condition: String

  init(of attribute: AttributeDescription, _ column: String, _ codec: ColumnCodec) {
    let type = attribute.attributeType
    name =
      if case .uuid = codec { "the 16 bytes of a UUID" } else { "a value of type \(type.name)" }
    let isOfType =
      switch codec {
      case .integer, .boolean: "typeof(\(column)) IN ('integer')"
      case .double, .float, .date, .decimal: "typeof(\(column)) IN ('real', 'integer')"
      case .string, .uri: "typeof(\(column)) IN ('text')"
      case .uuid, .transformable, .binary, .externalBinary: "typeof(\(column)) IN ('blob')"
      }
    condition =
      switch codec {
      case .integer:
        type.wholeNumbers.map {
          "\(isOfType) AND \(column) BETWEEN \($0.lowerBound) AND \($0.upperBound)"
        } ?? isOfType
      case .boolean: "\(isOfType) AND \(column) BETWEEN 0 AND 1"
      case .decimal:
        // No Decimal is beyond that, nor infinite.
        "\(isOfType) AND \(column) BETWEEN -1e166 AND 1e166 OR \(column) = "
          + StoreCatalog.literal(ColumnCodec.notANumber)
      case .uuid: "\(isOfType) AND length(\(column)) = 16"
      default: isOfType
      }
  }
}

// MARK: - The model's rules

extension StoreAudit {
  /// Checks bounds and patterns of an entity's attributes as a save does, and texts and URIs for being some.
  func checkRules(of entity: EntityDescription, in schema: StoreSchema) {
    let table = schema.table(of: entity)
    let attributes = entity.ownAttributes.flatMap(\.withElements)
      .filter { $0.hasRules || [.string, .uri].contains($0.attributeType) }
    for attribute in attributes.sorted(by: { $0.path < $1.path }) {
      guard case .attribute(let column, let codec) = schema.storage(of: attribute),
        catalog.hasColumn(column, in: table)
      else { continue }
      let further =
        switch attribute.attributeType {
        case .string where !attribute.hasRules: "AND \(column) GLOB '*[^\u{1}-\u{7F}]*'"
        case .uri: "AND typeof(\(column)) = 'text'"
        default: ""
        }
      let sql = """
        SELECT Z_PK, Z_ENT, \(column) FROM \(table)
        WHERE \(column) IS NOT NULL AND \(hierarchy(entity, schema: schema, alias: table))
          \(further) ORDER BY Z_PK
        """
      attempt("\(entity.name).\(attribute.path)") { try checkValues(of: attribute, codec, sql) }
    }
  }

  private func checkValues(
    of attribute: AttributeDescription, _ codec: ColumnCodec, _ sql: String
  ) throws {
    var byReason: [String: IntegrityFinding] = [:]
    let isText = attribute.attributeType == .string
    try database.forEachRow(sql) { statement in
      let isBroken =
        isText
        ? statement.withText(2) { String(validating: $0, as: UTF8.self) == nil }
        : attribute.attributeType == .uri && (try? codec.read(statement, 2)) == nil
      let form = isText ? "valid UTF-8" : "a URI"
      guard let reason = isBroken ? form : failure(of: attribute, codec, statement)
      else { return }
      let kind = isBroken ? IntegrityFinding.Kind.wrongType : .invalidValue
      byReason[
        reason, default: IntegrityFinding(kind, of: attribute, detail: reason, count: 0)
      ].count(row(statement), showing: rowLimit)
    }
    for (_, finding) in byReason.sorted(by: { $0.key < $1.key }) { add(finding) }
  }

  /// A value that can't be read at all is another finding already.
  private func failure(
    of attribute: AttributeDescription, _ codec: ColumnCodec, _ statement: Statement
  ) -> String? {
    // A value that can't be read is another check's finding.
    guard let value = try? codec.read(statement, 2), !value.isNull else { return nil }
    return AttributeValidation.failure(of: value, for: attribute).map {
      "\($0.reason) (\($0.code.rawValue))"
    }
  }
}

extension AttributeDescription {
  /// The attribute and, of a composite one, all its elements.
  package var withElements: [AttributeDescription] {
    [self] + elements.flatMap(\.withElements)
  }

  fileprivate var hasRules: Bool {
    !minimum.isNull || !maximum.isNull || regularExpression != nil
  }
}

// MARK: - Uniqueness

extension StoreAudit {
  func checkConstraints(in schema: StoreSchema) {
    for constraint in schema.constraints {
      let table = schema.table(of: constraint.entity)
      guard constraint.columns.allSatisfy({ catalog.hasColumn($0, in: table) }) else { continue }
      let names = constraint.properties.map(\.name).joined(separator: ", ")
      attempt(constraint.entity.name) { try checkIndex(for: constraint, table, names) }
      checkDuplicates(under: constraint, table, names, in: schema)
    }
  }

  /// Rows that share all values of a constraint; nil is equal to nothing.
  private func checkDuplicates(
    under constraint: UniqueColumns, _ table: String, _ names: String, in schema: StoreSchema
  ) {
    let columns = constraint.columns.joined(separator: ", ")
    let present = constraint.columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    let equal = constraint.columns.map { "twin.\($0) = own.\($0)" }.joined(separator: " AND ")
    let members = hierarchy(constraint.entity, schema: schema, alias: table)
    gather(
      IntegrityFinding(
        .duplicateValues, entity: constraint.entity.name,
        property: constraint.properties.count == 1 ? names : nil, detail: names),
      """
      SELECT own.Z_PK, own.Z_ENT, twin.first FROM \(table) AS own JOIN (
        SELECT \(columns), min(Z_PK) AS first FROM \(table) WHERE \(present) AND \(members)
        GROUP BY \(columns) HAVING count(*) > 1) AS twin ON \(equal)
      WHERE \(hierarchy(constraint.entity, schema: schema, alias: "own")) ORDER BY twin.first, own.Z_PK
      """,
      detail: { row in
        row.integer(2) == row.integer(0) ? nil : "same as p\(row.integer(2))"
      })
  }

  private func checkIndex(
    for constraint: UniqueColumns, _ table: String, _ names: String
  ) throws {
    let wanted = Set(constraint.columns.map { StoreCatalog.plain($0) })
    let literal = StoreCatalog.literal(StoreCatalog.plain(table))
    let indexes = try database.texts(
      "SELECT name FROM pragma_index_list(\(literal)) WHERE \"unique\" = 1")
    for index in indexes {
      let columns = try database.texts(
        "SELECT name FROM pragma_index_info(\(StoreCatalog.literal(index)))")
      if Set(columns) == wanted { return }
    }
    add(
      IntegrityFinding(.missingUniqueIndex, entity: constraint.entity.name, detail: names))
  }
}

// MARK: - Files of large values

extension StoreAudit {
  func checkExternalData(in schema: StoreSchema) {
    var references: Set<String> = []
    var facts = StoreInspection.ExternalDataFacts()
    var isUsed = false
    for entity in entities {
      for attribute in entity.ownAttributes {
        guard case .attribute(let column, .externalBinary) = schema.storage(of: attribute),
          catalog.hasColumn(column, in: schema.table(of: entity))
        else { continue }
        isUsed = true
        checkFiles(
          of: attribute, column: column, in: schema, references: &references, facts: &facts)
      }
    }
    if isUsed { noteOrphans(besides: references, &facts) }
    externalData = isUsed ? facts : nil
  }

  private var folder: URL { files.resolved.externalDataFolderURL }

  private func checkFiles(
    of attribute: AttributeDescription, column: String, in schema: StoreSchema,
    references: inout Set<String>, facts: inout StoreInspection.ExternalDataFacts
  ) {
    let entity: EntityDescription = attribute.entity
    let table = schema.table(of: entity)
    var finding = IntegrityFinding(
      .missingExternalFile, of: attribute,
      detail: "\(folder.deletingLastPathComponent().lastPathComponent)/_EXTERNAL_DATA", count: 0)
    let sql = """
      SELECT Z_PK, Z_ENT, \(column) FROM \(table) WHERE typeof(\(column)) = 'blob'
        AND substr(\(column), 1, 1) = x'02' AND \(hierarchy(entity, schema: schema, alias: table)) ORDER BY Z_PK
      """
    attempt("\(entity.name).\(attribute.name)") {
      try database.forEachRow(sql) { statement in
        guard case .file(let name)? = ExternalData.content(of: statement.data(2)) else { return }
        facts.references += 1
        references.insert(name.uppercased())
        if try ExternalData(folder: folder).has(name) { return }
        finding.count(row(statement, detail: { _ in name }), showing: rowLimit)
      }
    }
    facts.missingFiles += finding.count
    if finding.count > 0 { add(finding) }
  }

  private func noteOrphans(
    besides references: Set<String>, _ facts: inout StoreInspection.ExternalDataFacts
  ) {
    var names: [String] = []
    attempt(folder.lastPathComponent) { names = try FileCalls.names(in: folder) }
    let orphans = names.filter { !references.contains($0.uppercased()) }.sorted()
    facts.orphanFiles = orphans.count
    guard !orphans.isEmpty else { return }
    let more = orphans.count > rowLimit ? ", …" : ""
    add(
      IntegrityFinding(
        .orphanExternalFile, table: folder.deletingLastPathComponent().lastPathComponent,
        detail: orphans.prefix(max(1, rowLimit)).joined(separator: ", ") + more,
        count: orphans.count))
  }
}
