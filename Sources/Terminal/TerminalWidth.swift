/// How wide a terminal is, and text on it.
enum TerminalWidth {
  private static let usual = 80

  /// The columns of the terminal at a descriptor; the usual 80 where it doesn't say.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usual }
    return Int(size.ws_col)
  }

  /// How many columns a character takes. Ideographs and pictures take two.
  static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    if scalars.contains("\u{FE0F}") { return 2 }
    guard let first = scalars.first else { return 0 }
    if first.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(first.value) } ? 2 : 1
  }

  /// Blocks of Unicode's wide and full-width characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
    0x20000...0x3FFFD,
  ]
}

extension String {
  /// The text if it takes no more than so many columns, else its beginning and an ellipsis.
  func cut(toColumns columns: Int) -> String {
    var used = 0
    var end = startIndex
    for index in indices {
      used += TerminalWidth.columns(of: self[index])
      if used > columns { return columns < 1 ? "" : self[..<end] + "…" }
      if used < columns { end = self.index(after: index) }
    }
    return self
  }
}
