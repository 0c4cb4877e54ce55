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
