// What the store answers by itself.

/// A predicate as a condition.
struct TranslatedPredicate {
  /// Strong, so that no other predicate takes its identity.
  let predicate: Predicate
  let entity: EntityDescription
  let logic: SQLLogic
  /// nil for a predicate that is evaluated in memory.
  let condition: SQLFragment?
  /// The tables the condition looks at beside the entity's own.
  let tables: Set<String>
}

extension SQLiteStore {
  /// The parts of a query that SQLite answers as memory would.
  func abilities(for query: StoreQuery) -> QueryCapability {
    var capability: QueryCapability = []
    if query.predicate == nil || translation(for: query)?.condition != nil {
      capability.insert(.predicate)
    }
    if sortTerms(for: query) != nil { capability.insert(.sort) }
    return capability
  }

  func countRows(matching query: StoreQuery) throws -> Int {
    var count: Int64 = 0
    // Of a plain table SQLite counts the rows without looking at them.
    let isPaged = query.limit > 0 || query.offset > 0
    let sql: SQLFragment =
      isPaged
      ? "SELECT count(*) FROM (\(try selection("1", for: query)))"
      : "SELECT count(*) \(try source(of: query))"
    try run(sql, of: query) { statement in
      if try statement.step() { count = statement.integer(0) }
    }
    return Int(count)
  }

  /// Whether a hierarchy may have rows. Asks SQLite until there are some.
  func hasRows(of entity: EntityDescription) -> Bool {
    guard let root = entity.rootEntity else { return true }
    if populated.contains(ObjectIdentifier(root)) { return true }
    // A store of another configuration has no table for it.
    guard ownRoots.contains(ObjectIdentifier(root)) else { return false }
    // While a new store is filled nobody else writes to it.
    let isMine = isNew && bulk != nil
    if isMine, empty.generation == generation, empty.roots.contains(ObjectIdentifier(root)) {
      return false
    }
    do {
      if try database.integer("SELECT 1 FROM \(schema.table(of: root)) LIMIT 1") == nil {
        if empty.generation != generation { empty = (generation, []) }
        empty.roots.insert(ObjectIdentifier(root))
        return false
      }
      populated.insert(ObjectIdentifier(root))
    } catch {
      // A table that can't be read isn't empty: whoever goes on to read it meets the error.
    }
    return true
  }

  /// Runs the SELECT statement for `query`, after making the indexes that serve it.
  func run(
    _ selection: SQLFragment, of query: StoreQuery, _ body: (Statement) throws -> Void
  ) throws {
    if bulk != nil, let translation = translation(for: query) {
      try needIndexes(of: schema.table(of: query.entity))
      for table in translation.tables { try needIndexes(of: table) }
      try noteProbe(of: query)
    }
    try readingDatabase().with(selection, body)
  }

  /// The SELECT statement for what the store can do of `query`.
  func selection(_ columns: String, for query: StoreQuery) throws -> SQLFragment {
    var sql: SQLFragment = "SELECT \(raw: columns) \(try source(of: query))"
    sql = "\(sql) ORDER BY \(raw: (sortTerms(for: query) ?? []).map { "\($0), " }.joined())Z_PK"
    return abilities(for: query) == .all ? paged(sql, query) : sql
  }

  /// `FROM` and `WHERE` of a query.
  func source(of query: StoreQuery) throws -> SQLFragment {
    "FROM \(raw: schema.table(of: query.entity)) AS t0\(try condition(of: query))"
  }

  /// `WHERE` of a query, over rows called `t0`; nothing where all are wanted.
  func condition(of query: StoreQuery) throws -> SQLFragment {
    var conditions: [SQLFragment] = []
    if let hierarchy = schema.condition(
      for: query.entity, withSubentities: query.includesSubentities)
    {
      conditions.append(SQLFragment(sql: hierarchy))
    }
    if let condition = translation(for: query)?.condition { conditions.append(condition) }
    var sql: SQLFragment = ""
    for (index, condition) in conditions.enumerated() {
      sql = "\(sql) \(raw: index == 0 ? "WHERE" : "AND") \(condition)"
    }
    return sql
  }

  func paged(_ sql: SQLFragment, _ query: StoreQuery) -> SQLFragment {
    guard query.limit > 0 || query.offset > 0 else { return sql }
    return "\(sql) LIMIT \(query.limit > 0 ? query.limit : -1) OFFSET \(max(query.offset, 0))"
  }
}

// MARK: - Predicates

extension SQLiteStore {
  /// The predicate of a query as a condition; nil without predicate. The last one is remembered,
  /// since a query is asked about several times.
  private func translation(for query: StoreQuery) -> TranslatedPredicate? {
    guard let predicate = query.predicate else { return nil }
    if let last = lastTranslation, last.predicate === predicate, last.entity === query.entity,
      last.logic == query.logic
    {
      return last
    }
    let schema = PredicateSchema(store: self)
    // What can't be said in SQL is evaluated in memory.
    let condition = try? SQLTranslator(schema: schema, logic: query.logic)
      .translate(predicate, entity: query.entity)
    let translation = TranslatedPredicate(
      predicate: predicate, entity: query.entity, logic: query.logic, condition: condition,
      tables: schema.tables)
    lastTranslation = translation
    return translation
  }
}

