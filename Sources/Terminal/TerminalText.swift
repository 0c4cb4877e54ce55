/// What goes to standard output and standard error, harmless to whatever shows it: a terminal obeys
/// escape sequences, and GitHub's runner obeys lines that begin with `::` or `##[`, after spaces too.
enum TerminalText {
  /// The text without anything to be obeyed, but for the colours of ``TextStyle``. Those that are in a text of
  /// somebody else, a name or a value, are shown like all that steers a terminal.
  static func harmless(_ data: Data) -> Data {
    let hasCommand = ["::", "##["].contains { data.firstRange(of: Data($0.utf8)) != nil }
    guard hasCommand || data.contains(where: isSuspicious) else { return data }
    let scalars = Array(String(decoding: data, as: UTF8.self).unicodeScalars)
    var text = String.UnicodeScalarView()
    var (index, isLineStart) = (0, true)
    while index < scalars.count {
      if let colour = colour(in: scalars, at: index) {
        text.append(contentsOf: colour.printed)
        index += colour.length
        continue
      }
      if isLineStart && beginsCommand(scalars, at: index) { text.append("\\") }
      let scalar = scalars[index]
      text.append(scalar.isControl ? scalar.picture : scalar)
      isLineStart = scalar == "\n" || (isLineStart && (scalar == " " || scalar == "\t"))
      index += 1
    }
    return Data(String(text).utf8)
  }

  /// Controls, and the first bytes of those beyond ASCII.
  private static func isSuspicious(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x9, 0xA: false
    case ..<0x20, 0x7F, 0xC2, 0xE2, 0xEF: true
    default: false
    }
  }

  private static let colours = TextStyle.sequences.map {
    (marked: Array($0.marked.unicodeScalars), printed: $0.printed.unicodeScalars)
  }

  private static func colour(
    in scalars: [Unicode.Scalar], at index: Int
  ) -> (printed: String.UnicodeScalarView, length: Int)? {
    guard scalars[index] == "\u{1B}" else { return nil }
    let rest = scalars[index...]
    return colours.first { rest.starts(with: $0.marked) }
      .map { (printed: $0.printed, length: $0.marked.count) }
  }

  private static func beginsCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let rest = scalars[index...]
    return rest.starts(with: "::".unicodeScalars) || rest.starts(with: "##[".unicodeScalars)
  }
}
