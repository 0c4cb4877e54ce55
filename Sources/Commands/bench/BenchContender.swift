/// One of the two that are measured by turns: this build with the scenarios at hand, or what it is compared with.
struct BenchContender {
  let tool: URL
  /// Whether that is this build, which knows all its options.
  let isOwnTool: Bool
  /// The scenario's address, as the measured process is told it.
  let file: String
  /// Where that process looks for it; nil for where this one does.
  var workingFolder: String?

  /// What is told where its process printed nothing.
  var silence: String {
    isOwnTool
      ? "its process printed nothing"
      : "\(tool.path) printed nothing: is it a build of heavyweight?"
  }

  /// The scenario's address for people.
  var shownFile: String { workingFolder.map { "\($0)/\(file)" } ?? file }
}

extension BenchContender {
  /// A scenario as it was: the same file in another checkout of the app.
  /// - Parameters:
  ///   - folder: The checkout's counterpart of the working folder.
  ///   - name: What it is called, as a commit.
  /// - Throws: ``BenchError`` when the file isn't there.
  static func asItWas(
    _ file: String, in folder: String, called name: String, tool: URL, isOwnTool: Bool
  ) throws -> BenchContender {
    let address = ScenarioAddress(file)
    let before = URL(fileURLWithPath: folder, isDirectory: true)
    guard case .folder = FileKind(of: before) else { throw BenchError.noFolder(folder) }
    guard !address.path.hasPrefix("/"), !address.path.split(separator: "/").contains("..") else {
      throw BenchError.notBelow(file, folder: name)
    }
    guard case .file = FileKind(of: before.appending(path: address.path)) else {
      throw BenchError.notThere(file, folder: name)
    }
    return BenchContender(
      tool: tool, isOwnTool: isOwnTool, file: file, workingFolder: before.absoluteURL.path)
  }
}
