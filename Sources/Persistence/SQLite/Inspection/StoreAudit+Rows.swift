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
    let members = hierarchy(entity, schema, table)
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
      try database.with(sql) { statement in
        while try statement.step() { finding.rows.append(row(statement)) }
      }
      add(finding)
    }
  }

  private func rowConditions(
    of entity: EntityDescription, in schema: StoreSchema
  ) -> [RowCondition] {
    let table = schema.table(of: entity)
    var conditions: [RowCondition] = []
    if entity.superentity == nil, catalog.hasColumn("Z_OPT", in: table) {
      conditions.append(
        RowCondition(
          finding: IntegrityFinding(.lockCounter, entity: entity.name),
          sql: "(Z_OPT IS NULL OR Z_OPT < 1)"))
    }
    for property in entity.ownProperties.sorted(by: { $0.name < $1.name }) {
      switch (schema.storage(of: property), property) {
      case (.attribute(let column, let codec), let attribute as AttributeDescription):
        guard catalog.hasColumn(column, in: table) else { continue }
        conditions += self.conditions(on: attribute, column, codec)
      case (.toOne(let columns), _):
        guard catalog.hasColumn(columns.key, in: table) else { continue }
        conditions += self.conditions(on: property, columns, table)
      default: continue
      }
    }
    return conditions
  }

  private func conditions(
    on attribute: AttributeDescription, _ column: String, _ codec: ColumnCodec
  ) -> [RowCondition] {
    var conditions: [RowCondition] = []
    func add(_ kind: IntegrityFinding.Kind, _ sql: String, _ detail: String? = nil) {
      let finding = IntegrityFinding(
        kind, entity: attribute.entity.name, property: attribute.name, detail: detail)
      conditions.append(RowCondition(finding: finding, sql: sql))
    }
    if !attribute.isOptional, !attribute.isDerived { add(.missingValue, "\(column) IS NULL") }
    let form = StoredForm(of: attribute, codec)
    add(.wrongType, "(\(column) IS NOT NULL AND NOT (\(form.condition(column))))", form.name)
    if case .externalBinary = codec {
      add(
        .unknownExternalTag,
        "(typeof(\(column)) = 'blob' AND substr(\(column), 1, 1) NOT IN (x'01', x'02'))")
    }
    return conditions
  }

  private func conditions(
    on relationship: PropertyDescription, _ columns: ToOneColumns, _ table: String
  ) -> [RowCondition] {
    let key = columns.key
    func condition(_ kind: IntegrityFinding.Kind, _ sql: String, _ detail: String? = nil)
      -> RowCondition
    {
      let finding = IntegrityFinding(
        kind, entity: relationship.entity.name, property: relationship.name, detail: detail)
      return RowCondition(finding: finding, sql: sql)
    }
    var conditions = [
      condition(
        .wrongType, "(\(key) IS NOT NULL AND typeof(\(key)) <> 'integer')", "a primary key")
    ]
    if !relationship.isOptional { conditions.append(condition(.missingValue, "\(key) IS NULL")) }
    if let order = columns.order, catalog.hasColumn(order, in: table) {
      conditions.append(
        condition(
          .missingOrder, "(\(key) IS NOT NULL AND \(order) IS NULL)", StoreCatalog.plain(order)))
    }
    return conditions
  }
}

/// The form in which Core Data stores the values of an attribute.
private struct StoredForm {
  /// What a sound value is, for messages.
  let name: String
  private let types: [String]
  private let further: String?

  init(of attribute: AttributeDescription, _ codec: ColumnCodec) {
    let type = attribute.attributeType.name
    var (types, further): ([String], String?) = ([], nil)
    switch codec {
    case .integer: (types, further) = (["integer"], Self.range(of: attribute.attributeType))
    case .boolean: (types, further) = (["integer"], "BETWEEN 0 AND 1")
    case .double, .float, .decimal, .date: types = ["real", "integer"]
    case .string, .uri: types = ["text"]
    case .uuid: types = ["blob"]
    case .transformable, .binary, .externalBinary: types = ["blob"]
    }
    if case .uuid = codec {
      name = "the 16 bytes of a UUID"
    } else {
      name = "a value of type \(type)"
    }
    self.types = types
    self.further = further
    isUUID = if case .uuid = codec { true } else { false }
  }

  private let isUUID: Bool

  private static func range(of type: AttributeType) -> String? {
    switch type {
    case .integer16: "BETWEEN -32768 AND 32767"
    case .integer32: "BETWEEN -2147483648 AND 2147483647"
    default: nil
    }
  }

  func condition(_ column: String) -> String {
    let list = types.map { "'\($0)'" }.joined(separator: ", ")
    var condition = "typeof(\(column)) IN (\(list))"
    if let further { condition += " AND \(column) \(further)" }
    if isUUID { condition += " AND length(\(column)) = 16" }
    return condition
  }
}
