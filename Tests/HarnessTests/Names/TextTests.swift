import CoreDataNames
import TestSupport
import Testing

/// The text functions that policies find on String give what Foundation's own give, which are those
/// of Substring here.
@Suite struct TextTests {
  /// Pieces that meet each other in every way: marks, pairs of code units, line ends of two bytes,
  /// characters that are equal to others.
  private static let pieces = [
    "a", "B", ",", ",", ", ", ";", "\u{37E}", " ", "\t", "\n", "\r", "\r\n", "\u{A0}", "\u{2003}",
    "\u{2028}", "\u{85}", "å", "e\u{301}", "\u{301}", "ö", "ÿ", "\u{AD}", "\u{2FF}", "\u{300}", "K",
    "\u{212A}", "👩‍👩‍👧", "🇸🇪", "\u{1D400}", "\u{200D}", "\u{FEFF}", "中", "::", ":", "\0",
  ]
  private static let separators = [
    ",", ", ", ";", ":", "::", "K", "a", "\n", "\r", "\r\n", "", "å", "e", "e\u{301}", " ", "中",
    "👩",
  ]

  private static func texts(_ count: Int) -> [String] {
    var random = RandomSource(seed: 7)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...8, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
  }

  @Test func partsAreThoseThatFoundationGives() {
    for text in Self.texts(4000) {
      for separator in Self.separators {
        let parts = text.components(separatedBy: separator)
        let wanted = text[...].components(separatedBy: separator)
        #expect(
          parts.map { Array($0.utf8) } == wanted.map { Array($0.utf8) },
          "\(text.debugDescription) by \(separator.debugDescription)")
      }
    }
  }

  @Test func setsAreThoseThatFoundationGives() {
    #expect(CharacterSet.whitespaces == NSCharacterSet.whitespaces)
    #expect(CharacterSet.whitespacesAndNewlines == NSCharacterSet.whitespacesAndNewlines)
    #expect("\t a \n".trimmingCharacters(in: .whitespaces) == "a \n")
    #expect("\t a \n".trimmingCharacters(in: .whitespacesAndNewlines) == "a")
  }

  @Test func trimmedTextIsWhatFoundationGives() {
    let sets: [CharacterSet] = [
      .whitespaces, .whitespacesAndNewlines, .newlines, .controlCharacters, .letters, .symbols,
      CharacterSet(charactersIn: "a, 👩"), CharacterSet(charactersIn: "\u{1D400}"),
      .illegalCharacters,
      CharacterSet(), CharacterSet.alphanumerics.inverted,
    ]
    for text in Self.texts(4000) {
      for (index, set) in sets.enumerated() {
        let trimmed = text.trimmingCharacters(in: set)
        let wanted = text[...].trimmingCharacters(in: set)
        #expect(
          Array(trimmed.utf8) == Array(wanted.utf8), "\(text.debugDescription) by set \(index)")
      }
    }
  }
}
