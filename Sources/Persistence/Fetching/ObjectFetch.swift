/// A fetch of objects: what the stores answer, joined with the unsaved changes of a context.
///
/// Unchanged objects are judged and sorted by what the store holds, changed and new ones by what
/// the context holds, as Core Data does it. So changes of other entities take nothing away from the
/// stores. Limit and offset choose among what is saved; the changes are joined with that, and the limit
/// counts once more.
/// Core Data: observed in public tests on a Mac.
struct ObjectFetch {
  let context: ManagedObjectContext
  var query: StoreQuery
  let stores: [PersistentStore]
  /// Whether unsaved changes count.
  let includesPending: Bool
  /// Whether unsaved changes are sorted in.
  private var sortsJoined = true

  init(
    context: ManagedObjectContext, query: StoreQuery, stores: [PersistentStore],
    includesPending: Bool
  ) {
    self.context = context
    self.query = query
    self.stores = stores
    self.includesPending = includesPending
  }

  /// The objects, in order. Rows become objects by `object`.
  func objects(_ object: (StoreRow) throws -> ManagedObject) throws -> [ManagedObject] {
    try context.newObjects.objects(of: self, object)
  }

  /// The same where all new objects are in memory.
  func joinedObjects(_ object: (StoreRow) throws -> ManagedObject) throws -> [ManagedObject] {
    let pending = try pendingMatches()
    noteOrder(of: pending)
    guard pending.isRelevant || stores.count > 1 else {
      return try storedOnly(object)
    }
    if isAnswered(by: pending) { return limited(pending.inserted) }
    return try merged(pending).map { entry in
      switch entry.content {
      case .row(let row): try object(row)
      case .object(let object): object
      }
    }
  }

  /// The identifiers of the objects, in order; values are read for sorting only.
  func identifiers() throws -> [ManagedObjectID] {
    try context.newObjects.identifiers(of: self)
  }

  func joinedIdentifiers() throws -> [ManagedObjectID] {
    let pending = try pendingMatches()
    noteOrder(of: pending)
    guard pending.isRelevant || stores.count > 1 else {
      var stored = self
      stored.query.includesValues = false
      return try stored.storedOnly(\.objectID)
    }
    var unsorted = self
    // Core Data: observed: what is joined isn't sorted among identifiers.
    if query.limit > 0 || query.offset > 0, stores.count < 2 { unsorted.sortsJoined = false }
    return try unsorted.merged(pending).map(\.objectID)
  }

  /// Notes that several new objects are given in an order of which nothing is known.
  private func noteOrder(of pending: PendingMatches) {
    if context.givesNewestFirst, query.sortDescriptors.isEmpty, pending.inserted.count > 1 {
      context.unorderedEntities.insert(query.entity.name)
    }
  }

  /// How many objects there are.
  func count() throws -> Int {
    try context.newObjects.count(of: self)
  }

  func joinedCount() throws -> Int {
    let pending = try pendingMatches()
    if pending.isRelevant, query.limit > 0 || query.offset > 0 {
      return try merged(pending).count
    }
    var all = query
    (all.limit, all.offset, all.sortDescriptors) = (0, 0, [])
    all.includesValues = false
    var count = pending.inserted.count + pending.updated.count
    for store in stores where store.mayHaveRows(of: query.entity) {
      count += try storedCount(all, in: store, pending)
    }
    return paged(count)
  }

  func paged(_ all: Int) -> Int {
    let count = max(0, all - query.offset)
    return query.limit > 0 ? min(count, query.limit) : count
  }

  private func storedCount(
    _ query: StoreQuery, in store: PersistentStore, _ pending: PendingMatches
  ) throws -> Int {
    let rows = StoredRows(query, in: store, context: context)
    if pending.displacedCount == 0 { return try rows.count() }
    var count = 0
    try rows.forEachRow { if !isDisplaced($0) { count += 1 } }
    return count
  }

  // MARK: Stored objects

  private func storedOnly<Found>(_ found: (StoreRow) throws -> Found) throws -> [Found] {
    var all: [Found] = []
    try enumerateStored {
      all.append(try found($0))
      return true
    }
    return all
  }

  /// Gives what the stores answer, as if nothing were unsaved.
  func enumerateStored(_ body: (StoreRow) throws -> Bool) throws {
    for store in stores where store.mayHaveRows(of: query.entity) {
      try StoredRows(query, in: store, context: context).enumerate(body)
    }
  }

