/// Writes the links of one to-many relationship, as far as they aren't keys in the destinations'
/// own rows.
final class LinkWriter {
  /// Parameters of all statements: 1 the owner's key, 2 the destination's, 3 a sort key.
  let addition: Statement?
  let removal: Statement?
  /// Sets the sort key of a destination.
  let ordering: Statement?
  /// The destinations' keys and their sort keys.
  let currentOrder: Statement?
  /// Removes all links of a deleted owner.
  let clearing: Statement?
  /// Whether links are written from this side; else this side is only for those that the other one
  /// doesn't report.
  let writesLinks: Bool
  /// Whether a link is to be written in the other direction too.
  let isReflexive: Bool

  /// The writer for a relationship; nil when its links are nothing but keys in the destinations.
  static func make(for storage: PropertyStorage, database: Database) throws -> LinkWriter? {
    switch storage {
    case .join(let side): try LinkWriter(side, database)
    case .children(let key) where key.hasNoInverse || key.orderColumn != nil:
      try LinkWriter(key, database)
    default: nil
    }
  }

  private init(_ side: JoinSide, _ database: Database) throws {
    let (table, own, other) = (side.table, side.ownColumn, side.destinationColumn)
    isReflexive = side.isReflexive
    let link = "\(own) = ?1 AND \(other) = ?2"
    writesLinks = side.writesLinks
    addition = try database.statement(
      "INSERT OR IGNORE INTO \(table) (\(own), \(other)) VALUES (?1, ?2)")
    removal = try database.statement("DELETE FROM \(table) WHERE \(link)")
    ordering = try side.orderColumn.map {
      try database.statement("UPDATE \(table) SET \($0) = ?3 WHERE \(link)")
    }
    currentOrder = try side.orderColumn.map {
      try database.statement("SELECT \(other), \($0) FROM \(table) WHERE \(own) = ?1")
    }
    clearing = try database.statement(
      "DELETE FROM \(table) WHERE \(own) = ?1" + (isReflexive ? " OR \(other) = ?1" : ""))
  }

  private init(_ key: ForeignKey, _ database: Database) throws {
    let (table, column) = (key.table, key.column)
    isReflexive = false
    writesLinks = key.hasNoInverse
    let clear = ([column] + [key.orderColumn].compactMap { $0 })
      .map { "\($0) = NULL" }.joined(separator: ", ")
    let link = "\(column) = ?1 AND Z_PK = ?2"
    addition =
      key.hasNoInverse
      ? try database.statement("UPDATE \(table) SET \(column) = ?1 WHERE Z_PK = ?2") : nil
    removal =
      key.hasNoInverse ? try database.statement("UPDATE \(table) SET \(clear) WHERE \(link)") : nil
    clearing =
      key.hasNoInverse
      ? try database.statement("UPDATE \(table) SET \(clear) WHERE \(column) = ?1") : nil
    ordering = try key.orderColumn.map {
      try database.statement("UPDATE \(table) SET \($0) = ?3 WHERE \(link)")
    }
    currentOrder = try key.orderColumn.map {
      try database.statement("SELECT Z_PK, \($0) FROM \(table) WHERE \(column) = ?1")
    }
  }
}

// MARK: - Writing

extension LinkWriter {
  func add(_ destination: Int64, to owner: Int64) throws {
    guard let addition else { return }
    try Self.run(addition, owner: owner, destination: destination)
    if isReflexive { try Self.run(addition, owner: destination, destination: owner) }
  }

  func remove(_ destination: Int64, from owner: Int64) throws {
    guard let removal else { return }
    try Self.run(removal, owner: owner, destination: destination)
    if isReflexive { try Self.run(removal, owner: destination, destination: owner) }
  }

  func clear(_ owner: Int64) throws {
    guard let clearing else { return }
    clearing.bind(owner, at: 1)
    try clearing.run()
  }

  /// Puts the destinations of `owner` in order, keeping the sort keys that are right already. Those that
  /// aren't named come last, in the order they have.
  func order(_ destinations: [Int64], of owner: Int64) throws {
    guard let ordering, let currentOrder else { return }
    let (known, unsorted) = try Self.sortKeys(currentOrder, owner: owner)
    let named = Set(destinations)
    let rest =
      known.filter { !named.contains($0.key) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      .map(\.key) + unsorted.filter { !named.contains($0) }.sorted()
    for (destination, key) in SortKeys.assigned(to: destinations + rest, keeping: known) {
      ordering.bind(key, at: 3)
      try Self.run(ordering, owner: owner, destination: destination)
    }
  }

  /// - Returns: The sort keys of destinations, and those that have none.
  private static func sortKeys(
    _ statement: Statement, owner: Int64
  ) throws -> (known: [Int64: Int64], unsorted: [Int64]) {
    defer { statement.reset() }
    statement.bind(owner, at: 1)
    var (known, unsorted): ([Int64: Int64], [Int64]) = ([:], [])
    while try statement.step() {
      if let key = statement.optionalInteger(1) {
        known[statement.integer(0)] = key
      } else {
        unsorted.append(statement.integer(0))
      }
    }
    return (known, unsorted)
  }

  private static func run(_ statement: Statement, owner: Int64, destination: Int64) throws {
    statement.bind(owner, at: 1)
    statement.bind(destination, at: 2)
    try statement.run()
  }
}

/// The sort keys of ordered relationships (`Z_FOK_…`): not positions, but numbers with room between
/// them, as Core Data gives them.
enum SortKeys {
  static let first: Int64 = 2048
  static let step: Int64 = 1024

  /// The keys that must be written so that `members` are in this order: those of members without
  /// a key, and those whose key is not above their predecessor's.
  static func assigned(
    to members: [Int64], keeping known: [Int64: Int64]
  ) -> [(member: Int64, key: Int64)] {
    var changes: [(member: Int64, key: Int64)] = []
    var last = first - step
    for member in members {
      if let key = known[member], key > last {
        last = key
      } else {
        last += step
        changes.append((member, last))
      }
    }
    return changes
  }
}
