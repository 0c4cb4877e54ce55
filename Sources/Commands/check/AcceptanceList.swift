/// A file with a list of what somebody accepts, each entry with its reason: it is added to, never rewritten, so that
/// what people wrote there, and why, stays.
package struct AcceptanceList {
  /// An entry, as keys with their values in the order in which they are written; those without value are left out.
  package typealias Entry = KeyValuePairs<String, String?>

  /// What the list stands behind, as `accepted`.
  private let key: String
  private let place: URL
  /// The file as it was given, or as seen from here.
  package let shown: String

  /// - Parameter shown: The path as a person gave it; nil for the place as seen from the working folder.
  package init(_ key: String, at place: URL, shownAs shown: String?) {
    self.key = key
    self.place = place
    self.shown = shown ?? ShownPath.of(place.path)
  }

  /// Adds entries with a reason and today's date.
  /// - Parameters:
  ///   - old: Where the entries that are there begin.
  ///   - count: Says how many entries a file has; it throws for one that it can't read.
  /// - Throws: ``Diagnostics`` for a list that can't be added to, and a file that can't be written.
  package func add(
    _ entries: [Entry], because reason: String, on date: Date, below old: [SourcePlace],
    count: (SourceFile) throws -> Int
  ) throws {
    let file = try file()
    let indent = old.first.map { max(0, $0.column - 3) } ?? 2
    let day = String(date.ISO8601Format().prefix(10))
    let added = entries.map {
      Self.yaml(Array($0) + [("reason", reason), ("date", day)], indent: indent)
    }.joined()
    var whole = opened(file.text.replacing("\r\n", with: "\n"), hasEntries: !old.isEmpty) + added
    if file.text.contains("\r\n") { whole = whole.replacing("\n", with: "\r\n") }
    // A list between brackets, say, can't go on below it.
    guard let found = try? count(SourceFile(path: shown, text: whole)),
      found == old.count + entries.count
    else {
      throw problem(
        "can't add to this list; write it with one entry below the other, each beginning with '- '"
      )
    }
    do {
      try file.replace(by: whole, at: place)
    } catch {
      throw problem("can't write: \(error.plainText)")
    }
  }

  private func problem(_ text: String) -> Diagnostics { Diagnostics(file: shown, text) }

  private func file() throws -> SourceFile {
    FileManager.default.fileExists(atPath: place.path)
      ? try SourceFile(contentsOf: place, shownAs: shown) : SourceFile(path: shown, text: "")
  }

  /// The file as far as the next entry's place.
  private func opened(_ text: String, hasEntries: Bool) -> String {
    let ended = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    if hasEntries { return ended }
    let lines = ended.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.wholeMatch(of: /(\w+):[ ]*(\[[ ]*\])?[ ]*/)?.1 == key[...] ? "\(key):" : String(line)
    }
    return lines.contains("\(key):") ? lines.joined(separator: "\n") : ended + "\(key):\n"
  }

  private static func yaml(_ fields: [(key: String, value: String?)], indent: Int) -> String {
    let lines = fields.compactMap { key, value in
      value.map { "\(key): \(Notation.text($0).yaml(inFlow: false))" }
    }
    let margin = String(repeating: " ", count: indent)
    return lines.enumerated().map { index, line in
      margin + (index == 0 ? "- " : "  ") + line + "\n"
    }.joined()
  }
}

extension AcceptanceList {
  /// Reads the entries of such a file, each with its reason.
  /// - Parameters:
  ///   - what: What an entry accepts, as `finding`.
  ///   - keys: What an entry may have beside `reason` and `date`.
  ///   - needed: A key that an entry must have, too.
  ///   - former: What the list was called before.
  /// - Throws: ``Diagnostics`` with all that is wrong in the file.
  static func entries<Accepted>(
    of what: String, in file: SourceFile, with keys: [String], needing needed: String? = nil,
    formerly former: String? = nil, _ entry: (Fields, SourcePlace, DiagnosticCollector) -> Accepted?
  ) throws -> [Accepted] {
    let collector = DiagnosticCollector()
    let root = try SourceNode.yaml(file)
    let names = ["accepted"] + [former].compactMap(\.self)
    let lists = Fields(
      collector.map(root, of: "the file") ?? [], of: "a file of accepted \(what)s", known: names,
      at: root.place, to: collector)
    if let former = former.flatMap({ lists.entry($0) }) {
      Console.complain(
        "\(former.key.place): warning: '\(former.key.value)' is 'accepted' now, and alone in 0.5")
    }
    let nodes = names.flatMap { name in
      lists.node(name).flatMap { collector.list($0, of: name) } ?? []
    }
    let entries = nodes.compactMap { node -> Accepted? in
      guard let map = collector.map(node, of: "accepted") else { return nil }
      let fields = Fields(
        map, of: "an accepted \(what)", known: keys + ["reason", "date"], at: node.place,
        to: collector)
      _ = fields.text("date")
      for key in [needed, "reason"].compactMap(\.self) where fields.entry(key) == nil {
        collector.report("an accepted \(what) needs a '\(key)'", at: node.place)
      }
      return entry(fields, node.place, collector)
    }
    try collector.throwIfAny()
    return entries
  }
}

extension DiagnosticCollector {
  /// Reports a name that isn't among those that are known.
  /// - Returns: Nil, in place of what the name would stand for.
  func unknown<Value>(
    _ name: Located<String>, among known: some Collection<String>, called what: String
  ) -> Value? {
    report("there is no \(what)", unknown: name, among: known, called: what + "s")
    return nil
  }
}
