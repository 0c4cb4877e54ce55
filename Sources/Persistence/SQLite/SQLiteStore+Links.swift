// To-many relationships, read.

/// Reads the destinations of one to-many relationship.
final class LinkReader {
  let sql: String
  /// What the key is bound to, more than once for a union.
  let parameterCount: Int32

  init(sql: String, parameterCount: Int32 = 1) {
    self.sql = sql
    self.parameterCount = parameterCount
  }

  /// NULL sort keys come last, then the primary key decides.
  static func ordering(_ column: String?, key: String) -> String {
    guard let column else { return " ORDER BY \(key)" }
    return " ORDER BY \(column) IS NULL, \(column), \(key)"
  }
}

extension SQLiteStore {
  func readDestinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    guard let reader = try linkReader(for: relationship) else { return [] }
    return try readingDatabase().with(reader.sql) { statement in
      for parameter in 1...reader.parameterCount { statement.bind(id.primaryKey, at: parameter) }
      var destinations: [ManagedObjectID] = []
      while try statement.step() {
        destinations.append(
          try identifier(
            statement.integer(0), number: statement.integer(1), of: relationship))
      }
      return destinations
    }
  }

  func identifier(
    _ key: Int64, number: Int64, of relationship: RelationshipDescription
  ) throws -> ManagedObjectID {
    guard
      let entity = schema.numbers.entity(numbered: number, beside: relationship.destinationEntity)
    else {
      throw CoreDataError.incompatibleSchema(
        file.url, "row \(key) of \(relationship.destinationEntityName) has Z_ENT \(number)")
    }
    return ManagedObjectID(entity: entity, primaryKey: key, store: self)
  }

  private func linkReader(for relationship: RelationshipDescription) throws -> LinkReader? {
    let key = ObjectIdentifier(relationship)
    if let known = linkReaders[key] { return known }
    let reader: LinkReader
    switch schema.storage(of: relationship) {
    case .children(let foreignKey):
      try needIndexes(of: foreignKey.table)
      reader = Self.reader(for: foreignKey)
    case .join(let side):
      try needIndexes(of: side.table)
      reader = Self.reader(for: side, table: schema.table(of: relationship.destinationEntity))
    default: return nil
    }
    linkReaders[key] = reader
    return reader
  }

  private static func reader(for key: ForeignKey) -> LinkReader {
    LinkReader(
      sql: "SELECT Z_PK, Z_ENT FROM \(key.table) WHERE \(key.column) = ?"
        + LinkReader.ordering(key.orderColumn, key: "Z_PK"))
  }

  /// Rows of the join table that lead nowhere are left out by the join with the destination.
  private static func reader(for side: JoinSide, table: String) -> LinkReader {
    if side.isReflexive, side.orderColumn == nil { return reflexiveReader(side, table: table) }
    let order = side.orderColumn.map { "link.\($0)" }
    return LinkReader(
      sql: "SELECT other.Z_PK, other.Z_ENT FROM \(side.table) AS link "
        + "JOIN \(table) AS other ON other.Z_PK = link.\(side.destinationColumn) "
        + "WHERE link.\(side.ownColumn) = ?"
        + LinkReader.ordering(order, key: "other.Z_PK"))
  }

  /// A relationship that is its own inverse is read in both directions, whichever way a link was
  /// written.
  private static func reflexiveReader(_ side: JoinSide, table: String) -> LinkReader {
    LinkReader(
      sql: "SELECT Z_PK, Z_ENT FROM \(table) WHERE Z_PK IN ("
        + "SELECT \(side.destinationColumn) FROM \(side.table) WHERE \(side.ownColumn) = ? UNION "
        + "SELECT \(side.ownColumn) FROM \(side.table) WHERE \(side.destinationColumn) = ?) "
        + "ORDER BY Z_PK",
      parameterCount: 2)
  }
}
