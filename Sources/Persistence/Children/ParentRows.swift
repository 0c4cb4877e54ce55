/// A parent context's objects, unsaved changes included, as rows for its children.
///
/// Every question is asked on the parent's queue.
final class ParentRows: PersistentStore {
  let parent: ManagedObjectContext

  init(_ parent: ManagedObjectContext) {
    self.parent = parent
    let model = parent.persistentStoreCoordinator?.managedObjectModel ?? Self.emptyModel
    super.init(configuration: StoreConfiguration(model: model), identifier: "", url: nil)
  }

  private static let emptyModel: ManagedObjectModel = {
    if let model = try? ManagedObjectModel(entities: []) { return model }
    preconditionFailure("a model without entities has nothing that could contradict itself")
  }()

  override var type: String { "Parent" }

  override func row(for id: ManagedObjectID) throws -> StoreRow? {
    try parent.performAndWait { try parent.rowForChild(id) }
  }

  override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    parent.performAndWait {
      parent.propagateDeletions()
      return parent.object(with: id).destinationIDs(of: relationship)
    }
  }

  /// The parent's fetch answers everything.
  override func capability(for query: StoreQuery) -> QueryCapability { .all }

  override func checkSupport(for query: StoreQuery) throws {
    try parent.performAndWait { try parent.checkSupport(of: query) }
  }

  override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws {
    let rows = try parent.performAndWait {
      try parent.fetch(Self.request(query)).compactMap { try parent.rowForChild($0.objectID) }
    }
    for row in rows where try !body(row) { return }
  }

  override func count(of query: StoreQuery) throws -> Int {
    try parent.performAndWait { try parent.count(for: Self.request(query)) }
  }

  private static func request(_ query: StoreQuery) -> FetchRequest<ManagedObject> {
    let request = FetchRequest<ManagedObject>(entityName: query.entity.name)
    request.includesSubentities = query.includesSubentities
    request.predicate = query.predicate
    request.sortDescriptors = query.sortDescriptors
    request.fetchLimit = query.limit
    request.fetchOffset = query.offset
    request.affectedStores = query.affectedStores
    return request
  }
}

extension ManagedObjectContext {
  /// An object as a child reads it; nil when it is deleted here or its row is gone.
  fileprivate func rowForChild(_ id: ManagedObjectID) throws -> StoreRow? {
    propagateDeletions()
    let known = registeredObject(for: id)
    if let known, !known.awaitsRow {
      if known.isMarkedDeleted { return nil }
      return StoreRow(objectID: known.objectID, version: known.version, values: known.values)
    }
    return try cachedRow(for: id.current)
  }
}
