// Rows.

/// Which rows a reader is for.
struct RowReaderKey: Hashable {
  var entity: ObjectIdentifier
  var includesSubentities: Bool
}

extension SQLiteStore {
  func readRow(_ id: ManagedObjectID) throws -> StoreRow? {
    let reader = try reader(for: id.entity, includesSubentities: true)
    return try readingDatabase().with(reader.rowSQL) { statement in
      statement.bind(id.primaryKey, at: 1)
      guard try statement.step() else { return nil }
      // A row of another branch of the hierarchy isn't the one that was asked for.
      guard let plan = reader.plan(forNumber: statement.integer(1)) else { return nil }
      let objectID = plan.entity === id.entity ? id : nil
      return try decode(statement, plan: plan, objectID: objectID)
    }
  }

  func streamRows(matching query: StoreQuery, _ body: (StoreRow) throws -> Bool) throws {
    let reader = try reader(for: query.entity, includesSubentities: query.includesSubentities)
    let columns = query.includesValues ? reader.columnList : StoreSchema.list([])
    try run(try selection(columns, for: query), of: query) { statement in
      while try statement.step() {
        let number = statement.integer(1)
        guard let plan = reader.plan(forNumber: number) else {
          throw strangeRow(statement.integer(0), number: number, in: query)
        }
        if reader.isForeign(number) { reportForeignNumber(of: plan.entity) }
        let row =
          try query.includesValues
          ? decode(statement, plan: plan, objectID: nil) : bareRow(statement, plan.entity)
        guard try body(row) else { return }
      }
    }
  }

  func strangeRow(_ key: Int64, number: Int64, in query: StoreQuery) -> CoreDataError {
    CoreDataError.strangeRow(key, number: number, table: schema.table(of: query.entity))
      .at(file: file.url.path)
  }

  private func bareRow(_ statement: Statement, _ entity: EntityDescription) -> StoreRow {
    StoreRow(
      objectID: ManagedObjectID(
        entity: entity, primaryKey: statement.integer(0), store: self),
      version: statement.integer(2), values: [])
  }

  func reader(for entity: EntityDescription, includesSubentities: Bool) throws -> RowReader {
    let key = RowReaderKey(
      entity: ObjectIdentifier(entity), includesSubentities: includesSubentities)
    if let known = readers[key] { return known }
    let entities = includesSubentities ? entity.selfAndDescendants : [entity]
    let reader = try RowReader(for: entities, schema: schema, missingKeys: missingKeys(of:))
    readers[key] = reader
    return reader
  }
}

// MARK: - From columns to slots

extension SQLiteStore {
  /// The current row of `statement` as the slots of its entity.
  func decode(
    _ statement: Statement, plan: RowPlan, objectID: ManagedObjectID?
  ) throws -> StoreRow {
    let key = statement.integer(0)
    let id = objectID ?? ManagedObjectID(entity: plan.entity, primaryKey: key, anchor: anchor)
    var values = ContiguousArray<Value>(repeating: .null, count: plan.entity.slotCount)
    for field in plan.plain {
      do {
        values[field.slot] = try field.codec.read(statement, field.column)
      } catch {
        throw located(error, slot: field.slot, of: id)
      }
    }
    for field in plan.others {
      do {
        values[field.slot] = try value(of: field, in: statement, objectID: id)
      } catch {
        throw located(error, slot: field.slot, of: id)
      }
    }
    return StoreRow(objectID: id, version: statement.integer(2), values: values)
  }

  /// What is wrong with a value, with its place.
  func located(_ error: any Error, slot: Int, of id: ManagedObjectID) -> any Error {
    (error as? CoreDataError)?.at(
      entity: id.entity.name, property: id.entity.properties[slot].name, object: id.description,
      file: file.url.path) ?? error
  }

  @inline(__always)
  private func value(
    of field: RowPlan.Field, in statement: Statement, objectID: ManagedObjectID
  ) throws -> Value {
    switch field.kind {
    case .attribute(.externalBinary):
      return try externalValue(statement, field: field, objectID: objectID)
    case .attribute(let codec): return try codec.read(statement, field.column)
    case .composite(let columns): return try columns.read(statement, from: field.column)
    case .toOne(let toOne):
      if statement.isNull(field.column) { return .null }
      return try destination(
        toOne, key: statement.integer(field.column),
        number: toOne.entityColumn.flatMap(statement.optionalInteger))
    }
  }

  /// - Parameter number: The destination's entity number, where the row has it.
  func destination(_ toOne: RowPlan.ToOneField, key: Int64, number: Int64?) throws -> Value {
    if toOne.missing.contains(key) { return .null }
    var entity = toOne.destination
    if toOne.entityColumn != nil {
      let number =
        try number
        ?? database.integer("SELECT Z_ENT FROM \(schema.table(of: entity)) WHERE Z_PK = ?", key)
      entity = number.flatMap { schema.numbers.entity(numbered: $0) } ?? entity
    }
    return .object(ManagedObjectID(entity: entity, primaryKey: key, anchor: anchor))
  }

  private func externalValue(
    _ statement: Statement, field: RowPlan.Field, objectID: ManagedObjectID
  ) throws -> Value {
    if statement.isNull(field.column) { return .null }
    let bytes = statement.data(field.column)
    let problem: StoreFinding.Kind
    switch ExternalData.content(of: bytes) {
    case .data(let data): return .data(data)
    case .file(let name):
      if let data = try external.read(name) { return .data(data) }
      problem = .missingExternalFile(name)
    case nil: problem = .unknownExternalTag(bytes.first)
    }
    report(
      StoreFinding(
        kind: problem, entity: objectID.entity.name, property: field.property.name,
        object: objectID.description))
    return .null
  }

