/// The schema by which editors know what may stand in a scenario: one file for a whole repository.
struct ScenarioSchema {
  private let folder: URL
  /// The nearest one that is there, up to the repository; else where it is to be.
  let file: URL
  /// The repository, or the project, that has none yet.
  private let root: URL?

  /// - Parameter folder: That of the scenarios, which need not be there yet.
  init(for folder: URL) {
    self.folder = folder
    func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
    let above = sequence(first: folder.standardizedFileURL) {
      $0.path == "/" ? nil : $0.deletingLastPathComponent()
    }.map(\.self)
    let end = [".git", ProjectFile.name].lazy.compactMap { mark in
      above.firstIndex { isThere($0.appending(path: mark)) }
    }.first
    let schema = JSONSchema.scenario.fileName
    let places =
      above[...(end ?? 0)].map { $0.appending(path: schema) }
      + (end.map { [above[$0].appending(path: ".heavyweight/\(schema)")] } ?? [])
    let existing = places.first(where: isThere)
    file = existing ?? places[end == nil ? 0 : places.count - 1]
    root = existing == nil ? end.map { above[$0] } : nil
  }

  /// A file's first line, which names it.
  var line: String {
    "# yaml-language-server: $schema=" + RelativePath.text(from: folder, to: file)
  }

  /// The same for the project file, whose schema is beside; none where it isn't there.
  var projectLines: [String] {
    let schema = file.deletingLastPathComponent().appending(path: JSONSchema.project.fileName)
    guard FileManager.default.fileExists(atPath: schema.path) else { return [] }
    return ["# yaml-language-server: $schema=" + RelativePath.text(from: folder, to: schema)]
  }

  /// The line, where the file is there.
  var lines: [String] { FileManager.default.fileExists(atPath: file.path) ? [line] : [] }

  /// Writes the file where there is none; in a repository that of `heavyweight.yaml` beside it, and settings by which
  /// Visual Studio Code knows both without such a line.
  /// - Returns: The new files.
  func write() throws -> [URL] {
    var files = [(file, JSONSchema.scenario.data)]
    if let root {
      let project = file.deletingLastPathComponent().appending(path: JSONSchema.project.fileName)
      files += [
        (project, JSONSchema.project.data),
        (root.appending(path: ".vscode/settings.json"), Data(Self.settings.utf8)),
      ]
    }
    return try files.filter { file, data in
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      do { try WholeFile.write(data, to: file, if: .new) } catch POSIXError.EEXIST { return false }
      return true
    }.map(\.0)
  }

  private static let settings = """
    {
      "yaml.schemas": {
        "./.heavyweight/\(JSONSchema.scenario.fileName)": ["*.scenario.yaml", "*.scenario.yml"],
        "./.heavyweight/\(JSONSchema.project.fileName)": ["\(ProjectFile.name)"]
      }
    }

    """
}
