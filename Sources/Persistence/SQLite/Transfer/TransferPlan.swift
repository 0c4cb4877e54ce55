/// A plan as SQL statements: one `INSERT … SELECT` for each entity and each join table, and what
/// is to be put in order afterwards. The source's tables are in the attached database `source`.
struct TransferPlan {
  private let plan: MigrationPlan
  let entities: [TransferEntity]
  let source: StoreSchema
  let destination: StoreSchema
  let offsets: KeyOffsets
  /// The destination's to-many relationships without inverse, whose key is with their members.
  let keysWithoutInverse: [(relationship: RelationshipDescription, key: ForeignKey)]

  /// Fill the entities' tables, in the plan's order.
  private(set) var rows: [BoundSQL] = []
  /// Fill the join tables.
  private(set) var links: [BoundSQL] = []
  /// Give sort keys to the members of ordered relationships.
  private(set) var orders: [String] = []
  /// The root entities of the source whose table one of the statements reads from end to end and fails
  /// at a row that doesn't belong there.
  private(set) var watched: Set<ObjectIdentifier> = []

  /// - Throws: ``PlanUnsupported``
  init(
    _ plan: MigrationPlan, from source: SQLiteStore, to destination: SQLiteStore
  ) throws {
    try plan.requireRows()
    let plan = try plan.leavingOutEmptyEntities(of: source)
    try plan.requireOneRowForEach()
    self.plan = plan
    entities = try plan.entities.map { try TransferEntity($0, of: plan, from: source) }
    self.source = source.schema
    self.destination = destination.schema
    offsets = try KeyOffsets(for: entities, from: source)
    keysWithoutInverse = Self.keysWithoutInverse(in: destination.schema)
    for entity in entities { rows.append(try row(of: entity, from: source)) }
    orders = try OrderPlan(self).statements()
    links = try JoinPlan(self).statements()
  }

  /// The source relationships that one of the destination is filled from, each once.
  /// - Throws: ``PlanUnsupported`` where they tell only of some of the rows that have them.
  func origins(of relationship: RelationshipDescription) throws -> [RelationshipDescription] {
    let origins = plan.origins(of: relationship)
    for entity in entities where entity.destination.isKindOf(entity: relationship.entity) {
      for old in origins where entity.source.isKindOf(entity: old.entity) {
        if entity.origin(of: relationship) === old { continue }
        throw PlanUnsupported(relationship, "'\(entity.name)' doesn't map it as others do")
      }
    }
    return origins
  }

  /// The database that the source's tables are in.
  static let sourceName = "source"
  /// A row of it that comes along.
  static let rowAlias = "own"

  static func sourceTable(_ name: String) -> String { "\(sourceName).\(name)" }

  // MARK: Rows

  private mutating func row(
    of entity: TransferEntity, from store: SQLiteStore
  ) throws -> BoundSQL {
    let number = destination.numbers[entity.destination]
    let offset = offsets.offset(from: entity.source, to: entity.destination)
    var filled: [String: (sql: String, bindings: [BoundSQL.Binding])] = [:]
    for (attribute, values) in entity.attributes {
      guard
        let column = try AttributeColumn(
          attribute, values: values, of: entity, in: store, destination: destination)
      else { continue }
      filled[column.name] = (column.expression, column.bindings)
    }
    for (name, value) in try ReferencePlan(self).columns(of: entity) {
      filled[name] = (value.sql, value.bindings.map { ($0, nil) })
    }
    // In the table's own order SQLite needn't put them in order for each row.
    let columns = destination.columnNames(ofTableOf: entity.destination)
    let fixed = [Self.moved("own.Z_PK", by: offset), "\(number)", "ifnull(own.Z_OPT, 1)"]
    let values = fixed + columns.map { filled[$0]?.sql ?? "NULL" }
    let bindings = columns.flatMap { filled[$0]?.bindings ?? [] }
    let selection = try selection(of: entity)
    return BoundSQL(
      text: "INSERT INTO main.\(destination.table(of: entity.destination)) "
        + "(\(StoreSchema.list(columns))) SELECT \(values.joined(separator: ", ")) "
        + "FROM \(Self.sourceTable(source.table(of: entity.source))) AS own "
        + "WHERE \(selection.sql) ORDER BY own.Z_PK",
      bindings: bindings + selection.bindings.map { ($0, nil) })
  }

