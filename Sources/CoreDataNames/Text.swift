// What policies do with the text of each of a million objects, and Foundation does slowly outside
// Apple's systems: the same results, for text that allows it from its bytes. A method of String itself
// comes before those of StringProtocol, so that an app's code uses these.

extension String {
  /// The parts of the text between occurrences of a separator, as Foundation's method gives them.
  public func components(separatedBy separator: String) -> [String] {
    parts(separatedBy: separator) ?? self[...].components(separatedBy: separator)
  }

  /// The text without the characters of a set at both ends, as Foundation's method gives it.
  public func trimmingCharacters(in set: CharacterSet) -> String {
    let scalars = unicodeScalars
    var (start, end) = (scalars.startIndex, scalars.endIndex)
    while start < end, set.trims(scalars[start]) { start = scalars.index(after: start) }
    while start < end {
      let last = scalars.index(before: end)
      guard set.trims(scalars[last]) else { break }
      end = last
    }
    if start == scalars.startIndex, end == scalars.endIndex { return self }
    return String(scalars[start..<end])
  }

  /// The parts, where characters and bytes come to the same: no letter with a mark of its own, nothing
  /// that is equal to something else, no line end of two bytes; all that before U+0300.
  private func parts(separatedBy separator: String) -> [String]? {
    let separator = Array(separator.utf8)
    guard !separator.isEmpty, separator.allSatisfy({ $0 < 0x80 && $0 != Self.carriageReturn })
    else { return nil }
    return utf8.withContiguousStorageIfAvailable { text in
      text.allSatisfy { $0 < 0xCC && $0 != Self.carriageReturn }
        ? Self.parts(of: text, separatedBy: separator) : nil
    } ?? nil
  }

  private static let carriageReturn = UInt8(ascii: "\r")

  private static func parts(
    of text: UnsafeBufferPointer<UInt8>, separatedBy separator: [UInt8]
  ) -> [String] {
    var parts: [String] = []
    var (start, place) = (0, 0)
    while place + separator.count <= text.count {
      if text[place] == separator[0],
        separator.count == 1 || text[place...].starts(with: separator)
      {
        parts.append(String(decoding: text[start..<place], as: UTF8.self))
        place += separator.count
        start = place
      } else {
        place += 1
      }
    }
    parts.append(String(decoding: text[start...], as: UTF8.self))
    return parts
  }
}

extension CharacterSet {
  // Foundation makes them anew each time. Where Foundation is imported by itself, its own are meant.

  /// Spaces and tabs, as Foundation has them.
  @_disfavoredOverload
  public static var whitespaces: CharacterSet { KnownSets.whitespaces }

  /// Spaces, tabs and line ends, as Foundation has them.
  @_disfavoredOverload
  public static var whitespacesAndNewlines: CharacterSet { KnownSets.whitespacesAndNewlines }

  private enum KnownSets {
    static let whitespaces = NSCharacterSet.whitespaces
    static let whitespacesAndNewlines = NSCharacterSet.whitespacesAndNewlines
  }

  /// Foundation looks at UTF-16 code units, of which no half of a pair is a character.
  fileprivate func trims(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0xFFFF && contains(scalar)
  }
}