  /// Tells of rows with another entity's number that were read all the same.
  func reportForeignNumber(of entity: EntityDescription) {
    report(
      StoreFinding(
        kind: .foreignEntityNumber, entity: entity.name, property: "Z_ENT", object: nil))
  }

  /// Keeps a finding, each once.
  func report(_ finding: StoreFinding) {
    if knownFindings.insert(finding).inserted { findings.append(finding) }
  }
}

// MARK: - Dangling keys

extension SQLiteStore {
  /// The keys of a to-one relationship that lead to no row of its destination. Keys are never given
  /// out twice, so that a missing one stays missing.
  func missingKeys(of relationship: RelationshipDescription) throws -> Set<Int64> {
    if isNew { return [] }
    let key = ObjectIdentifier(relationship)
    if let known = missingKeys[key] { return known }
    let (keys, rowCount) = try findMissingKeys(of: relationship)
    missingKeys[key] = keys
    if rowCount > 0 {
      report(
        StoreFinding(
          kind: .danglingKeys(count: rowCount), entity: relationship.entity.name,
          property: relationship.name, object: nil))
    }
    return keys
  }

  private func findMissingKeys(
    of relationship: RelationshipDescription
  ) throws -> (keys: Set<Int64>, rowCount: Int) {
    guard case .toOne(let columns) = schema.storage(of: relationship),
      let destination = relationship.destinationEntity
    else { return ([], 0) }
    let condition = schema.condition(for: destination, withSubentities: true)
    let sql = """
      SELECT \(columns.key), count(*) FROM \(schema.table(of: relationship.entity)) AS own
      WHERE \(columns.key) IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM \(schema.table(of: destination)) AS other
        WHERE other.Z_PK = own.\(columns.key)\(condition.map { " AND other.\($0)" } ?? ""))
      GROUP BY \(columns.key)
      """
    var (keys, rowCount): (Set<Int64>, Int) = ([], 0)
    try database.forEachRow(sql) { row in
      keys.insert(row.integer(0))
      rowCount += Int(row.integer(1))
    }
    return (keys, rowCount)
  }
}

// MARK: - Many rows by one statement

// Many rows, or the links of many objects, by one statement. Keys go in as one JSON array, so that
// the statement is the same however many there are.

extension SQLiteStore {
  func readRows(_ ids: [ManagedObjectID]) throws -> [StoreRow] {
    let hierarchies = Dictionary(grouping: ids) { ObjectIdentifier($0.entity.rootEntity) }
    return try hierarchies.values.sorted { $0[0].entity.storeIndex < $1[0].entity.storeIndex }
      .flatMap { try readHierarchyRows($0) }
  }

  private func readHierarchyRows(_ ids: [ManagedObjectID]) throws -> [StoreRow] {
    guard let root = ids.first?.entity.rootEntity else { return [] }
    let reader = try reader(for: root, includesSubentities: true)
    let sql =
      "SELECT \(reader.columnList) FROM \(schema.table(of: root)) "
      + "WHERE Z_PK IN (SELECT value FROM json_each(?))"
    return try readingDatabase().with(sql) { statement in
      statement.bind(Self.list(of: ids), at: 1)
      var rows: [StoreRow] = []
      while try statement.step() {
        guard let plan = reader.plan(forNumber: statement.integer(1)) else { continue }
        rows.append(try decode(statement, plan: plan, objectID: nil))
      }
      return rows
    }
  }

  func readDestinations(
    of relationship: RelationshipDescription, fromEach ids: [ManagedObjectID]
  ) throws -> [ManagedObjectID: [ManagedObjectID]]? {
    guard let sql = try linksSQL(of: relationship) else { return nil }
    let owners = Dictionary(ids.map { ($0.primaryKey, $0) }) { first, _ in first }
    return try readingDatabase().with(sql) { statement in
      statement.bind(Self.list(of: ids), at: 1)
      var found: [ManagedObjectID: [ManagedObjectID]] = [:]
      while try statement.step() {
        guard let owner = owners[statement.integer(2)] else { continue }
        found[owner, default: []].append(
          try identifier(statement.integer(0), number: statement.integer(1), of: relationship))
      }
      return found
    }
  }

  /// Selects key and entity number of each destination, and the owner's key, in each owner's order;
  /// nil for what is read object by object.
  private func linksSQL(of relationship: RelationshipDescription) throws -> String? {
    switch schema.storage(of: relationship) {
    case .children(let key):
      try needIndexes(of: key.table)
      return "SELECT Z_PK, Z_ENT, \(key.column) FROM \(key.table) "
        + "WHERE \(key.column) IN (SELECT value FROM json_each(?))"
        + LinkReader.ordering(key.orderColumn, key: "Z_PK")
    case .join(let side) where !side.isReflexive:
      try needIndexes(of: side.table)
      let table = schema.table(of: relationship.destinationEntity)
      return "SELECT other.Z_PK, other.Z_ENT, link.\(side.ownColumn) "
        + "FROM \(side.table) AS link JOIN \(table) AS other "
        + "ON other.Z_PK = link.\(side.destinationColumn) "
        + "WHERE link.\(side.ownColumn) IN (SELECT value FROM json_each(?))"
        + LinkReader.ordering(side.orderColumn.map { "link.\($0)" }, key: "other.Z_PK")
    default: return nil
    }
  }

  /// Primary keys as SQLite's `json_each` takes them.
  static func list(of ids: [ManagedObjectID]) -> String {
    "[" + ids.map { String($0.primaryKey) }.joined(separator: ",") + "]"
  }
}
