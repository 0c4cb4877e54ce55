/// One scenario of a file with several as the text of a file of its own: with what the documents of the file share, and with
/// a row's cells for placeholders.
struct StandaloneScenario {
  private let scenario: Scenario

  init(_ scenario: Scenario) { self.scenario = scenario }

  /// Its own lines, with their comments, where nothing was put in for a placeholder.
  /// - Throws: ``Diagnostics`` for a file that isn't YAML.
  func text() throws -> String {
    let own = scenario.root.map ?? []
    let shared = try sharedEntries().filter { entry in
      !own.contains { $0.key.value == entry.key.value }
    }
    let parts = (own.map { ($0, scenario.row != nil) } + shared.map { ($0, false) })
      .filter { $0.0.key.value != "for_each" }
      .sorted { $0.0.key.place.line < $1.0.key.place.line }
    let lines = parts.flatMap { entry, isFilled in
      isFilled ? Self.lines(entry, indent: "") : verbatim(entry)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// What the scenarios of the file share: its first document, where that has no title.
  private func sharedEntries() throws -> [SourceNode.Entry] {
    let documents = try SourceNode.yamlDocuments(scenario.file)
    let first = documents[0].map ?? []
    let isShared = documents.count > 1 && !first.contains { $0.key.value == "scenario" }
    return isShared ? first : []
  }

  /// The lines of a key up to the next one, or to the document's end, and the comments above it.
  private func verbatim(_ entry: SourceNode.Entry) -> [String] {
    let first = entry.key.place.line
    var begin = first
    while let line = scenario.file.line(begin - 1), line.hasPrefix("#") { begin -= 1 }
    var end = first + 1
    while let line = scenario.file.line(end), line.first.map({ " -#".contains($0) }) ?? true,
      !line.hasPrefix("---")
    {
      end += 1
    }
    // Comments and empty lines before the next key are that one's.
    while end > first + 1, let line = scenario.file.line(end - 1),
      line.isEmpty || line.hasPrefix("#")
    {
      end -= 1
    }
    return (begin..<end).compactMap { scenario.file.line($0).map(String.init) }
  }

  /// A key with a line for each item, so that these can be left out one by one.
  private static func lines(_ entry: SourceNode.Entry, indent: String) -> [String] {
    let key = Notation.text(entry.key.value).yaml(inFlow: false)
    if let entries = entry.value.map, !entries.isEmpty, indent.count < 4 {
      return ["\(indent)\(key):"] + entries.flatMap { lines($0, indent: indent + "  ") }
    }
    if let items = entry.value.list, !items.isEmpty, indent.count < 4 {
      return ["\(indent)\(key):"]
        + items.map { "\(indent)  - \(Notation($0).yaml(inFlow: false))" }
    }
    return ["\(indent)\(key): \(Notation(entry.value).yaml(inFlow: false))"]
  }
}
