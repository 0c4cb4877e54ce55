/// Finds scenario files.
package enum ScenarioFinder {
  /// How scenario files are named; the second is the other usual ending of YAML files.
  package static let suffixes = [".scenario.yaml", ".scenario.yml"]

  /// The scenario files at the given paths: a file is taken whatever its name, a folder is searched
  /// with everything in it. The file that the scenarios of a folder share is none itself.
  ///
  /// - Returns: Paths as a person would write them, sorted within each folder, each once.
  /// - Throws: ``Diagnostics`` for paths that don't exist and folders that can't be read.
  package static func files(at paths: [String]) throws -> [String] {
    var found: [String] = []
    var problems: [Diagnostic] = []
    for path in paths {
      switch FileKind(of: URL(fileURLWithPath: path)) {
      case .missing: problems.append(Diagnostic(file: path, "no such file or folder"))
      case .folder: found += scenarios(in: path, &problems)
      case .file, .other: found.append(path)
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
    var seen = Set<String>()
    return found.filter { seen.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted }
  }

  private static func scenarios(in folder: String, _ problems: inout [Diagnostic]) -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return files(in: prefix, &problems).sorted().filter { path in
      suffixes.contains { path.hasSuffix($0) } && !path.hasSuffix("/" + Includes.folderFile)
    }
  }

  /// The files below a folder, those in linked folders left out: links may lead in circles. A
  /// folder that can't be read is a problem, for it could hide scenarios.
  private static func files(in prefix: String, _ problems: inout [Diagnostic]) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: prefix)
    } catch {
      problems.append(
        Diagnostic(file: prefix, "can't read the folder: \(error.plainText)"))
      return []
    }
    var found: [String] = []
    for name in names {
      let url = URL(fileURLWithPath: prefix + name)
      switch FileKind(of: url) {
      case .file, .other: found.append(prefix + name)
      case .missing: continue
      case .folder:
        if !isLink(url) { found += files(in: prefix + name + "/", &problems) }
      }
    }
    return found
  }

  private static func isLink(_ url: URL) -> Bool {
    // What can't be read as a link is none.
    (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
  }
}