  /// The rows of the one store, read on another thread; nil where that isn't possible or doesn't pay.
  func rowsAhead() throws -> RowPrefetcher? {
    stores.count == 1 ? try stores[0].rowsAhead(of: query) : nil
  }

  /// Whether a row doesn't count because the context has changed or deleted its object.
  private func isDisplaced(_ row: StoreRow) -> Bool {
    context.registeredObject(for: row.objectID)?.hasChanges ?? false
  }

  // MARK: Joining

  /// Whether no stored object is found, and new ones are in order as they are.
  private func isAnswered(by pending: PendingMatches) -> Bool {
    pending.updated.isEmpty && query.sortDescriptors.isEmpty
      && !stores.contains { $0.mayHaveRows(of: query.entity) }
  }

  /// Something found, with what decides its place.
  private struct Entry {
    enum Content {
      case row(StoreRow)
      case object(ManagedObject)
    }
    let content: Content
    let keys: [Value]
    /// By store and primary key; new objects behind, in the order of insertion.
    let place: (Int, Int64)

    var objectID: ManagedObjectID {
      switch content {
      case .row(let row): row.objectID
      case .object(let object): object.objectID
      }
    }
  }

  private func merged(_ pending: PendingMatches) throws -> [Entry] {
    let sorting = ObjectSorting(query.sortDescriptors)
    var entries = try storedEntries(sorting)
    for object in pending.updated { entries.append(try entry(object, sorting)) }
    for (index, object) in pending.inserted.enumerated() {
      entries.append(
        Entry(
          content: .object(object), keys: try sorting.keys(of: object),
          place: (stores.count, Int64(index))))
    }
    let isInOrder = pending.updated.isEmpty && sorting.isEmpty
    return limited(isInOrder || !sortsJoined ? entries : sorted(entries, by: sorting))
  }

  private func sorted(_ entries: [Entry], by sorting: ObjectSorting) -> [Entry] {
    entries.sorted { a, b in
      let order = sorting.compare(a.keys, b.keys)
      if order != .orderedSame { return order == .orderedAscending }
      if context.givesNewestFirst, min(a.place.0, b.place.0) == stores.count {
        context.unorderedEntities.insert(query.entity.name)
      }
      return a.place < b.place
    }
  }

  private func entry(_ object: ManagedObject, _ sorting: ObjectSorting) throws -> Entry {
    let store = stores.firstIndex { $0 === object.objectID.persistentStore } ?? 0
    return Entry(
      content: .object(object), keys: try sorting.keys(of: object),
      place: (store, object.objectID.primaryKey))
  }

  /// The rows in the page of what is saved that no change displaces.
  private func storedEntries(_ sorting: ObjectSorting) throws -> [Entry] {
    var entries: [Entry] = []
    for (index, store) in stores.enumerated() where store.mayHaveRows(of: query.entity) {
      entries += try storedEntries(in: store, index, sorting)
    }
    if stores.count > 1 { entries = page(sorted(entries, by: sorting)) }
    return entries.filter { entry in
      if case .row(let row) = entry.content { !isDisplaced(row) } else { true }
    }
  }

  private func storedEntries(
    in store: PersistentStore, _ index: Int, _ sorting: ObjectSorting
  ) throws -> [Entry] {
    var stored = query
    if stores.count > 1 {
      stored.offset = 0
      if query.limit > 0 { stored.limit = query.offset + query.limit }
    }
    if !sorting.isEmpty { stored.includesValues = true }
    var entries: [Entry] = []
    try StoredRows(stored, in: store, context: context).forEachRow { row in
      let keys = sorting.isEmpty ? [] : try sorting.keys(of: StoredObject(row, in: store))
      entries.append(
        Entry(content: .row(row), keys: keys, place: (index, row.objectID.primaryKey)))
    }
    return entries
  }

  /// The first of what is found, as many as wanted.
  func limited<Found>(_ entries: [Found]) -> [Found] {
    query.limit > 0 ? Array(entries.prefix(query.limit)) : entries
  }

  func page<Found>(_ entries: [Found]) -> [Found] {
    if query.offset == 0 && query.limit == 0 { return entries }
    let rest = entries.dropFirst(query.offset)
    return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
  }
}