/// Tells the translator of predicates where things are, and remembers what it asked for.
final class PredicateSchema: SQLSchema {
  private let store: SQLiteStore
  /// The name by which a statement's connection knows the store's file, with a dot.
  private let database: String
  private(set) var tables: Set<String> = []
  /// Whether a relationship was asked for that has keys which lead nowhere.
  private(set) var hasMissingKeys = false
  var readsMissingKeysAsNil = true

  /// - Parameter database: How another connection has attached the store; nil in its own.
  init(store: SQLiteStore, database: String? = nil) {
    self.store = store
    self.database = database.map { "\($0)." } ?? ""
  }

  func table(of entity: EntityDescription) -> String {
    let table = store.schema.table(of: entity)
    tables.insert(table)
    return database + table
  }

  /// External values are no plain bytes, so that nothing can be said about them here.
  func column(of attribute: AttributeDescription) -> String? {
    switch store.schema.storage(of: attribute) {
    case .attribute(_, .externalBinary): nil
    case .attribute(let column, _): column
    default: nil
    }
  }

  /// A key that leads nowhere counts as nil in memory, but not in SQL. Where that can't be known, reading it in memory
  /// says why.
  func key(of toOne: RelationshipDescription, in row: String, _ logic: SQLLogic) -> String? {
    guard case .toOne(let columns) = store.schema.storage(of: toOne),
      let destination = toOne.destinationEntity, let missing = try? store.missingKeys(of: toOne)
    else { return nil }
    let key = "\(row).\(columns.key)"
    if missing.isEmpty { return key }
    hasMissingKeys = true
    if logic == .threeValued || !readsMissingKeysAsNil { return key }
    let condition = store.schema.condition(for: destination, withSubentities: true) ?? "1"
    return "(SELECT Z_PK FROM \(table(of: destination)) WHERE Z_PK = \(key) AND \(condition))"
  }

  /// A relationship that is its own inverse may have links written in one direction only.
  func link(of toMany: RelationshipDescription) -> SQLLink? {
    switch store.schema.storage(of: toMany) {
    case .children(let key):
      tables.insert(key.table)
      return .children(column: key.column)
    case .join(let side) where !side.isReflexive:
      tables.insert(side.table)
      return .join(
        table: database + side.table, ownColumn: side.ownColumn,
        destinationColumn: side.destinationColumn)
    default: return nil
    }
  }

  func primaryKey(of object: AnyObject, in entity: EntityDescription) -> Int64? {
    guard let id = ((object as? ManagedObject)?.objectID ?? object as? ManagedObjectID)?.current,
      id.hasRowKey, id.storeNumber == store.number,
      id.entity.rootEntity.name == entity.rootEntity.name
    else { return nil }
    return id.primaryKey
  }
}

// MARK: - Sorting

extension SQLiteStore {
  /// The terms of ORDER BY; nil when the order is one that SQLite doesn't know.
  func sortTerms(for query: StoreQuery) -> [String]? {
    var terms: [String] = []
    for descriptor in query.sortDescriptors {
      guard let column = sortColumn(for: descriptor, of: query.entity) else { return nil }
      terms.append("\(column) \(descriptor.ascending ? "ASC" : "DESC")")
    }
    return terms
  }

  /// Numbers, dates and the bytes of texts are ordered by SQLite as in memory, NULL first; other
  /// orders of texts by collations that call the same code.
  private func sortColumn(
    for descriptor: SortDescriptor, of entity: EntityDescription
  ) -> String? {
    guard descriptor.comparator == nil,
      let order = SortDescriptor.TextOrder(selectorName: descriptor.selectorName),
      let key = descriptor.key,
      let attribute = entity.property(at: key.components(separatedBy: "."))
        as? AttributeDescription,
      case .attribute(let own, let codec) = schema.storage(of: attribute)
    else { return nil }
    let column = key.contains(".") ? farColumn(key, of: entity) : own
    switch codec {
    case .transformable, .externalBinary: return nil
    case .string, .uri:
      return order == .binary ? column : column.map { "\($0) COLLATE \(order.collation)" }
    default: return column
    }
  }

  /// An attribute behind to-one relationships.
  private func farColumn(_ keyPath: String, of entity: EntityDescription) -> String? {
    let translator = SQLTranslator(schema: PredicateSchema(store: self))
    // What has no column is sorted in memory.
    let column = try? translator.column(Expression(forKeyPath: keyPath), entity: entity)
    return column.flatMap { $0.fragment.bindings.isEmpty ? $0.fragment.sql : nil }
  }
}

// MARK: - Order

// The order of members: as their owners report it, and for those whose new owners say nothing of them.

