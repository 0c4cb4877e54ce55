/// Finds scenario files.
public enum ScenarioFinder {
  public static let suffix = ".scenario.yaml"

  /// The scenario files at the given paths: a file is taken whatever its name, a folder is searched
  /// with everything in it.
  ///
  /// - Returns: Paths as a person would write them, sorted within each folder, each once.
  /// - Throws: ``Diagnostics`` for paths that don't exist.
  public static func files(at paths: [String]) throws -> [String] {
    var found: [String] = []
    var missing: [Diagnostic] = []
    for path in paths {
      var isFolder: ObjCBool = false
      if !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
        missing.append(Diagnostic(file: path, "no such file or folder"))
      } else if isFolder.boolValue {
        found += scenarios(in: path)
      } else {
        found.append(path)
      }
    }
    if !missing.isEmpty { throw Diagnostics(missing) }
    var seen = Set<String>()
    return found.filter { seen.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
  }

  private static func scenarios(in folder: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return names.filter { $0.hasSuffix(suffix) }.sorted().map { prefix + $0 }.filter {
      ![.folder, .missing].contains(FileKind(of: URL(fileURLWithPath: $0)))
    }
  }
}
