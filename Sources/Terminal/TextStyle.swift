import Synchronization

/// When there are colours.
package enum ColorChoice: String, CaseIterable, Sendable {
  /// On a terminal, unless the environment refuses them.
  case auto
  case always
  case never
}

/// Colours for a terminal, or none.
package struct TextStyle: Sendable {
  private static let chosen = Mutex(ColorChoice.auto)

  /// What the call asks for, for all that it prints.
  package static var choice: ColorChoice {
    get { chosen.withLock(\.self) }
    set { chosen.withLock { $0 = newValue } }
  }

  /// What all sequences of a call bear, so that none in a text of somebody else is taken for one:
  /// ``TerminalText`` lets through no others, and these without it. It is of digits, which a terminal passes over.
  static let ownMark = "\(UInt64.random(in: 1_000_000_000_000_000...9_999_999_999_999_999))"

  /// The mark of the process that prints; nil for no colours.
  package let mark: String?

  package var isColoured: Bool { mark != nil }

  package init(isColoured: Bool) { mark = isColoured ? Self.ownMark : nil }

  /// The style of another process, which prints what this one says.
  package init(mark: String?) { self.mark = mark }

  /// Colours if `descriptor` is a terminal, unless `NO_COLOR` is set (https://no-color.org) or the
  /// terminal is a dumb one.
  package init(
    for descriptor: Int32,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    if Self.choice != .auto {
      self.init(isColoured: Self.choice == .always)
      return
    }
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    self.init(
      isColoured: isatty(descriptor) == 1 && !isRefused && environment["TERM"] != "dumb")
  }

  /// Everything by which ``paint(_:_:)`` steers a terminal: as it is in texts, and as it is printed.
  static let sequences = ["0", "1", "2", "31", "32", "33"].map {
    (marked: TextStyle.marked($0, by: TextStyle.ownMark), printed: "\u{1B}[\($0)m")
  }

  private static func marked(_ code: String, by mark: String) -> String {
    "\u{1B}[\(code);\(mark)m"
  }

  package func good(_ text: String) -> String { paint(text, "32") }
  package func bad(_ text: String) -> String { paint(text, "31") }
  package func notable(_ text: String) -> String { paint(text, "33") }
  package func strong(_ text: String) -> String { paint(text, "1") }
  package func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    guard let mark else { return text }
    return Self.marked(code, by: mark) + text + Self.marked("0", by: mark)
  }
}

extension String {
  /// The text with spaces after it, up to a width.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }

  /// The text with spaces before it, up to a width.
  package func alignedRight(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}
