/// Finds scenario files.
package enum ScenarioFinder {
  /// How scenario files are named; the second is the other usual ending of YAML files.
  package static let suffixes = [".scenario.yaml", ".scenario.yml"]

  /// Where scenarios are if nobody says where.
  package static let usualFolder = "Scenarios"

  /// Whether a file has the name of something that isn't YAML; JSON is.
  private static func isOfSomethingElse(_ path: String) -> Bool {
    !["", "yaml", "yml", "json"].contains((path as NSString).pathExtension.lowercased())
  }

  /// The scenario files at the given paths: a file is taken whatever its name, unless that is one of something
  /// else; a folder is searched with everything in it. The file that the scenarios of a folder share is none itself.
  /// Paths may have numbers of scenarios: `Songs.scenario.yaml#2`. An address without one means all scenarios of its
  /// file.
  ///
  /// - Returns: Paths as a person would write them, sorted within each folder, each once.
  /// - Throws: ``Diagnostics`` for paths that don't exist and folders that can't be read.
  package static func addresses(at paths: [String]) throws -> [ScenarioAddress] {
    try search(paths).found
  }

  /// The same, and the folders that have none.
  package static func search(
    _ paths: [String]
  ) throws -> (found: [ScenarioAddress], emptyFolders: [String]) {
    var emptyFolders: [String] = []
    var found: [ScenarioAddress] = []
    var problems: [Diagnostic] = []
    for path in paths {
      let address = ScenarioAddress(path)
      switch FileKind(of: URL(fileURLWithPath: address.path)) {
      case .missing:
        let advice = path == usualFolder ? "; name the files or folders of your scenarios" : ""
        problems.append(Diagnostic(file: path, "no such file or folder\(advice)"))
      case .folder where address.number != nil:
        problems.append(Diagnostic(file: path, "a folder has no numbers; name one of its files"))
      case .folder:
        let own = scenarios(in: address.path, &problems)
        if own.isEmpty { emptyFolders.append(path) }
        found += own.map { ScenarioAddress(path: $0, number: nil) }
      case .file where isOfSomethingElse(address.path):
        problems.append(
          Diagnostic(
            file: path, "this isn't a scenario file: their names end with \(suffixes[0])"))
      case .file, .other: found.append(address)
      }
    }
    if !problems.isEmpty { throw Diagnostics(problems) }
    let whole = Set(found.filter { $0.number == nil }.map { standardized($0.path) })
    var seen = Set<ScenarioAddress>()
    let once = found.filter { address in
      let path = standardized(address.path)
      if address.number != nil, whole.contains(path) { return false }
      return seen.insert(ScenarioAddress(path: path, number: address.number)).inserted
    }
    return (once, emptyFolders)
  }

  private static func standardized(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  private static func scenarios(in folder: String, _ problems: inout [Diagnostic]) -> [String] {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    let root = URL(fileURLWithPath: folder).finalPath
    var searched: Set<String> = []
    return files(in: prefix, within: [root], &searched, &problems).sorted().filter { path in
      suffixes.contains { path.hasSuffix($0) } && !path.hasSuffix("/" + Includes.folderFile)
    }
  }

  /// The files below a folder. Links are followed to folders elsewhere, for others may lead in circles, and to each
  /// once. A folder that can't be read is a problem, for it could hide scenarios, and so is a scenario's link to
  /// nothing.
  /// - Parameters:
  ///   - roots: The folders around it, and those around the links to it, with everything in them.
  ///   - searched: All folders that were searched, where they really are.
  private static func files(
    in prefix: String, within roots: [String], _ searched: inout Set<String>,
    _ problems: inout [Diagnostic]
  ) -> [String] {
    guard searched.insert(URL(fileURLWithPath: prefix).finalPath).inserted else { return [] }
    let names: [String]
    do {
      // So that a folder that several links lead to has the same name every time.
      names = try FileManager.default.contentsOfDirectory(atPath: prefix).sorted()
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
      case .missing where suffixes.contains(where: name.hasSuffix):
        problems.append(Diagnostic(file: prefix + name, "the link leads to no file"))
      case .missing: continue
      case .folder where url.isSymbolicLink:
        let target = url.finalPath + "/"
        if roots.contains(where: { target.hasPrefix("\($0)/") || "\($0)/".hasPrefix(target) }) {
          continue
        }
        found += files(
          in: "\(prefix)\(name)/", within: roots + [url.finalPath], &searched, &problems)
      case .folder: found += files(in: "\(prefix)\(name)/", within: roots, &searched, &problems)
      }
    }
    return found
  }
}
