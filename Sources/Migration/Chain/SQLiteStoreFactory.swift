/// Steps as SQLite files beside the place of the result.
///
/// Each is a hidden neighbour `.<name>.migrationdestination_<number>` until the last one is
/// renamed into place. Those of a process that was killed are removed by the next one.
public struct SQLiteStoreFactory: StoreFactory {
  /// Where the result goes. A store that is there is replaced.
  public let destination: URL
  /// Whether the store that is replaced is kept beside the new one, as `data~.sqlite`. An older one of
  /// that name is replaced.
  public var keepsBackup = false
  /// Whether nothing may be in the place, and what somebody else puts there meanwhile stays.
  package var requiresFreePlace = false
  /// Whether who runs the chain made what is at the destination, knows it to be a store, and only reads the
  /// result: then neither is opened once more for nothing.
  package var isForReading = false

  public init(destination: URL) { self.destination = destination }

  public func makeStore(
    model: ManagedObjectModel, identifier: String, metadata: [String: Any]
  ) throws -> PersistentStore {
    let place = try PersistentStoreFiles(destination).makeTemporaryNeighbour()
    do {
      return try SQLiteStore.createForBulk(
        at: place.url, model: model, identifier: identifier, metadata: metadata)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? place.remove()
      throw error
    }
  }

  public func makeCopy(of store: PersistentStore) throws -> PersistentStore {
    guard let url = store.url, store is SQLiteStore else {
      throw CoreDataError.notInFile
    }
    let copy = try PersistentStoreFiles(destination).makeTemporaryNeighbour()
    do {
      try PersistentStoreFiles(url).copy(to: copy)
      return try SQLiteStore.open(at: copy.url, model: store.model)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? copy.remove()
      throw error
    }
  }

  public func seal(_ store: PersistentStore, isLast: Bool) throws -> PersistentStore {
    guard let store = store as? SQLiteStore, let url = store.url else { return store }
    try store.endBulk(durably: isLast)
    try store.checkpointAndClose()
    let sealed = try SQLiteStore.openReadOnly(at: url, model: store.model)
    sealed.takeCounts(of: store)
    return sealed
  }

  public func discard(_ store: PersistentStore) {
    // An error ended the migration before, and is the one to tell; the next call removes what stays.
    try? store.close()
    // Only what this factory made: never the source.
    guard let files = store.url.map(PersistentStoreFiles.init), files.areTemporary else { return }
    try? files.remove()
  }

  // MARK: Into place

  public func publish(_ store: PersistentStore) throws -> PersistentStore {
    guard let url = store.url else { return store }
    try store.close()
    let new = PersistentStoreFiles(url)
    let place = PersistentStoreFiles(destination)
    let isReplacing = place.exist && !place.areEmptyDatabase
    do {
      // Refuses to replace a file that is no store.
      if isReplacing, !isForReading, !requiresFreePlace {
        _ = try StoreFile(readingFrom: destination)
      }
      let backup = keepsBackup && isReplacing ? try makeBackup(of: place) : nil
      do { try place.replace(by: new, onlyIfFree: requiresFreePlace) } catch {
        // Only while the old store is where it was: else the backup is the last of it.
        if new.exist { try? backup?.remove() }
        throw error
      }
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? new.remove()
      throw error
    }
    func open() throws -> PersistentStore {
      isForReading
        ? try SQLiteStore.openReadOnly(at: destination, model: store.model)
        : try SQLiteStore.open(at: destination, model: store.model)
    }
    if isReplacing { return try place.whenInPlace(open) }
    do { return try open() } catch {
      // A failure leaves nothing where nothing was, so that the next try finds the place free.
      do { try place.remove() } catch _ { return try place.whenInPlace { throw error } }
      throw error
    }
  }

  private func makeBackup(of place: PersistentStoreFiles) throws -> PersistentStoreFiles {
    try place.backup.remove()
    try place.copy(to: place.backup)
    return place.backup
  }
}
