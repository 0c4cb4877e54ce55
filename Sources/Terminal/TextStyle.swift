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

  package let isColoured: Bool

  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// Colours if `descriptor` is a terminal, unless `NO_COLOR` is set (https://no-color.org) or the
  /// terminal is a dumb one.
  package init(
    for descriptor: Int32,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    if Self.choice != .auto {
      isColoured = Self.choice == .always
      return
    }
    let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    isColoured = isatty(descriptor) == 1 && !isRefused && environment["TERM"] != "dumb"
  }

  /// Everything by which ``paint(_:_:)`` steers a terminal.
  static let sequences = ["0", "1", "2", "31", "32", "33"].reduce(into: Set<String>()) {
    $0.insert("\u{1B}[\($1)m")
  }

  package func good(_ text: String) -> String { paint(text, "32") }
  package func bad(_ text: String) -> String { paint(text, "31") }
  package func notable(_ text: String) -> String { paint(text, "33") }
  package func strong(_ text: String) -> String { paint(text, "1") }
  package func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
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
