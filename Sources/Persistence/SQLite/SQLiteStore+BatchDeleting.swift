// Batch deletions as statements: the rows, what delete rules take along, and the links to them.

extension SQLiteStore {
  /// - Returns: nil when a delete rule or a required relationship stands in the way, or when files of
  ///   large values or derived attributes hang on the rows.
  func deleteByStatements(_ rows: BatchSelection, listsIDs: Bool) throws -> BatchOutcome? {
    try requireWritable()
    guard bulk == nil, derivations.related.isEmpty, derivations.failure == nil else { return nil }
    if case .query(let query) = rows, abilities(for: query) != .all { return nil }
    do {
      let outcome = try database.transaction {
        let deletion = BatchDeletion(store: self)
        try deletion.begin()
        let outcome = try deletion.select(rows, listsIDs: listsIDs)
        try deletion.cascade()
        try deletion.requireNothingInTheWay()
        try deletion.unlink()
        try deletion.deleteRows()
        try deletion.end()
        return outcome
      }
      generation += 1
      return outcome
    } catch is BatchDeletion.Obstacle { return nil }
  }
}

/// One batch deletion. The rows to go are gathered in a temporary table: hierarchy, key, entity number.
struct BatchDeletion {
  let store: SQLiteStore
  /// Why a deletion isn't for statements alone.
  struct Obstacle: Error {}

  private var schema: StoreSchema { store.schema }
  private var database: Database { store.database }
  private static let doomed = "temp.hw_doomed"

