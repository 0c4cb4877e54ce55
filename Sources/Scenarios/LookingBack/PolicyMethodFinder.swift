/// Finds methods of migration policies in their source.
struct PolicyMethodFinder {
  let scenario: CheckedScenario

  /// - Parameter name: The class as mappings name it, with its module.
  /// - Returns: Nil when the class doesn't have the method itself.
  func place(of method: String, inClassNamed name: String) -> Failure.CodePlace? {
    let className = name.split(separator: ".").last.map(String.init) ?? name
    for module in scenario.scenario.policies {
      for file in module.sources.flatMap(files) {
        // Without the file the report doesn't say the line.
        guard let data = try? Data(contentsOf: file.url) else { continue }
        let code = SwiftOutline(bytes: Array(data))
        if let line = code.line(ofMethod: method, inClass: className) {
          return Failure.CodePlace(file: file.path, line: line, method: "\(method) of \(name)")
        }
      }
    }
    return nil
  }

  /// The files a path or glob stands for, and how reports call them.
  private func files(_ path: Located<String>) -> [(url: URL, path: String)] {
    // Without the files the report doesn't say the line.
    let urls = (try? PolicyFiles.matching(path, in: scenario.scenario.folder)) ?? []
    return urls.map { url in (url, shown(url)) }
  }

  /// Beside the scenario, as that is called; else the whole path.
  func shown(_ url: URL) -> String {
    let folder = scenario.scenario.folder.standardizedFileURL.path
    let path = url.standardizedFileURL.path
    guard path.hasPrefix(folder + "/") else { return path }
    let shownFolder = RelativePath.folder(of: scenario.scenario.file.path)
    return (shownFolder as NSString).appendingPathComponent(
      String(path.dropFirst(folder.count + 1)))
  }
}

/// The classes of a Swift source and where their methods begin.
struct SwiftOutline: TokenizedSource {
  let bytes: [UInt8]
  let tokens: [SwiftLexer.Token]
  let lineStarts: [Int]

  init(bytes: [UInt8]) {
    self.bytes = bytes
    tokens = SwiftLexer.tokens(of: bytes)
    lineStarts = Self.lineStarts(of: bytes)
  }

  /// The line of `func NAME` in the braces of `class NAME` or of an extension of it.
  func line(ofMethod method: String, inClass name: String) -> Int? {
    for index in tokens.indices.dropLast()
    where ["class", "extension"].contains(text(index)) && text(index + 1) == name {
      if let line = line(ofMethod: method, after: index + 2) { return line }
    }
    return nil
  }

  private func line(ofMethod method: String, after start: Int) -> Int? {
    var depth = 0
    for index in start..<max(start, tokens.count - 1) {
      switch text(index) {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth == 0 { return nil }
      case "func" where depth == 1 && text(index + 1) == method:
        return position(ofToken: index).line + 1
      default: break
      }
    }
    return nil
  }
}
