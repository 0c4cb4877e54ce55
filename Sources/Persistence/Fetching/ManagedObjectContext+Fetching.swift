// Fetching under Apple's names: a request becomes a query, and what is found takes the form that
// the request wants.

extension ManagedObjectContext {
  /// What answers a request, unsaved changes included: objects, or what its result type says.
  ///
  /// - Throws: `CoreDataError` for an entity or a key the model doesn't have, for properties that
  ///   can't be fetched or grouped, and for a request for objects of a subclass where there are none:
  ///   a device raises then, and so these are noted as exceptions, too. What stores throw is only
  ///   thrown.
  public final func fetch<T>(_ request: FetchRequest<T>) throws -> [T] {
    let results = try reading { try fetchUnguarded(request) }
    noteFetch(of: results.count)
    keepInPool(results)
    return results
  }

  private func fetchUnguarded<T>(_ request: FetchRequest<T>) throws -> [T] {
    if request.resultType == .managedObjectResultType, T.self == ManagedObject.self {
      return unsafeBitCast(try objects(for: request), to: [T].self)
    }
    return try typed(results(for: request))
  }

  private func noteFetch(of count: Int) {
    work.fetches += 1
    work.fetched += count
  }

  /// How many results a request has, whatever their form: limit and offset count.
  public final func count(for request: UntypedFetchRequest) throws -> Int {
    work.fetches += 1
    return try reading {
      if request.resultType == .dictionaryResultType { return try dictionaries(for: request).count }
      return try objectFetch(request).count()
    }
  }

  /// Carries out any request.
  /// - Throws: What the request's kind throws; `.coreData` for a kind that isn't known.
  @discardableResult
  public final func execute(_ request: PersistentStoreRequest) throws -> PersistentStoreResult {
    if let request = request as? any ExecutableRequest {
      return try reading { try request.execute(in: self) }
    }
    throw CoreDataError.unsupported(request)
  }

  // MARK: Results

  func results(for request: UntypedFetchRequest) throws -> [Any] {
    switch request.resultType {
    case .dictionaryResultType: return try dictionaries(for: request)
    case .managedObjectIDResultType: return try identifiers(for: request)
    case .countResultType: return [NSNumber(value: try objectFetch(request).count())]
    default: return try objects(for: request)
    }
  }

  private func typed<T>(_ results: [Any]) throws -> [T] {
    try ExceptionTrap.noting {
      try results.map { result in
        if let result = result as? T { return result }
        throw CoreDataError.castFailure(of: result, to: T.self)
      }
    }
  }

  private func identifiers(for request: UntypedFetchRequest) throws -> [ManagedObjectID] {
    try objectFetch(request).identifiers()
  }

  private func objects(for request: UntypedFetchRequest) throws -> [ManagedObject] {
    if let found = try newObjects.objects(answering: request, in: self) { return found }
    let fetch = try objectFetch(request)
    let objects = try fetch.objects(reading(request))
    if request.fetchBatchSize > 0 { announce(objects, inBatchesOf: request.fetchBatchSize) }
    if let paths = request.relationshipKeyPathsForPrefetching, !paths.isEmpty {
      try RelationshipPrefetch(context: self).prefetch(paths, of: objects)
    }
    return objects
  }

  /// How a row becomes an object of the result.
  private func reading(_ request: UntypedFetchRequest) -> (StoreRow) throws -> ManagedObject {
    if !request.readsValues {
      return { self.object(with: $0.objectID) }
    }
    return { self.object(for: $0) }
  }

  // MARK: Queries

  final func objectFetch(_ request: UntypedFetchRequest) throws -> ObjectFetch {
    var query = try query(for: request)
    query.includesValues = request.readsValues
    propagateDeletions()
    if !request.includesPendingChanges { try keepNewObjects() }
    let stores = stores(for: request)
    try tellSQLDifferences(of: query, in: stores)
    return ObjectFetch(
      context: self, query: query, stores: stores,
      includesPending: request.includesPendingChanges)
  }

  private func tellSQLDifferences(of query: StoreQuery, in stores: [PersistentStore]) throws {
    guard let didFindSQLDifference, query.predicate != nil else { return }
    for store in stores { try store.sqlDifference(of: query).map(didFindSQLDifference) }
  }

  final func query(for request: UntypedFetchRequest) throws -> StoreQuery {
    try ExceptionTrap.noting { try checkedQuery(for: request) }
  }

  private func checkedQuery(for request: UntypedFetchRequest) throws -> StoreQuery {
    let entity = try requireEntity(named: request.entityName ?? "")
    request.lookUp(entity)
    var query = StoreQuery(entity: entity)
    query.includesSubentities = request.includesSubentities
    query.predicate = request.predicate
    query.affectedStores = request.affectedStores
    if didFindSQLDifference != nil { query.logic = .threeValued }
    query.sortDescriptors = request.sortDescriptors ?? []
    query.limit = max(request.fetchLimit, 0)
    query.offset = max(request.fetchOffset, 0)
    try request.checkResult(of: entity)
    try checkSupport(of: query)
    return query
  }

  /// The stores that a request is about.
  final func stores(for request: PersistentStoreRequest) -> [PersistentStore] {
    if let parentRows { return [parentRows] }
    let all = persistentStoreCoordinator?.persistentStores ?? []
    return request.affectedStores == nil ? all : all.filter(request.concerns)
  }
}

extension UntypedFetchRequest {
  /// Whether objects come with their values.
  fileprivate var readsValues: Bool { includesPropertyValues && fetchBatchSize == 0 }
}

extension UntypedFetchRequest {
  /// Only dictionaries are grouped, and whatever a request doesn't use must be in the model, too.
  fileprivate func checkResult(of entity: EntityDescription) throws {
    if resultType == .dictionaryResultType { return }
    if propertiesToGroupBy?.isEmpty == false { throw CoreDataError.groupsNeedDictionaries }
    if havingPredicate != nil { throw CoreDataError.havingWithoutGroups(entity) }
    for property in propertiesToFetch ?? [] {
      let keyPath = property as? String ?? (property as? PropertyDescription)?.name
      if let keyPath, !(property is ExpressionDescription) {
        try KeyPathCheck(entity: entity).check(keyPath.components(separatedBy: "."))
      }
    }
  }
}

// MARK: - Requests that contexts execute

/// A request that a context can carry out.
protocol ExecutableRequest: PersistentStoreRequest {
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult
}

extension FetchRequest: ExecutableRequest {
  /// The objects that answer the request, in the context whose `perform` or `performAndWait` is
  /// running. Outside of one it raises, as on a device.
  public final func execute() throws -> [Result] {
    guard let context = ManagedObjectContext.current else {
      ExceptionTrap.raise(CoreDataError.noCurrentContext)
      return []
    }
    return try context.fetch(self)
  }

  /// As Core Data, a fetch that is executed gives an asynchronous fetch's result.
  func execute(in context: ManagedObjectContext) throws -> PersistentStoreResult {
    try AsynchronousFetchRequest(fetchRequest: self).execute(in: context)
  }
}

// MARK: - FETCH in expressions

extension ManagedObjectContext: FetchTarget {
  public func fetchValue(request: Value, countOnly: Bool) throws -> Value {
    guard case .object(let object) = request, let request = object as? UntypedFetchRequest else {
      throw CoreDataError.fetchWithoutRequest
    }
    if countOnly { return .integer(Int64(try count(for: request))) }
    let results = try results(for: request)
    noteFetch(of: results.count)
    return .collection(ValueCollection(.array, results.map { Value(evaluating: $0) }))
  }
}
