import ObjectModel
import Testing

/// A store as the `sqlite3` command line reads it: the measure for what a migration makes of it.
///
/// Knows Core Data's layout on its own; none of the engine's store code is used.
final class RecordedStore {
  /// An object, by the table of its entity's family and its primary key there.
  struct Key: Hashable {
    var table: String
    var primaryKey: Int64
  }

  let url: URL
  let model: ManagedObjectModel
  private let shell: SQLiteShell
  private let columns: ColumnNames
  /// Entity names by the store's own numbers.
  private let entityNames: [Int64: String]
  private let tables: [String: [[String: SQLiteLiteral]]]
  private let rowsByKey: [Key: [String: SQLiteLiteral]]

  init(_ url: URL, model: ManagedObjectModel) throws {
    self.url = url
    self.model = model
    shell = SQLiteShell(database: url)
    columns = ColumnNames(model)
    let numbers = try shell.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
    entityNames = try Dictionary(
      uniqueKeysWithValues: numbers.map {
        (try #require($0["Z_ENT"]?.integer), try #require($0["Z_NAME"]?.text))
      })
    var (tables, rows) = ([String: [[String: SQLiteLiteral]]](), [Key: [String: SQLiteLiteral]]())
    for name in try shell.rows("SELECT name FROM sqlite_master WHERE type = 'table'") {
      let table = try #require(name["name"]?.text)
      tables[table] = try shell.rows("SELECT * FROM \"\(table)\"")
      for row in tables[table] ?? [] {
        guard let key = row["Z_PK"]?.integer else { continue }
        rows[Key(table: table, primaryKey: key)] = row
      }
    }
    self.tables = tables
    rowsByKey = rows
  }

  /// The keys of an entity's own objects, those of subentities left out, in order.
  func objects(of entity: EntityDescription) -> [Key] {
    let table = ColumnNames.table(of: entity)
    return (tables[table] ?? [])
      .filter { $0["Z_ENT"]?.integer.flatMap { entityNames[$0] } == entity.name }
      .compactMap { $0["Z_PK"]?.integer }.sorted()
      .map { Key(table: table, primaryKey: $0) }
  }

  func literal(of attribute: AttributeDescription, in key: Key) throws -> SQLiteLiteral {
    let column = try #require(columns.column(of: attribute))
    let row = try #require(rowsByKey[key])
    return try #require(row[column], "\(key.table) has no column \(column)")
  }
}

// MARK: - Relationships

extension RecordedStore {
  /// The objects a relationship leads to, in its order if it has one. Keys that lead nowhere are
  /// left out, as old stores have some.
  func destinations(of relationship: RelationshipDescription, in key: Key) throws -> [Key] {
    if !relationship.isToMany { return try destination(of: relationship, in: key) }
    guard let inverse = relationship.inverseRelationship else {
      return try keysBehind(relationship, of: key)
    }
    return inverse.isToMany
      ? try joined(relationship, inverse, of: key)
      : try keysLeading(to: key, by: inverse, isOrdered: relationship.isOrdered)
  }

  private func exists(_ key: Key) -> Bool { rowsByKey[key] != nil }

  private func destination(
    of relationship: RelationshipDescription, in key: Key
  ) throws -> [Key] {
    let column = try #require(columns.column(of: relationship))
    let row = try #require(rowsByKey[key])
    guard let number = try #require(row[column]).integer else { return [] }
    let table = ColumnNames.table(of: relationship.destinationEntity)
    return [Key(table: table, primaryKey: number)].filter(exists)
  }

  /// The rows whose to-one relationship `inverse` leads to `key`.
  private func keysLeading(
    to key: Key, by inverse: RelationshipDescription, isOrdered: Bool
  ) throws -> [Key] {
    let column = try #require(columns.column(of: inverse))
    let table = ColumnNames.table(of: inverse.entity)
    return keys(
      in: tables[table] ?? [], of: table, where: column, is: key.primaryKey, named: "Z_PK",
      orderedBy: isOrdered ? "Z_FOK_" + column.dropFirst() : nil)
  }

  /// The rows that carry the key of a to-many relationship without an inverse.
  private func keysBehind(_ relationship: RelationshipDescription, of key: Key) throws -> [Key] {
    let name = "\(columns.number(of: relationship.entity))\(relationship.name.uppercased())"
    let table = ColumnNames.table(of: relationship.destinationEntity)
    return keys(
      in: tables[table] ?? [], of: table, where: "Z\(name)", is: key.primaryKey, named: "Z_PK",
      orderedBy: relationship.isOrdered ? "Z_FOK_\(name)" : nil)
  }

  /// The members of a many-to-many relationship, from its join table.
  private func joined(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription, of key: Key
  ) throws -> [Key] {
    let candidates = [relationship, inverse].map { "Z_" + numbered($0, in: $0.entity) }
    let name = try #require(candidates.first { tables[$0] != nil }, "\(candidates) are missing")
    let rows = tables[name] ?? []
    guard let sample = rows.first else { return [] }
    // A column is named after the entity whose keys it holds and the relationship leading there.
    let (own, others) = (
      numbered(inverse, in: relationship.entity), numbered(relationship, in: inverse.entity)
    )
    let ownColumn = try #require(Self.column("Z_" + own, in: sample))
    let otherColumn = try #require(Self.column("Z_" + others, in: sample))
    return keys(
      in: rows, of: ColumnNames.table(of: relationship.destinationEntity), where: ownColumn,
      is: key.primaryKey, named: otherColumn,
      orderedBy: relationship.isOrdered ? "Z_FOK_" + otherColumn.dropFirst(2) : nil)
  }

  private func numbered(
    _ relationship: RelationshipDescription, in entity: EntityDescription
  ) -> String {
    "\(columns.number(of: entity))\(relationship.name.uppercased())"
  }

  /// The column of that name, or of that name with digits at its end.
  private static func column(_ name: String, in row: [String: SQLiteLiteral]) -> String? {
    if row[name] != nil { return name }
    return row.keys.first { $0.hasPrefix(name) && $0.dropFirst(name.count).allSatisfy(\.isNumber) }
  }

  private func keys(
    in rows: [[String: SQLiteLiteral]], of table: String, where column: String, is key: Int64,
    named keyColumn: String, orderedBy orderColumn: String?
  ) -> [Key] {
    rows.filter { $0[column]?.integer == key }
      .compactMap { row in
        row[keyColumn]?.integer.map { key in
          (key: key, order: orderColumn.flatMap { row[$0]?.integer } ?? .max)
        }
      }
      .sorted { ($0.order, $0.key) < ($1.order, $1.key) }
      .map { Key(table: table, primaryKey: $0.key) }
      .filter(exists)
  }
}
