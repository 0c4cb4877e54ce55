/// What goes to standard output and standard error, harmless to whatever shows it: a terminal obeys
/// escape sequences, and GitHub's runner obeys lines that begin with `::` or `##[`, after spaces too.
enum TerminalText {
  /// The text without anything to be obeyed, but for the colours of ``TextStyle`` where it has any.
  static func harmless(_ data: Data, isColoured: Bool) -> Data {
    let hasCommand = ["::", "##["].contains { data.firstRange(of: Data($0.utf8)) != nil }
    guard hasCommand || data.contains(where: isSuspicious) else { return data }
    let scalars = Array(String(decoding: data, as: UTF8.self).unicodeScalars)
    var text = String.UnicodeScalarView()
    var (index, isLineStart) = (0, true)
    while index < scalars.count {
      if isColoured, let colour = colour(in: scalars, at: index) {
        text.append(contentsOf: scalars[colour])
        index = colour.upperBound
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

  private static func colour(in scalars: [Unicode.Scalar], at index: Int) -> Range<Int>? {
    guard scalars[index] == "\u{1B}" else { return nil }
    let sequence = scalars[index...].prefix(6)
    guard let end = sequence.firstIndex(of: "m"),
      TextStyle.sequences.contains(String(String.UnicodeScalarView(scalars[index...end])))
    else { return nil }
    return index..<end + 1
  }

  private static func beginsCommand(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    let rest = scalars[index...]
    return rest.starts(with: "::".unicodeScalars) || rest.starts(with: "##[".unicodeScalars)
  }
}
