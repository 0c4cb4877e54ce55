/// Stores as SQLite files in a folder of the run's own.
package final class SQLiteStores: ScenarioStores {
  private let folder: URL
  private let sourceURL: URL
  /// Equal to `sourceURL` where the store is replaced.
  private let destinationURL: URL
  private var isBackAtSource = false
  /// What is open for reading: to open a store takes longer than to read a small one.
  private var reading: PersistentStore?
  private var fingerprint: [String: String] = [:]

  /// - Parameter destination: The file name of a store of its own for the result.
  package init(folder: URL, destination: String?) throws {
    self.folder = folder
    sourceURL = folder.appending(path: StartStore.fileName, directoryHint: .notDirectory)
    destinationURL =
      destination.map {
        folder.appending(path: $0, directoryHint: .notDirectory)
      } ?? sourceURL
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  package func createSource(model: ManagedObjectModel) throws -> PersistentStore {
    try SQLiteStore.create(at: sourceURL, model: model)
  }

  package func copySource(from url: URL, model: ManagedObjectModel) throws {
    let copy = PersistentStoreFiles(sourceURL)
    try PersistentStoreFiles(url).copy(to: copy)
    // Whoever opens it next would do so, and the store's bytes would be other ones.
    try copy.mergeJournals()
  }

  package func sealSource(_ store: PersistentStore?) throws {
    try store?.close()
    fingerprint = try contents()
  }

  /// The hash of each file of the source that holds data.
  private func contents() throws -> [String: String] {
    try StoreDigest.files(of: PersistentStoreFiles(sourceURL))
  }

  /// Where a chain writes.
  private var goal: URL { isBackAtSource ? sourceURL : destinationURL }

  private var currentURL: URL {
    PersistentStoreFiles(goal).exist ? goal : sourceURL
  }

  package var currentFile: URL? { currentURL }

  package func metadataOfCurrent() throws -> [String: Any] {
    let url = currentURL
    if let reading, reading.url == url { return reading.metadata }
    return try SQLiteStore.metadata(at: url)
  }

  package func openCurrent(model: ManagedObjectModel) throws -> PersistentStore {
    let url = currentURL
    if let reading, reading.url == url, reading.model === model { return reading }
    stopReading()
    let store = try SQLiteStore.openReadOnly(at: url, model: model)
    reading = store
    return store
  }

  package func stopReading() {
    // It was only read.
    try? reading?.close()
    reading = nil
  }

  package func openForChanges(model: ManagedObjectModel) throws -> PersistentStore {
    stopReading()
    return try SQLiteStore.open(at: currentURL, model: model)
  }

  package var factory: any StoreFactory {
    var factory = SQLiteStoreFactory(destination: goal)
    factory.isForReading = true
    return factory
  }

  package func didPublish(_ store: PersistentStore) { reading = store }

  package func returnToSource() { isBackAtSource = true }

  package func isSourceUntouched() throws -> Bool { try contents() == fingerprint }

  package var isDestinationAbsent: Bool {
    // What can't be looked at isn't absent.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return false
    }
    if names.contains(where: { $0.contains(".migrationdestination_") }) { return false }
    return destinationURL == sourceURL || !PersistentStoreFiles(destinationURL).exist
  }
}
