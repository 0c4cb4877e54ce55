/// Stores in memory.
package final class MemoryStores: ScenarioStores {
  private var source: PersistentStore?
  private var result: PersistentStore?
  private let hasDestination: Bool
  private var isBackAtSource = false
  private var sealed: ContentSnapshot?

  /// - Parameter destination: The name of a store of its own for the result.
  package init(destination: String?) { hasDestination = destination != nil }

  package func createSource(model: ManagedObjectModel) -> PersistentStore {
    let store = InMemoryStore(model: model)
    source = store
    return store
  }

  package func copySource(from url: URL, model: ManagedObjectModel) throws {
    let file = try SQLiteStore.openReadOnly(at: url, model: model)
    source = try InMemoryStore.copying(file, model: model)
    try file.close()
  }

  package func sealSource(_ store: PersistentStore?) throws {
    guard let source else { return }
    sealed = try ContentSnapshot(of: source, provenance: Provenance())
  }

  private func current() throws -> PersistentStore {
    guard let store = isBackAtSource ? source : result ?? source else {
      throw CoreDataError(.persistentStoreOpen, "There is no store to open.")
    }
    return store
  }

  package func metadataOfCurrent() throws -> [String: Any] { try current().metadata }

  package func openCurrent(model: ManagedObjectModel) throws -> PersistentStore {
    let store = try current()
    return store.model === model ? store : try InMemoryStore.copying(store, model: model)
  }

  package func stopReading() {}

  package func openForChanges(model: ManagedObjectModel) throws -> PersistentStore {
    let store = try openCurrent(model: model)
    put(store)
    return store
  }

  package var factory: any StoreFactory { InMemoryStoreFactory() }

  package func didPublish(_ store: PersistentStore) {
    if isBackAtSource { source = store } else { result = store }
  }

  /// Keeps a store that was opened for changes in the place of the current one.
  private func put(_ store: PersistentStore) {
    if isBackAtSource || result == nil && !hasDestination { source = store } else { result = store }
  }

  package func returnToSource() {
    isBackAtSource = true
  }

  package func isSourceUntouched() throws -> Bool {
    // Without a destination of its own, the result takes the source's place.
    guard hasDestination || result == nil, let source, let sealed else { return false }
    return try sealed.isEqual(to: ContentSnapshot(of: source, provenance: Provenance()))
  }

  package var isDestinationAbsent: Bool { result == nil }

  package var currentFile: URL? { nil }
}