  /// Which rows come along. Where a table is for one entity only, the first statement that reads it
  /// stops at any other row; with indexes out of the way no row escapes it.
  private mutating func selection(of entity: TransferEntity) throws -> SQLFragment {
    let condition = try entity.condition?.sql(of: Self.rowAlias)
    let isOfEntity = "own.Z_ENT = \(source.numbers[entity.source])"
    let root = ObjectIdentifier(entity.source.rootEntity)
    let isSingle = source.numbers.hierarchy(of: entity.source.rootEntity).count == 1
    guard isSingle, watched.insert(root).inserted else {
      let condition: SQLFragment = condition.map { " AND (\($0))" } ?? ""
      return "\(raw: isOfEntity)\(condition)"
    }
    let watchedCondition: SQLFragment = condition.map { " AND +(\($0))" } ?? ""
    return "(\(raw: isOfEntity) OR \(raw: Database.strangeName)())\(watchedCondition)"
  }

  static func moved(_ key: String, by offset: Int64) -> String {
    offset == 0 ? key : "\(key) + \(offset)"
  }
}

extension MigrationPlan {
  /// The same without mappings that read nothing, and without entities that became abstract, which must
  /// have no rows.
  fileprivate func leavingOutEmptyEntities(of store: SQLiteStore) throws -> MigrationPlan {
    var kept = self
    kept.entities.removeAll { $0.ends?.destination.isAbstract ?? true }
    for (source, destination) in entities.compactMap(\.ends) where destination.isAbstract {
      let rows =
        "SELECT 1 FROM \(store.schema.table(of: source)) "
        + "WHERE Z_ENT = \(store.schema.numbers[source]) LIMIT 1"
      guard try store.database.integer(rows) == nil else {
        throw PlanUnsupported("'\(destination.name)' is abstract and has rows")
      }
    }
    return kept
  }
}

/// A statement with the values of its parameters, in order.
struct BoundSQL {
  /// A value and how a column has it; without a column as a predicate has it.
  typealias Binding = (value: Value, codec: ColumnCodec?)
  let text: String
  var bindings: [Binding] = []

  init(text: String, bindings: [Binding] = []) {
    self.text = text
    self.bindings = bindings
  }

  init(_ sql: SQLFragment) {
    self.init(text: sql.sql, bindings: sql.bindings.map { ($0, nil) })
  }

  func bind(to statement: Statement) throws {
    for (index, binding) in bindings.enumerated() {
      let place = Int32(index + 1)
      if let codec = binding.codec {
        _ = try codec.bind(binding.value, to: statement, at: place)
      } else {
        try ColumnCodec.bind(constant: binding.value, to: statement, at: place)
      }
    }
  }
}

/// The column of an attribute and what fills it.
private struct AttributeColumn {
  let name: String
  let expression: String
  var bindings: [BoundSQL.Binding] = []

  /// Nil for an attribute that has no column.
  init?(
    _ attribute: AttributeDescription, values: ValueSource, of entity: TransferEntity,
    in store: SQLiteStore, destination: StoreSchema
  ) throws {
    guard case .attribute(let column, let codec) = destination.storage(of: attribute) else {
      switch values {
      case .constant, .copied: return nil
      // Nothing keeps what an object computes, but it may be an error.
      default: throw PlanUnsupported(attribute, "it is computed, and not stored")
      }
    }
    name = column
    (expression, bindings) = try Self.value(
      of: attribute, values, codec, entity: entity, in: store)
  }