extension SQLiteStore {
  /// A look at the order so far must not read the whole table for each owner.
  private func needIndexes(of storage: PropertyStorage) throws {
    switch storage {
    case .children(let key): try needIndexes(of: key.table)
    case .join(let side): try needIndexes(of: side.table)
    case .attribute, .composite, .toOne, .none: return
    }
  }

  func writeOrder(of change: SaveRequest.ObjectChange) throws {
    for toMany in change.toMany {
      guard let ordered = toMany.ordered else { continue }
      try needIndexes(of: schema.storage(of: toMany.relationship))
      try linkWriter(for: toMany.relationship)?
        .order(ordered.map(\.primaryKey), of: change.objectID.primaryKey)
    }
  }
}

// MARK: - Who joins

/// An object that gets another owner, by its key, in whose order it is the last.
struct JoiningMember {
  let member: ManagedObjectID
  let owner: OrderingOwner
  let columns: ToOneColumns
}

/// An object that has its members in an order.
struct OrderingOwner {
  let id: ManagedObjectID
  let relationship: RelationshipDescription
}

extension SQLiteStore {
  /// Those that a save is about to give another owner. Whoever reports both sides of all links reports
  /// the order, too.
  func joiningMembers(_ changes: SaveRequest) throws -> [JoiningMember] {
    guard changes.linksMayBeOneSided, bulk == nil else { return [] }
    var joining = changes.inserted.flatMap(ownersByKey)
    for change in changes.updated {
      joining += try ownersByKey(of: change).filter {
        try ownerKey(of: $0) != $0.owner.id.primaryKey
      }
    }
    // Who was there without a place in the order is before them.
    try giveSortKeys(toMembersOf: joining.map(\.owner))
    return joining
  }

  private func ownersByKey(of change: SaveRequest.ObjectChange) -> [JoiningMember] {
    change.objectID.entity.relationships.compactMap { relationship in
      guard !relationship.isToMany, let owner = change.values[relationship.slot].objectID,
        let inverse = relationship.inverseRelationship, inverse.isToMany, inverse.isOrdered,
        case .toOne(let columns) = schema.storage(of: relationship)
      else { return nil }
      return JoiningMember(
        member: change.objectID, owner: OrderingOwner(id: owner, relationship: inverse),
        columns: columns)
    }
  }

  /// The key of the owner so far.
  private func ownerKey(of joining: JoiningMember) throws -> Int64? {
    try database.integer(
      "SELECT \(joining.columns.key) FROM \(schema.table(of: joining.member.entity)) WHERE Z_PK = ?",
      joining.member.primaryKey)
  }

  /// To be called when rows and links are written, and no order.
  func putLast(_ joining: [JoiningMember], _ changes: SaveRequest) throws {
    guard changes.linksMayBeOneSided, bulk == nil else { return }
    for joining in joining {
      guard let column = joining.columns.order else { continue }
      try database.run(
        "UPDATE \(schema.table(of: joining.member.entity)) SET \(column) = NULL WHERE Z_PK = ?",
        joining.member.primaryKey)
    }
    let owners = (changes.updated + changes.inserted).flatMap(ownersByLink)
    try giveSortKeys(toMembersOf: joining.map(\.owner) + owners)
  }

  /// The other sides of an object's new links between many and many.
  private func ownersByLink(of change: SaveRequest.ObjectChange) -> [OrderingOwner] {
    change.toMany.flatMap { toMany -> [OrderingOwner] in
      guard let inverse = toMany.relationship.inverseRelationship, inverse.isToMany,
        inverse.isOrdered
      else { return [] }
      return toMany.added.map { OrderingOwner(id: $0, relationship: inverse) }
    }
  }

  /// Gives members without a place in their owner's order the last ones.
  private func giveSortKeys(toMembersOf owners: [OrderingOwner]) throws {
    var done: [ObjectIdentifier: Set<ManagedObjectID>] = [:]
    for owner in owners {
      let key = ObjectIdentifier(owner.relationship)
      guard done[key, default: []].insert(owner.id).inserted else { continue }
      try giveSortKeys(toMembersOf: owner)
    }
  }

  /// Gives members without a place in an owner's order the last ones.
  func giveSortKeys(toMembersOf owner: OrderingOwner) throws {
    try linkWriter(for: owner.relationship)?.order([], of: owner.id.primaryKey)
  }
}

// MARK: - The statement of a fetch

extension SQLiteStore {
  /// The statement that finds the objects of an entity, and of those derived from it, which meet a
  /// predicate.
  ///
  /// Fetches use the condition of ``SQLLogic/nullSafe``.
  /// - Throws: ``UntranslatablePredicate`` when a fetch looks at the objects in memory instead.
  public func statement(
    fetching entity: EntityDescription, where predicate: Predicate, logic: SQLLogic = .nullSafe
  ) throws -> SQLFragment {
    // Queries don't say why they have no condition.
    _ = try SQLTranslator(schema: PredicateSchema(store: self), logic: logic)
      .translate(predicate, entity: entity)
    var query = StoreQuery(entity: entity)
    query.predicate = predicate
    query.logic = logic
    return try selection("*", for: query)
  }
}
