/// What a value in a scenario file would have to be for its expectation to hold.
package struct Repair: Sendable, Hashable, Codable {
  /// How the value is found in the file.
  package enum Target: Sendable, Hashable, Codable {
    /// It begins here.
    case value(line: Int, column: Int)
    /// Its key stands here.
    case key(line: Int, column: Int)
    /// It is beside the key that stands here, in the same map.
    case sibling(String, line: Int, column: Int)
    /// It is the list with an item that begins here.
    case list(line: Int, column: Int)
  }
  package let target: Target
  package let value: Notation

  package init(of value: SourcePlace, _ new: Notation) {
    target = .value(line: value.line, column: value.column)
    self.value = new
  }

  package init(ofKey key: SourcePlace, _ new: Notation) {
    target = .key(line: key.line, column: key.column)
    self.value = new
  }

  package init(of sibling: String, besideKey key: SourcePlace, _ new: Notation) {
    target = .sibling(sibling, line: key.line, column: key.column)
    self.value = new
  }

  package init(ofListWith item: SourcePlace, _ new: Notation) {
    target = .list(line: item.line, column: item.column)
    value = new
  }

  package var line: Int {
    switch target {
    case .value(let line, _), .key(let line, _), .sibling(_, let line, _), .list(let line, _): line
    }
  }
}

/// A value as a scenario file has it, whatever its layout.
package indirect enum Notation: Sendable, Hashable, Codable {
  case null
  case text(String)
  /// A text that isn't read otherwise, as a file has it in quotes.
  case quoted(String)
  case list([Notation])
  case entry(String, Notation)
  case map([Field])

  package struct Field: Sendable, Hashable, Codable {
    package let key: String
    package let value: Notation

    package init(key: String, value: Notation) {
      self.key = key
      self.value = value
    }
  }

  package static func number(_ number: Int) -> Notation { .text("\(number)") }
}

extension Notation {
  /// The node that a file would give for it.
  func node(at place: SourcePlace) -> SourceNode {
    switch self {
    case .null: SourceNode(content: .scalar("null", isPlain: true), place: place)
    case .text(let text), .quoted(let text):
      SourceNode(content: .scalar(text, isPlain: false), place: place)
    case .list(let items):
      SourceNode(content: .list(items.map { $0.node(at: place) }), place: place)
    case .entry(let key, let value): Notation.map([.init(key: key, value: value)]).node(at: place)
    case .map(let fields):
      SourceNode(
        content: .map(
          fields.map { .init(key: Located($0.key, at: place), value: $0.value.node(at: place)) }),
        place: place)
    }
  }
}

extension Notation: Comparable {
  package static func < (a: Notation, b: Notation) -> Bool {
    a.yaml(inFlow: false) < b.yaml(inFlow: false)
  }

  /// What a file says.
  package init(_ node: SourceNode) {
    switch node.content {
    case .scalar where node.isNull: self = .null
    case .scalar(let text, isPlain: true): self = .text(text)
    case .scalar(let text, isPlain: false): self = .quoted(text)
    case .list(let items): self = .list(items.map { Notation($0) })
    case .map(let entries):
      self = .map(entries.map { .init(key: $0.key.value, value: Notation($0.value)) })
    }
  }
}
