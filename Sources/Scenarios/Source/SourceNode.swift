/// A value in a YAML file, with its place.
package struct SourceNode: Sendable {
  package indirect enum Content: Sendable {
    /// Text as written; plain means without quotes.
    case scalar(String, isPlain: Bool)
    case list([SourceNode])
    case map([Entry])
  }

  package struct Entry: Sendable {
    package let key: Located<String>
    package let value: SourceNode
  }

  package let content: Content
  package let place: SourcePlace
}

extension SourceNode {
  /// Whether the file says nothing here, or says `null` or `~` without quotes.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text == "" || text == "~" || text == "null"
  }

  /// The text of a scalar; nil for null, lists and maps.
  package var text: String? {
    guard case .scalar(let text, _) = content, !isNull else { return nil }
    return text
  }

  package var list: [SourceNode]? {
    if case .list(let items) = content { items } else { nil }
  }

  package var map: [Entry]? {
    if case .map(let entries) = content { entries } else { nil }
  }

  /// What kind of value this is, for messages.
  package var kind: String {
    switch content {
    case .scalar where isNull: "nothing"
    case .scalar(let text, _): "'\(text.count > 200 ? text.prefix(200) + "…" : text[...])'"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The value in one line, as a file could have it, for reports.
  package var shown: String {
    switch content {
    case .scalar where isNull: "null"
    case .scalar(let text, isPlain: true): text
    case .scalar(let text, isPlain: false): "\"\(text)\""
    case .list(let items): "[\(items.map(\.shown).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\($0.key.value): \($0.value.shown)" }.joined(separator: ", "))}"
    }
  }
}
