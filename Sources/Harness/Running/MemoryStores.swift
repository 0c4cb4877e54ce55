/// Stores in memory.
final class MemoryStores: ScenarioStores {
  private var source: PersistentStore?
  private var result: PersistentStore?
  private let hasDestination: Bool
  private var isBackAtSource = false
  private var sealed: ContentSnapshot?

  /// - Parameter destination: The name of a store of its own for the result.
  init(destination: String?) { hasDestination = destination != nil }

  func createSource(model: ManagedObjectModel) -> PersistentStore {
    let store = InMemoryStore(model: model)
    source = store
    return store
  }

  func copySource(from url: URL, model: ManagedObjectModel) throws {
    let file = try SQLiteStore.openReadOnly(at: url, model: model)
    source = try InMemoryStore.copying(file, model: model)
    try file.close()
  }

  func sealSource(_ store: PersistentStore?) throws {
    guard let source else { return }
    sealed = try ContentSnapshot(of: source, provenance: Provenance())
  }

  private func current() throws -> PersistentStore {
    guard let store = isBackAtSource ? source : result ?? source else {
      throw CoreDataError(.persistentStoreOpen, "There is no store to open.")
    }
    return store
  }

  func metadataOfCurrent() throws -> [String: Any] { try current().metadata }

  func openCurrent(model: ManagedObjectModel) throws -> PersistentStore {
    let store = try current()
    return store.model === model ? store : try InMemoryStore.copying(store, model: model)
  }

  func openForChanges(model: ManagedObjectModel) throws -> PersistentStore {
    let store = try openCurrent(model: model)
    put(store)
    return store
  }

  var factory: any StoreFactory { InMemoryStoreFactory() }

  func didPublish(_ store: PersistentStore) {
    if isBackAtSource { source = store } else { result = store }
  }

  /// Keeps a store that was opened for changes in the place of the current one.
  private func put(_ store: PersistentStore) {
    if isBackAtSource || result == nil && !hasDestination { source = store } else { result = store }
  }

  func returnToSource() {
    isBackAtSource = true
  }

  func isSourceUntouched() throws -> Bool {
    // Without a destination of its own, the result takes the source's place.
    guard hasDestination || result == nil, let source, let sealed else { return false }
    return try sealed.isEqual(to: ContentSnapshot(of: source, provenance: Provenance()))
  }

  var isDestinationAbsent: Bool { result == nil }

  var currentFile: URL? { nil }
}
