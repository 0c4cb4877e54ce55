import ArgumentParser

/// The stores that shipped versions left.
struct StoreOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: .taking(
      "path",
      "Stores of shipped versions: files, folders with them, or patterns such as 'Fixtures/*.sqlite'."
    ))
  var stores: [String] = []

  /// - Parameter advice: What else a path may be meant for at which there is none.
  /// - Throws: ``Diagnostics`` for a path at which there is none.
  func files(advice: String = "") throws -> [URL] {
    try stores.flatMap { path in
      let url = URL(fileURLWithPath: path)
      let found =
        url.isFolder ? try StoreModel.stores(in: url) : FolderSearch.files(matching: url.path)
      let stores = found == [url] ? found : found.filter(StoreModel.isStore)
      if stores.isEmpty {
        throw Diagnostics(file: path, "there is no store" + advice)
      }
      return stores
    }.uniqued()
  }

  func note(in files: inout CommandFiles) {
    // What isn't there is told when it is read.
    files.useStores("a store", ((try? self.files()) ?? []).map(\.path))
  }
}
