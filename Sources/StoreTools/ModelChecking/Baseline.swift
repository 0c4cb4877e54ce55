/// What somebody accepts: findings written into the silence file, with the reason and the day.
///
/// The file is the one that `check` and `lock --check` read. It is added to, never rewritten: what people
/// wrote there, and why, stays.
struct Baseline {
  let reason: String
  var date = Date()
  /// Given by a person; nil for the usual place.
  let file: String?

  /// - Returns: A line that says what was written.
  /// - Throws: ``Diagnostics`` for a file that is wrong, or can't be added to.
  func accept(_ findings: [BaselineEntry], forModelAt model: URL) throws -> String {
    let place = SilenceFile.place(given: file, forModelAt: model)
    let entries = findings.uniqued()
    if entries.isEmpty { return "nothing to accept" }
    let shown = file ?? Self.pathFromHere(to: place)
    let old = try SilenceFile.load(given: file, forModelAt: model, mayBeAbsent: true)
    let text = try Self.text(of: place, shown)
    let indent = old.first.map { max(0, $0.place.column - 3) } ?? 2
    let added = entries.map { $0.yaml(reason: reason, day: day, indent: indent) }.joined()
    let whole = Self.opened(text, hasEntries: !old.isEmpty) + added
    // A list between brackets, say, can't go on below it.
    guard let count = try? SilenceFile.load(SourceFile(path: shown, text: whole)).count,
      count == old.count + entries.count
    else {
      throw Diagnostics([
        Diagnostic(
          file: shown,
          "can't add to this list; write it with one entry below the other, each beginning with '- '"
        )
      ])
    }
    do {
      try Data(whole.utf8).write(to: place, options: .atomic)
    } catch {
      throw Diagnostics([Diagnostic(file: shown, "can't write: \(error.plainText)")])
    }
    return "\(entries.count.counted("finding")) accepted in \(shown)"
  }

  private var day: String { String(date.ISO8601Format().prefix(10)) }

  private static func pathFromHere(to place: URL) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return place.path.hasPrefix(here) ? String(place.path.dropFirst(here.count)) : place.path
  }

  private static func text(of place: URL, _ shown: String) throws -> String {
    guard FileManager.default.fileExists(atPath: place.path) else { return "" }
    return try SourceFile(contentsOf: place, shownAs: shown).text
  }

  /// The file as far as the next entry's place.
  private static func opened(_ text: String, hasEntries: Bool) -> String {
    let ended = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    if hasEntries { return ended }
    let key = "silence:"
    guard ended.contains(key) else { return ended + key + "\n" }
    return ended.replacing(#/silence:[ ]*(\[[ ]*\])?[ ]*\n/#, with: key + "\n")
  }
}

/// An entry of the silence file to be.
struct BaselineEntry: Hashable {
  let rule: String
  var hop: String?
  var version: String?
  var entity: String?
  var property: String?
  var file: String?

  init(_ finding: CheckFinding) {
    let subject = finding.subject
    rule = finding.rule.rawValue
    hop = subject.hop?.description
    version = subject.version
    entity = subject.entity
    property = subject.property
    file = subject.file
  }

  /// What `check` finds too is accepted for both: of a step that leads nowhere `lock` knows one reason, and
  /// `check` all of them.
  init(_ finding: LockFinding) {
    rule = (finding.kind.checkRule?.rawValue ?? finding.kind.rawValue)
    if finding.kind == .noPath { hop = finding.version } else { version = finding.version }
    // Nothing that one version is about: `check` names the versions otherwise.
    if finding.kind == .orderUnknown { version = nil }
    guard finding.kind.checkRule == nil else { return }
    entity = finding.entity
    property = finding.property
  }

  func yaml(reason: String, day: String, indent: Int) -> String {
    let fields = [
      ("rule", rule), ("hop", hop), ("version", version), ("entity", entity),
      ("property", property), ("file", file), ("reason", reason), ("date", day),
    ]
    let lines = fields.compactMap { key, value in
      value.map { "\(key): \(Notation.text($0).yaml(inFlow: false))" }
    }
    let margin = String(repeating: " ", count: indent)
    return lines.enumerated().map { index, line in
      margin + (index == 0 ? "- " : "  ") + line + "\n"
    }.joined()
  }
}
