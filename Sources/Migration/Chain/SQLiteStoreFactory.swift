import Glibc

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
    let old = PersistentStoreFiles(destination)
    do {
      if old.exist {
        try replace(old, by: new)
      } else {
        try new.move(to: old)
      }
    } catch {
      try? new.remove()
      throw error
    }
    try synchronizeFolder()
    return try SQLiteStore.open(at: destination, model: store.model)
  }

  /// Exchanges the database in one step. Before it, the old store is whole in its one file, and
  /// the new one's large values, whose names are unique, lie beside those of the old one; whatever
  /// stops this leaves one of the two stores, complete.
  private func replace(_ old: PersistentStoreFiles, by new: PersistentStoreFiles) throws {
    // A write-ahead log beside a replaced database would be taken for the new one's. This also
    // refuses to replace a file that is no store.
    try StoreFile(updating: old.url).mergeJournal()
    let outdated = try fileNames(in: old.externalDataFolderURL)
    try moveLargeValues(from: new, to: old)
    guard rename(new.url.path, old.url.path) == 0 else {
      throw fileError("The new store can't be put into place")
    }
    for url in [old.walURL, old.shmURL] { try? FileManager.default.removeItem(at: url) }
    for name in outdated {
      try? FileManager.default.removeItem(
        at: old.externalDataFolderURL.appendingPathComponent(name))
    }
  }

  private func moveLargeValues(
    from new: PersistentStoreFiles, to old: PersistentStoreFiles
  ) throws {
    let names = try fileNames(in: new.externalDataFolderURL)
    if names.isEmpty { return }
    let manager = FileManager.default
    try manager.createDirectory(at: old.externalDataFolderURL, withIntermediateDirectories: true)
    for name in names {
      try manager.moveItem(
        at: new.externalDataFolderURL.appendingPathComponent(name),
        to: old.externalDataFolderURL.appendingPathComponent(name))
    }
    try manager.removeItem(at: new.supportFolderURL)
  }

  private func fileNames(in folder: URL) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
  }

  /// Makes the rename durable.
  private func synchronizeFolder() throws {
    let folder = open(destination.deletingLastPathComponent().path, O_RDONLY)
    guard folder >= 0 else { throw fileError("The store's folder can't be opened") }
    defer { _ = Glibc.close(folder) }
    guard fsync(folder) == 0 else { throw fileError("The store's folder can't be synchronized") }
  }

  private func fileError(_ reason: String) -> CoreDataError {
    CoreDataError(
      .migrationManagerDestinationStore, "\(reason): \(String(cString: strerror(errno)))"
    )
    .at(file: destination.path)
  }
}
