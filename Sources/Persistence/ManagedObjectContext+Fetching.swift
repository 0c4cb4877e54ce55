// Fetching: what the store answers, joined with the unsaved changes of the context.

extension ManagedObjectContext {
  /// The objects that answer a request, unsaved changes included.
  ///
  /// - Throws: `CoreDataError` for an entity or a key the model doesn't have, and for a request
  ///   for objects of a subclass: there are none.
  public final func fetch<T>(_ request: FetchRequest<T>) throws -> [T] {
    let query = try query(for: request)
    let objects = try objects(matching: query, pending: request.includesPendingChanges)
    if T.self == ManagedObjectID.self { return objects.compactMap { $0.objectID as? T } }
    return try objects.map { object in
      if let result = object as? T { return result }
      throw CoreDataError.castFailure(of: object, to: T.self)
    }
  }

  /// How many objects answer a request.
  public final func count<T>(for request: FetchRequest<T>) throws -> Int {
    let query = try query(for: request)
    if !hasPendingChanges, let store,
      store.capability(for: query) == .all
    {
      return try store.count(of: query)
    }
    return try objects(matching: query, pending: request.includesPendingChanges).count
  }

  /// Gives the objects that answer a request one by one, and lets go of each that nobody keeps.
  /// Without sort descriptors in order of their keys, so of their insertion.
  public final func enumerate(
    _ request: FetchRequest<ManagedObject>, _ body: (ManagedObject) throws -> Void
  ) throws {
    let query = try query(for: request)
    let pending = request.includesPendingChanges && hasPendingChanges
    guard let store, !pending, canStream(query, from: store) else {
      return try objects(matching: query, pending: request.includesPendingChanges).forEach(body)
    }
    try stream(query, from: store, body)
  }

  /// Whether nothing is left to do in memory but to judge each object by itself.
  private func canStream(_ query: StoreQuery, from store: PersistentStore) -> Bool {
    store.capability(for: query) == .all
      || (query.sortDescriptors.isEmpty && query.limit == 0 && query.offset == 0)
  }

  private func stream(
    _ query: StoreQuery, from store: PersistentStore, _ body: (ManagedObject) throws -> Void
  ) throws {
    let isJudgedByStore = store.capability(for: query).contains(.predicate)
    var storeQuery = query
    if !isJudgedByStore { storeQuery.predicate = nil }
    try store.enumerateRows(matching: storeQuery) { row in
      let object = object(for: row)
      if try isJudgedByStore || matches(object, query) { try body(object) }
      return true
    }
  }

  // MARK: Steps

  private var store: PersistentStore? { persistentStoreCoordinator.store }

  private func query<T>(for request: FetchRequest<T>) throws -> StoreQuery {
    let model = persistentStoreCoordinator.managedObjectModel
    guard let entity = request.entityName.flatMap({ model.entity(named: $0) }) else {
      throw CoreDataError.unknownEntity(request.entityName ?? "", in: model)
    }
    var query = StoreQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.predicate = request.predicate
    query.sortDescriptors = request.sortDescriptors ?? []
    query.limit = request.fetchLimit
    query.offset = request.fetchOffset
    try checkSupport(of: query)
    return query
  }

  private func objects(matching query: StoreQuery, pending: Bool) throws -> [ManagedObject] {
    processPendingChanges()
    let isPending = pending && hasPendingChanges
    if !isPending, let store, store.capability(for: query) == .all {
      return try stored(query, in: store)
    }
    var unlimited = query
    unlimited.limit = 0
    unlimited.offset = 0
    var found: [ManagedObject] = []
    if let store, store.mayHaveRows(of: query.entity) {
      found = try candidates(unlimited, in: store, pending: isPending)
    }
    if isPending { found += try newObjects(matching: query) }
    return try ObjectSorting(query.sortDescriptors).sorted(found).page(query.offset, query.limit)
  }

  /// The answer of a store that can do everything.
  private func stored(_ query: StoreQuery, in store: PersistentStore) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    try store.enumerateRows(matching: query) { row in
      found.append(object(for: row))
      return true
    }
    return found
  }

  /// The stored objects that match, unsorted, with changed ones judged by their changed values.
  private func candidates(
    _ query: StoreQuery, in store: PersistentStore, pending: Bool
  ) throws -> [ManagedObject] {
    let isJudgedByStore = store.capability(for: query).contains(.predicate)
    var storeQuery = query
    storeQuery.sortDescriptors = []
    if !isJudgedByStore { storeQuery.predicate = nil }
    var found: [ManagedObject] = []
    try store.enumerateRows(matching: storeQuery) { row in
      let object = object(for: row)
      if pending && object.hasChanges { return true }
      if try isJudgedByStore || matches(object, query) { found.append(object) }
      return true
    }
    guard pending else { return found }
    let changed = try updated.filter {
      try $0.isUpdated && isWanted($0, by: query) && matches($0, query)
    }
    if changed.isEmpty { return found }
    return (found + changed).sorted { $0.objectID.primaryKey < $1.objectID.primaryKey }
  }

  /// The unsaved new objects that match, in order of insertion.
  private func newObjects(matching query: StoreQuery) throws -> [ManagedObject] {
    try probe(query).filter {
      try $0.isInserted && isWanted($0, by: query) && matches($0, query)
    }
  }

  /// The new objects worth looking at: those an index names, or all. Transformable values are
  /// compared as objects, which an index over their bytes can't do.
  private func probe(_ query: StoreQuery) -> [ManagedObject] {
    guard inserted.count >= PendingIndexes.smallestUsefulCount,
      let probe = query.predicate?.equalityProbe(),
      let attribute = query.entity.attribute(named: probe.key),
      attribute.attributeType != .transformable,
      let value = probe.value.coerced(to: attribute.attributeType)
    else { return inserted }
    hasPendingIndexes = true
    return pendingIndexes.objects(
      among: inserted, of: query.entity, slot: attribute.slot, equalTo: value)
  }

  private func matches(_ object: ManagedObject, _ query: StoreQuery) throws -> Bool {
    guard let predicate = query.predicate else { return true }
    return try predicate.evaluate(keyed: object)
  }

  private func isWanted(_ object: ManagedObject, by query: StoreQuery) -> Bool {
    object.entity === query.entity
      || (query.includesSubentities && object.entity.isKindOf(entity: query.entity))
  }

  /// Whether anything is unsaved, of whatever entity: a predicate may look through relationships.
  private var hasPendingChanges: Bool {
    !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty
  }
}

extension Array {
  /// The part of a result that an offset and a limit leave; a limit of 0 is none.
  fileprivate func page(_ offset: Int, _ limit: Int) -> [Element] {
    if offset == 0 && limit == 0 { return self }
    let rest = dropFirst(offset)
    return Array(limit > 0 ? rest.prefix(limit) : rest)
  }
}

// MARK: - FETCH in expressions

extension ManagedObjectContext: FetchTarget {
  public func fetchValue(request: Value, countOnly: Bool) throws -> Value {
    guard case .object(let object) = request, let request = object as? FetchRequest<ManagedObject>
    else {
      throw CoreDataError(.coreData, "FETCH needs a fetch request as its first argument.")
    }
    if countOnly { return .integer(Int64(try count(for: request))) }
    return .collection(ValueCollection(.array, try fetch(request).map { .object($0) }))
  }
}