  private static func value(
    of attribute: AttributeDescription, _ values: ValueSource, _ codec: ColumnCodec,
    entity: TransferEntity, in store: SQLiteStore
  ) throws -> (expression: String, bindings: [BoundSQL.Binding]) {
    switch values {
    case .constant(let value): return ("?", [(value, codec)])
    case .copied(let original), .converted(let original):
      return (try copy(original, to: attribute, codec: codec, of: entity, in: store), [])
    case .fallback(let original, let value):
      let copy = try copy(original, to: attribute, codec: codec, of: entity, in: store)
      return ("ifnull(\(copy), ?)", [(value, codec)])
    case .expression(let expression):
      let fragment = try computed(expression, for: attribute, entity: entity.source, in: store)
      return (fragment.sql, fragment.bindings.map { ($0, nil) })
    case .element(let values, let composite):
      let (expression, bindings) = try value(
        of: attribute, values, codec, entity: entity, in: store)
      let whole = store.schema.anyElement(of: composite, in: TransferPlan.rowAlias)
      return ("CASE WHEN \(whole) IS NULL THEN NULL ELSE \(expression) END", bindings)
    case .elements: throw PlanUnsupported(attribute, "it is more than a column")
    }
  }

  /// What an expression gives for each row, in the form that the destination's column has.
  private static func computed(
    _ expression: Expression, for attribute: AttributeDescription, entity: EntityDescription,
    in store: SQLiteStore
  ) throws -> SQLFragment {
    // Arithmetic with nil is an error for objects, other functions of it are a doubt, and NULL in SQL.
    if expression.mayMeetNil(in: entity) {
      throw PlanUnsupported(attribute, "its arithmetic may meet nil")
    }
    let column: SQLColumn
    do { column = try store.transferExpression(expression, of: entity) } catch {
      throw PlanUnsupported(attribute, "\(error)")
    }
    guard let fragment = column.fitting(attribute.attributeType) else {
      throw PlanUnsupported(attribute, "it is converted one by one")
    }
    return fragment
  }

  /// The value of a source attribute in the form that the destination's column has.
  private static func copy(
    _ original: AttributeDescription, to attribute: AttributeDescription, codec: ColumnCodec,
    of entity: TransferEntity, in store: SQLiteStore
  ) throws -> String {
    guard case .attribute(let column, let old) = store.schema.storage(of: original) else {
      throw PlanUnsupported(attribute, "the source has no column for '\(original.name)'")
    }
    switch (old, codec) {
    // A value of another type is as an object has it.
    case (.integer, .integer) where entity.makesObjects: return "CAST(own.\(column) AS INTEGER)"
    case (.boolean, .boolean) where entity.makesObjects:
      return "CAST(own.\(column) AS INTEGER) <> 0"
    case (.double, .double) where entity.makesObjects, (.float, .float) where entity.makesObjects,
      (.date, .date) where entity.makesObjects:
      return "CAST(own.\(column) AS REAL)"
    case (.string, .string) where entity.makesObjects: return "CAST(own.\(column) AS TEXT)"
    case _ where old == codec, (.double, .float), (.float, .double): return "own.\(column)"
    case (.boolean, .integer): return "own.\(column) <> 0"
    case (.integer, .double): return "CAST(own.\(column) AS REAL)"
    case (.integer, .float), (.integer, .decimal), (.double, .integer), (.double, .decimal),
      (.float, .integer), (.float, .decimal), (.decimal, _):
      let (from, to) = (original.attributeType.rawValue, attribute.attributeType.rawValue)
      return "\(Database.convertName)(own.\(column), \(from), \(to))"
    default: throw PlanUnsupported(attribute, "its values are stored in another way")
    }
  }
}

extension SQLColumn {
  /// The column's values as an attribute of `type` has them; nil where setting it would do more.
  fileprivate func fitting(_ type: AttributeType) -> SQLFragment? {
    switch (self.type, type) {
    case (.undefined, _): "NULL"
    case (.integer64, .integer16), (.integer64, .integer32), (.integer64, .integer64): fragment
    case (.integer64, .double): "CAST((\(fragment)) AS REAL)"
    case (.double, .double), (.decimal, .decimal), (.string, .string), (.date, .date),
      (.uuid, .uuid):
      fragment
    default: nil
    }
  }
}
