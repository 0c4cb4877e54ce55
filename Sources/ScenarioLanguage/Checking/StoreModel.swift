/// The model that a store keeps of itself, taken as a model with one version.
///
/// The version has the store's name without suffix.
package enum StoreModel {
  private static let pathExtensions: Set = ["sqlite", "sqlite3", "store", "db"]
  /// What every SQLite file begins with.
  private static let header = Data("SQLite format 3\0".utf8)

  /// Loads a model file as `VersionedModel.load(contentsOf:reading:)` does, or the model in a store, which stays as it
  /// is.
  /// - Throws: `ModelFileError`; ``Diagnostics`` for a store that can't be read or has no model.
  package static func loadModel(
    orStoreAt url: URL, reading reader: VersionReader = VersionReader()
  ) throws -> VersionedModel {
    try isStore(url) ? load(url) : VersionedModel.load(contentsOf: url, reading: reader)
  }

  /// Loads what `VersionedModel.loadCandidates(contentsOf:)` does, or the model in a store.
  /// - Throws: As ``loadModel(orStoreAt:reading:)``.
  package static func loadCandidates(orStoreAt url: URL) throws -> [VersionedModel] {
    try isStore(url) ? [load(url)] : VersionedModel.loadCandidates(contentsOf: url)
  }

  /// Whether it is a file that says so by its suffix or its first bytes.
  package static func isStore(_ url: URL) -> Bool {
    guard !url.isFolder, FileManager.default.fileExists(atPath: url.path),
      !VersionedModel.pathExtensions.contains(url.pathExtension)
    else { return false }
    if pathExtensions.contains(url.pathExtension.lowercased()) { return true }
    // A file that can't be opened is for those who read models to complain about.
    guard let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: header.count)) == header
  }

  private static func load(_ url: URL) throws -> VersionedModel {
    let place = url.relativePath
    let name = url.baseName
    do {
      guard let cached = try StoreFile(readingFrom: url).cachedModel() else {
        throw Diagnostics([
          Diagnostic(
            file: place,
            "the store has no model of its own (Z_MODELCACHE); give the model that it was made with"
          )
        ])
      }
      // Others have the same model under other names.
      let model = try ManagedObjectModel(byMerging: [cached], name: name)
      return VersionedModel(name: name, url: url, versions: [model], currentVersionName: name)
    } catch let error as CoreDataError {
      throw Diagnostics([
        Diagnostic(file: place, "no model can be read from this store: \(error.plainText)")
      ])
    }
  }
}