  func begin() throws {
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS \(Self.doomed) (
        hierarchy INTEGER, key INTEGER, entity INTEGER, PRIMARY KEY (hierarchy, key)) WITHOUT ROWID;
      DELETE FROM \(Self.doomed)
      """)
  }

  func end() throws { try database.execute("DELETE FROM \(Self.doomed)") }

  // MARK: Which rows

  func select(_ rows: BatchSelection, listsIDs: Bool) throws -> BatchOutcome {
    switch rows {
    case .query(let query):
      let ids = listsIDs ? try store.identifiers(query) : []
      let hierarchy = query.entity.rootEntity.storeIndex
      let selection = try store.selection("\(hierarchy), Z_PK, Z_ENT", for: query)
      let count = try store.run("INSERT INTO \(raw: Self.doomed) \(selection)")
      return listsIDs ? BatchOutcome(ids) : BatchOutcome(count: count)
    case .ids(let ids):
      return BatchOutcome(try ids.filter(select))
    }
  }

  /// Adds one row, if the store has it.
  private func select(_ id: ManagedObjectID) throws -> Bool {
    let hierarchy = id.entity.rootEntity.storeIndex
    let numbers = id.entity.selfAndDescendants.map { String(schema.numbers[$0]) }
    return try database.run(
      "INSERT OR IGNORE INTO \(Self.doomed) SELECT \(hierarchy), Z_PK, Z_ENT "
        + "FROM \(schema.table(of: id.entity)) "
        + "WHERE Z_PK = ? AND Z_ENT IN (\(numbers.joined(separator: ", ")))", id.primaryKey) > 0
  }

  /// Adds what the delete rule *cascade* takes along, until that is nothing more.
  func cascade() throws {
    let statements = try relationships { $0.deleteRule == .cascade }.map { relationship in
      guard let rows = destinations(of: relationship) else { throw Obstacle() }
      let hierarchy = relationship.destinationEntity.rootEntity.storeIndex
      return "INSERT OR IGNORE INTO \(Self.doomed) SELECT \(hierarchy), d.Z_PK, d.Z_ENT \(rows)"
    }
    while try statements.reduce(0, { try $0 + database.run($1) }) > 0 {}
  }

  private func relationships(
    _ isWanted: (RelationshipDescription) -> Bool
  ) -> [RelationshipDescription] {
    schema.entities.flatMap(\.ownRelationships).filter { !$0.isTransient && isWanted($0) }
  }

  private func numbers(of entity: EntityDescription) -> String {
    schema.numbers.hierarchy(of: entity).map(String.init).joined(separator: ", ")
  }

  /// `FROM … WHERE` for the destinations `d` of a relationship of doomed rows `x`; nil when it has
  /// no place in the store.
  private func destinations(of relationship: RelationshipDescription) -> String? {
    let table = schema.table(of: relationship.destinationEntity)
    let hierarchy = relationship.entity.rootEntity.storeIndex
    let owner =
      "x.hierarchy = \(hierarchy) AND x.entity IN (\(numbers(of: relationship.entity)))"
    switch schema.storage(of: relationship) {
    case .toOne(let columns):
      return "FROM \(Self.doomed) AS x JOIN \(schema.table(of: relationship.entity)) AS o "
        + "ON o.Z_PK = x.key JOIN \(table) AS d ON d.Z_PK = o.\(columns.key) WHERE \(owner)"
    case .children(let key):
      return "FROM \(Self.doomed) AS x JOIN \(table) AS d ON d.\(key.column) = x.key WHERE \(owner)"
    case .join(let side):
      return "FROM \(Self.doomed) AS x JOIN \(side.table) AS j ON j.\(side.ownColumn) = x.key "
        + "JOIN \(table) AS d ON d.Z_PK = j.\(side.destinationColumn) WHERE \(owner)"
    default: return nil
    }
  }

  // MARK: What forbids it

  /// Rules that might be violated, and files that must go with their rows, are for objects.
  func requireNothingInTheWay() throws {
    for relationship in relationships({ $0.deleteRule == .deny }) {
      if try hasSurvivors(relationship) { throw Obstacle() }
    }
    for relationship in relationships({ $0.deleteRule == .nullify }) {
      guard let inverse = relationship.inverseRelationship, !inverse.isToMany,
        !inverse.isOptional
      else { continue }
      if try hasSurvivors(relationship) { throw Obstacle() }
    }
    let hierarchies = try database.texts("SELECT DISTINCT hierarchy FROM \(Self.doomed)")
    for entity in schema.entities
    where hierarchies.contains(String(entity.rootEntity.storeIndex)) && entity.keepsFiles {
      throw Obstacle()
    }
  }

  private func hasSurvivors(_ relationship: RelationshipDescription) throws -> Bool {
    guard let rows = destinations(of: relationship) else { return false }
    let hierarchy = relationship.destinationEntity.rootEntity.storeIndex
    return try database.integer(
      "SELECT 1 \(rows) AND NOT EXISTS (SELECT 1 FROM \(Self.doomed) AS y "
        + "WHERE y.hierarchy = \(hierarchy) AND y.key = d.Z_PK) LIMIT 1") != nil
  }

  // MARK: Links

  /// Takes the references to doomed rows away, as *nullify* wants it, and all rows of join tables.
  func unlink() throws {
    for relationship in relationships({ _ in true }) {
      switch schema.storage(of: relationship) {
      case .join(let side): try clear(side, of: relationship)
      case .children(let key) where key.hasNoInverse:
        try clear(
          schema.table(of: relationship.destinationEntity),
          [key.column, key.orderColumn].compactMap { $0 }, key: key.column, of: relationship,
          countsVersion: false)
      default:
        guard relationship.deleteRule == .nullify,
          let inverse = relationship.inverseRelationship,
          case .toOne(let columns) = schema.storage(of: inverse)
        else { continue }
        try clear(
          schema.table(of: inverse.entity),
          [columns.key, columns.entity, columns.order].compactMap { $0 }, key: columns.key,
          of: relationship, countsVersion: true)
      }
    }
  }

  private func keys(of relationship: RelationshipDescription) -> String {
    "SELECT key FROM \(Self.doomed) WHERE hierarchy = \(relationship.entity.rootEntity.storeIndex) "
      + "AND entity IN (\(numbers(of: relationship.entity)))"
  }

  private func clear(_ side: JoinSide, of relationship: RelationshipDescription) throws {
    let keys = keys(of: relationship)
    let other = side.isReflexive ? " OR \(side.destinationColumn) IN (\(keys))" : ""
    try database.run("DELETE FROM \(side.table) WHERE \(side.ownColumn) IN (\(keys))\(other)")
  }

  private func clear(
    _ table: String, _ columns: [String], key: String, of relationship: RelationshipDescription,
    countsVersion: Bool
  ) throws {
    let hierarchy = relationship.destinationEntity.rootEntity.storeIndex
    var terms = columns.map { "\($0) = NULL" }
    if countsVersion { terms.append("Z_OPT = Z_OPT + 1") }
    try database.run(
      "UPDATE \(table) SET \(terms.joined(separator: ", ")) WHERE \(key) IN "
        + "(\(keys(of: relationship))) AND Z_PK NOT IN "
        + "(SELECT key FROM \(Self.doomed) WHERE hierarchy = \(hierarchy))")
  }

  func deleteRows() throws {
    for table in schema.tables {
      try database.run(
        "DELETE FROM \(table.name) WHERE Z_PK IN "
          + "(SELECT key FROM \(Self.doomed) WHERE hierarchy = \(table.root.storeIndex))")
    }
  }
}

extension EntityDescription {
  /// Whether values of its rows may be in files of their own.
  fileprivate var keepsFiles: Bool {
    ownAttributes.contains(where: \.allowsExternalBinaryDataStorage)
  }
}
