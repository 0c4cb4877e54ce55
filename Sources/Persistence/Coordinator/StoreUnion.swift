/// Several stores read as one: each object from the store that has it, fetches from all stores that
/// may answer.
///
/// Saving isn't its affair; a save is split by store before.
final class StoreUnion: PersistentStore {
  private let stores: [PersistentStore]

  init(_ stores: [PersistentStore], _ model: ManagedObjectModel) {
    self.stores = stores
    super.init(configuration: StoreConfiguration(model: model), identifier: "", url: nil)
  }

  override var type: String { "Union" }

  private func store(of id: ManagedObjectID) -> PersistentStore? {
    stores.first { $0.number == id.storeNumber }
  }

  private func stores(for query: StoreQuery) -> [PersistentStore] {
    stores.filter { $0.configuration.mayAnswer(query) }
  }

  override func mayHaveRows(of entity: EntityDescription) -> Bool {
    stores(for: StoreQuery(entity: entity)).contains { $0.mayHaveRows(of: entity) }
  }

  override func row(for id: ManagedObjectID) throws -> StoreRow? {
    guard let store = store(of: id), store.configuration.contains(id.entity) else { return nil }
    return try store.row(for: id)
  }

  override func destinations(
    of relationship: RelationshipDescription, from id: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    try store(of: id)?.destinations(of: relationship, from: id) ?? []
  }

  /// The rows of several stores come one store after the other, so that order, limit and offset are
  /// left to the caller.
  override func capability(for query: StoreQuery) -> QueryCapability {
    let stores = stores(for: query)
    let shared = stores.reduce(QueryCapability.all) { $0.intersection($1.capability(for: query)) }
    return stores.count <= 1 ? shared : shared.intersection(.predicate)
  }

  override func checkSupport(for query: StoreQuery) throws {
    for store in stores(for: query) { try store.checkSupport(for: query) }
  }

  override func enumerateRows(
    matching query: StoreQuery, _ body: (StoreRow) throws -> Bool
  ) throws {
    let stores = stores(for: query)
    var storeQuery = query
    if stores.count > 1 {
      storeQuery.sortDescriptors = []
      storeQuery.limit = 0
      storeQuery.offset = 0
    }
    var wantsMore = true
    for store in stores where wantsMore {
      try store.enumerateRows(matching: storeQuery) { row in
        wantsMore = try body(row)
        return wantsMore
      }
    }
  }

  override func count(of query: StoreQuery) throws -> Int {
    try stores(for: query).reduce(0) { try $0 + $1.count(of: query) }
  }
}
