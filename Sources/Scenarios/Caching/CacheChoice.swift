/// Where a call keeps what it makes, for later ones.
package struct CacheChoice: Sendable {
  /// The folder of compiled policies and of stores.
  package let folder: URL
  /// Most bytes of all kept stores together; nil to keep none, and use none.
  private(set) var mostBytes: Int64?
  private let isTemporary: Bool

  package static let defaultBytes = 512 << 20

  /// - Parameters:
  ///   - folder: Made when it isn't there; by default `$XDG_CACHE_HOME/heavyweight`, else
  ///     `~/.cache/heavyweight`.
  ///   - bytes: Most bytes of all kept stores together.
  /// - Throws: ``PolicyCompilationError`` when nothing can be written there.
  package init(folder: String?, bytes: Int) throws {
    let chosen = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
    do {
      self.folder = try PolicyCache(directory: chosen).directory
    } catch let error as CocoaError {
      throw Diagnostics(file: folder ?? "the cache", "can't keep anything here: \(error.plainText)")
    }
    mostBytes = Int64(bytes)
    isTemporary = false
  }

  private init(temporary folder: URL) {
    self.folder = folder
    mostBytes = nil
    isTemporary = true
  }

  /// Nothing is taken from earlier calls or left for later ones.
  /// - Throws: When no folder for this call's policies can be made.
  package static func none() throws -> CacheChoice {
    let folder = try TemporaryFiles.makeFolder()
    // The compiler keeps modules of C libraries, by default in the user's own cache.
    setenv("CLANG_MODULE_CACHE_PATH", folder.appending(path: "modules").path, 1)
    return CacheChoice(temporary: folder)
  }

  /// Policies go to a folder of somebody who removes it; no stores are taken or kept.
  package init(policiesIn folder: URL) {
    self.folder = folder
    mostBytes = nil
    isTemporary = false
  }

  var stores: StoreCache? { mostBytes.map { StoreCache(in: folder, mostBytes: $0) } }

  /// Where what failed in the last calls is kept; nil where nothing is left for later ones.
  package var lastFailed: URL? { isTemporary ? nil : EarlierRuns.file(in: folder) }

  /// The same, but no stores are taken or kept.
  package var withoutStores: CacheChoice {
    var choice = self
    choice.mostBytes = nil
    return choice
  }

  /// To be called when everything has run.
  package func tidy() {
    if isTemporary { return TemporaryFiles.removeFolder(folder) }
    stores?.trim()
    // What isn't removed now is removed by the next call.
    try? PolicyCache(directory: folder).removeUnused()
  }
}
