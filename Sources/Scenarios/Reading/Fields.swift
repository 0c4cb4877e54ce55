/// The entries of a map whose keys are fixed; unknown keys are reported at once.
package struct Fields {
  let place: SourcePlace
  private var entries: [String: SourceNode.Entry] = [:]
  /// Whether the map has keys that mean nothing here.
  private(set) var hasUnknownKeys = false
  /// The keys that unknown ones are likely misspellings of.
  private(set) var misspelt: Set<String> = []
  let collector: DiagnosticCollector

  /// - Parameters:
  ///   - owner: What the map describes, with its article, for messages: "an entity mapping".
  package init(
    _ list: [SourceNode.Entry], of owner: String, known: [String], at place: SourcePlace,
    to collector: DiagnosticCollector
  ) {
    self.place = place
    self.collector = collector
    for entry in list {
      if known.contains(entry.key.value) {
        entries[entry.key.value] = entry
      } else {
        hasUnknownKeys = true
        if let meant = Spelling.closest(to: entry.key.value, among: known) {
          misspelt.insert(meant)
        }
        let hint = Spelling.hint(for: entry.key.value, among: known, called: "known keys")
        collector.report("unknown key '\(entry.key.value)' in \(owner)\(hint)", at: entry.key.place)
      }
    }
  }

  /// The entry of a key that is there, with or without a value.
  package func entry(_ key: String) -> SourceNode.Entry? { entries[key] }

  package func node(_ key: String) -> SourceNode? { entries[key]?.value }

  package func text(_ key: String) -> Located<String>? {
    node(key).flatMap { collector.text($0, of: key) }
  }

  package func texts(_ key: String) -> [Located<String>] {
    node(key).map { collector.texts($0, of: key) } ?? []
  }

  package func flag(_ key: String) -> Bool? { node(key).flatMap { collector.flag($0, of: key) } }

  package func integer(_ key: String) -> Located<Int>? {
    node(key).flatMap { collector.integer($0, of: key) }
  }
}

/// A keyword with its value, and with the options or modifiers beside it.
struct WrittenKeyword {
  let key: Located<String>
  let node: SourceNode
  /// The whole map that it stands in.
  let fields: Fields

  var text: Located<String>? { fields.collector.text(node, of: key.value) }
  var texts: [Located<String>] { fields.collector.texts(node, of: key.value) }
  var list: [SourceNode]? { fields.collector.list(node, of: key.value) }
  var map: [SourceNode.Entry]? { fields.collector.map(node, of: key.value) }
}

// MARK: - Single values

extension DiagnosticCollector {
  package func report(_ node: SourceNode, of key: String, mustBe wanted: String) {
    report("'\(key)' must be \(wanted), not \(node.kind)", at: node.place)
  }

  /// Reports a list with nothing in it, where something is needed.
  /// - Parameter consequence: What follows from it, as in ", so it can't fail".
  package func refuseEmptyList(_ node: SourceNode?, of key: String, _ consequence: String = "") {
    guard let node, node.list?.isEmpty == true else { return }
    report("'\(key)' lists nothing\(consequence)", at: node.place)
  }

  package func text(_ node: SourceNode, of key: String) -> Located<String>? {
    if let text = node.text { return Located(text, at: node.place) }
    report(node, of: key, mustBe: "text")
    return nil
  }

  /// One text, or a list of texts.
  package func texts(_ node: SourceNode, of key: String) -> [Located<String>] {
    if let items = node.list { return items.compactMap { text($0, of: key) } }
    if let text = node.text { return [Located(text, at: node.place)] }
    report(node, of: key, mustBe: "text or a list of texts")
    return []
  }

  package func flag(_ node: SourceNode, of key: String) -> Bool? {
    switch node.text {
    case "true": return true
    case "false": return false
    default:
      report(node, of: key, mustBe: "true or false")
      return nil
    }
  }

  package func integer(_ node: SourceNode, of key: String) -> Located<Int>? {
    if let number = node.text.flatMap({ Int($0) }) { return Located(number, at: node.place) }
    report(node, of: key, mustBe: "a whole number")
    return nil
  }

  /// The most that `count(_:of:)` takes: as many keys as a store's table has.
  package static var mostCounted: Int { 4_294_967_295 }

  /// A number of objects or calls, not negative, and so small that no sum of them overflows.
  package func count(_ node: SourceNode, of key: String) -> Located<Int>? {
    guard let number = integer(node, of: key) else { return nil }
    if (0...Self.mostCounted).contains(number.value) { return number }
    let limit = number.value < 0 ? "" : "; it is \(Self.mostCounted) at most"
    report("'\(key)' can't be \(number.value)\(limit)", at: node.place)
    return nil
  }

  package func map(_ node: SourceNode, of key: String) -> [SourceNode.Entry]? {
    if let map = node.map { return map }
    report(node, of: key, mustBe: "a map")
    return nil
  }

  package func list(_ node: SourceNode, of key: String) -> [SourceNode]? {
    if let list = node.list { return list }
    report(node, of: key, mustBe: "a list")
    return nil
  }

  /// One of the words of an enumeration.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ node: SourceNode, of key: String, as type: Choice.Type = Choice.self
  ) -> Located<Choice>? {
    guard let text = text(node, of: key) else { return nil }
    if let choice = Choice(rawValue: text.value) { return Located(choice, at: text.place) }
    let words = Choice.allCases.map(\.rawValue)
    let hint = Spelling.closest(to: text.value, among: words).map { "; did you mean '\($0)'?" }
    let choices = [words.dropLast().joined(separator: ", "), words.last ?? ""]
      .filter { !$0.isEmpty }
    report(
      "'\(key)' must be \(choices.joined(separator: " or ")), not '\(text.value)'\(hint ?? "")",
      at: text.place)
    return nil
  }

  /// A map of texts.
  package func dictionary(_ node: SourceNode, of key: String) -> [String: String] {
    let pairs = (map(node, of: key) ?? []).compactMap { entry in
      text(entry.value, of: entry.key.value).map { (entry.key.value, $0.value) }
    }
    return Dictionary(firstOf: pairs)
  }
}

// MARK: - Options beside names

extension [SourceNode.Entry] {
  /// Options, which start with a dot, and the rest, whose keys are names of the user's own.
  var optionsAndNames: (options: [SourceNode.Entry], names: [SourceNode.Entry]) {
    (filter { $0.key.value.hasPrefix(".") }, filter { !$0.key.value.hasPrefix(".") })
  }
}
