/// Steps as SQLite files beside the place of the result.
///
/// Each is a hidden neighbour `.<name>.migrationdestination_<number>.sqlite` until the last one is
/// renamed into place.
public struct SQLiteStoreFactory: StoreFactory {
  /// Where the result goes. A store that is there is replaced.
  public let destination: URL

  public init(destination: URL) { self.destination = destination }

  public func makeStore(
    model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) throws -> PersistentStore {
    let store = try SQLiteStore.create(
      at: temporaryURL(), model: model, identifier: identifier, metadata: metadata)
    do { try store.beginBulk() } catch {
      try? store.discard()
      throw error
    }
    return store
  }

  private func temporaryURL() -> URL {
    let name = destination.deletingPathExtension().lastPathComponent
    let unique = UUID().uuidString.prefix(8)
    let suffix = destination.pathExtension.isEmpty ? "sqlite" : destination.pathExtension
    return destination.deletingLastPathComponent()
      .appendingPathComponent(".\(name).migrationdestination_\(unique).\(suffix)")
  }

  public func seal(_ store: PersistentStore) throws -> PersistentStore {
    guard let store = store as? SQLiteStore, let url = store.url else { return store }
    try store.endBulk()
    try store.checkpointAndClose()
    return try SQLiteStore.openReadOnly(at: url, model: store.model)
  }

  public func discard(_ store: PersistentStore) {
    try? store.close()
    // Only what this factory made: never the source.
    guard let url = store.url, url.lastPathComponent.contains(".migrationdestination_") else {
      return
    }
    try? PersistentStoreFiles(url).remove()
  }

  // MARK: Into place

  public func publish(_ store: PersistentStore) throws -> PersistentStore {
    guard let url = store.url else { return store }
    try store.close()
    let new = PersistentStoreFiles(url)
    let place = PersistentStoreFiles(destination)
    do {
      // Refuses to replace a file that is no store.
      if place.exist { _ = try StoreFile(readingFrom: destination) }
      try place.replace(by: new)
    } catch {
      try? new.remove()
      throw error
    }
    return try SQLiteStore.open(at: destination, model: store.model)
  }
}
