/// GitHub's workflow commands, by which it shows something beside a line of a file.
struct GitHubCommands {
  /// The folder that GitHub knows files by.
  let workspace: URL

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let folder = environment["GITHUB_WORKSPACE"] ?? FileManager.default.currentDirectoryPath
    workspace = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
  }

  /// A command, without the end of its line.
  /// - Parameter kind: `error`, `warning` or `notice`.
  func command(_ kind: String, at place: FilePlace, title: String, message: String) -> String {
    let properties = [
      ("file", relative(place.file)), ("line", place.line.map { "\($0)" }),
      ("col", place.column.map { "\($0)" }), ("title", title),
    ].compactMap { name, value in value.map { "\(name)=\(Self.property($0))" } }
    return "::\(kind) \(properties.joined(separator: ","))::\(Self.data(message))"
  }

  /// A path as GitHub knows it; one outside of the workspace stays as it is.
  func relative(_ path: String) -> String {
    let file = URL(fileURLWithPath: path).standardizedFileURL.path
    let folder = workspace.path.hasSuffix("/") ? workspace.path : workspace.path + "/"
    return file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : path
  }

  /// Escaped as GitHub's own toolkit does it; a carriage return has become a picture by then.
  private static func data(_ text: String) -> String {
    text.withoutControls.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
