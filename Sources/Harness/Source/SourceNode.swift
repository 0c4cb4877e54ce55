/// A value in a YAML file, with its place.
public struct SourceNode: Sendable {
  public indirect enum Content: Sendable {
    /// Text as written; plain means without quotes.
    case scalar(String, isPlain: Bool)
    case list([SourceNode])
    case map([Entry])
  }

  public struct Entry: Sendable {
    public let key: Located<String>
    public let value: SourceNode
  }

  public let content: Content
  public let place: SourcePlace
}

extension SourceNode {
  /// Whether the file says nothing here, or says `null` or `~` without quotes.
  public var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text == "" || text == "~" || text == "null"
  }

  /// The text of a scalar; nil for null, lists and maps.
  public var text: String? {
    guard case .scalar(let text, _) = content, !isNull else { return nil }
    return text
  }

  public var list: [SourceNode]? {
    if case .list(let items) = content { items } else { nil }
  }

  public var map: [Entry]? {
    if case .map(let entries) = content { entries } else { nil }
  }

  /// What kind of value this is, for messages.
  public var kind: String {
    switch content {
    case .scalar where isNull: "nothing"
    case .scalar(let text, _): "'\(text)'"
    case .list: "a list"
    case .map: "a map"
    }
  }

  /// The value in one line, as a file could have it, for reports.
  public var shown: String {
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
