/// Explanations as they are printed.
enum ExplanationText {
  /// All there is to say about one thing.
  static func page(_ explained: Explained, _ style: TextStyle) -> String {
    let topic = explained.topic
    var lines = explained.place.map { [style.faint($0)] } ?? []
    lines += ["\(style.strong(topic.identifier))  \(style.faint(topic.name))", topic.meaning]
    lines += section("usual causes", of: topic.causes, in: style)
    lines += section("what to do", of: topic.remedies, in: style)
    if !explained.here.isEmpty {
      lines += ["", style.faint("here")] + explained.here.map { "  " + $0 }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func section(_ title: String, of items: [String], in style: TextStyle) -> [String]
  {
    items.isEmpty ? [] : ["", style.faint(title)] + items.map { "  - \($0)" }
  }

  /// One line for each thing that can be looked up.
  static func list(
    _ groups: [(title: String, topics: [Explanation])], _ style: TextStyle
  ) -> String {
    groups.map { title, topics in
      let width = topics.map(\.identifier.count).max() ?? 0
      let lines = topics.map { topic in
        let gap = String(repeating: " ", count: width - topic.identifier.count + 2)
        return "  \(topic.identifier)\(gap)\(topic.meaning)\n"
      }
      return style.strong(title) + "\n" + lines.joined()
    }.joined(separator: "\n")
  }
}

/// Something that is explained, with what is known of the case at hand.
struct Explained {
  let topic: Explanation
  /// The message in a log that it is about, and where that is.
  var message: ConsoleLog.Message?
  var source: String?
  /// What it means for the model at hand, in lines.
  var here: [String] = []
  /// The versions of a dump's hashes.
  var versions: [String]?

  init(_ topic: Explanation) { self.topic = topic }

  /// Everything in a log that is explained, in its order; then its version hashes, and the elements that it names.
  /// - Parameters:
  ///   - source: The file; empty for standard input, nil for what was typed, whose messages needn't be repeated.
  ///   - reports: What `check` finds in the models at hand; asked for where it can help.
  static func all(
    in log: ConsoleLog, from source: String?, reports: () throws -> [ModelCheckReport]
  ) throws -> [Explained] {
    var all = log.messages.flatMap { message in
      ExplanationIndex.with(identifier: message.identifier).prefix(1).map { topic in
        var explained = Explained(topic)
        (explained.message, explained.source) = (message, source)
        return explained
      }
    }
    let reports = log.dumps.isEmpty && log.elements.isEmpty ? [] : try reports()
    func append(_ identifier: String, _ here: [String], versions: [String]? = nil) {
      all += ExplanationIndex.with(identifier: identifier).map { topic in
        var explained = Explained(topic)
        (explained.here, explained.versions) = (here, versions)
        return explained
      }
    }
    if !log.dumps.isEmpty {
      let found = log.dumps.map { dump in
        reports.map { DumpedVersion(dump: dump, report: $0) }.nearest
      }
      let differences =
        log.dumps.count == 2 ? log.dumps[0].differences(from: log.dumps[1]).prefix(20) : []
      append(
        "version-hashes",
        zip(log.dumps, found).flatMap {
          $1?.lines ?? ["version hashes of \($0.hashes.count) entities; no model is at hand"]
        }
          + differences, versions: found.flatMap { $0?.matches ?? [] })
    }
    let about = reports.flatMap { report in log.elements.flatMap(report.lines(about:)) }.uniqued()
    if !about.isEmpty { append("named-elements", about) }
    return all
  }

  /// Where the message is, and what it says.
  var place: String? {
    guard let message, let source else { return nil }
    let count = message.count > 1 ? " (\(message.count) times)" : ""
    return "\(source.isEmpty ? "line " : "\(source):")\(message.line)\(count): \(message.text)"
  }

  var json: JSONObject {
    [
      "identifier": topic.identifier, "name": topic.name, "meaning": topic.meaning,
      "causes": topic.causes, "remedies": topic.remedies,
      "found": message.map { ["line": $0.line, "count": $0.count, "text": $0.text] as JSONObject },
      "here": here.isEmpty ? nil : here, "versions": versions,
    ]
  }
}
