#if canImport(FoundationXML)
  package import FoundationXML
#endif

/// What is wrong with an XML file, in words.
package enum XMLMistake {
  /// Foundation's errors have the numbers of libxml2 and no text; these are the mistakes that people
  /// make.
  private static let reasons: [Int: String] = [
    4: "it doesn't begin with an element",
    5: "it ends too early, or goes on after its end",
    9: "an invalid character",
    26: "an unknown entity ('&…;')",
    38: "'<' in an attribute's value",
    39: "an attribute's value isn't in quotation marks",
    40: "an attribute's value doesn't end",
    41: "an attribute without value",
    42: "an attribute occurs twice",
    65: "a space is missing",
    68: "a name is missing",
    73: "'>' is missing",
    76: "an end tag doesn't match its start tag",
    77: "an element doesn't end",
  ]

  package static func reason(ofCode code: Int) -> String {
    reasons[code] ?? "XML error \(code)"
  }

  /// Xcode writes no other encoding, and Foundation's parser stops the process at a name in another.
  package static let notUTF8 = "it isn't UTF-8"

  /// The first line, from 1, that isn't UTF-8; nil when all is.
  package static func lineThatIsNotUTF8(in data: Data) -> Int? {
    if String(validating: data, as: UTF8.self) != nil { return nil }
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return (lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0) + 1
  }
}

extension XMLParser {
  /// A parser of a file that reads nothing outside of it.
  ///
  /// Processing instructions without content (`<?name?>`), which mean nothing in Xcode's files, become
  /// blanks: Foundation's parser stops the process at one.
  package convenience init(ofFile data: Data) {
    self.init(data: data.withoutEmptyInstructions)
    shouldResolveExternalEntities = false
  }
}

extension Data {
  fileprivate var withoutEmptyInstructions: Data {
    let empty = withUnsafeBytes(\.emptyInstructions)
    if empty.isEmpty { return self }
    var bytes = [UInt8](self)
    for instruction in empty {
      for index in instruction where !bytes[index].isSpace { bytes[index] = UInt8(ascii: " ") }
    }
    return Data(bytes)
  }
}

extension UnsafeRawBufferPointer {
  /// Where `<?name?>` stands. Every file that is read is searched for them.
  fileprivate var emptyInstructions: [Range<Int>] {
    var found: [Range<Int>] = []
    var place = 0
    while let opening = questionMark(from: place, where: { $0 > place && self[$0 - 1] == 0x3C }),
      let closing = questionMark(
        from: opening + 1, where: { $0 + 1 < count && self[$0 + 1] == 0x3E })
    {
      let inside = self[(opening + 1)..<closing]
      let hasContent = inside.drop { !$0.isSpace }.contains { !$0.isSpace }
      if !hasContent { found.append((opening - 1)..<(closing + 2)) }
      place = hasContent ? closing + 2 : opening + 1
    }
    return found
  }

  /// The first of the signs that are rare in such files.
  private func questionMark(from start: Int, where fits: (Int) -> Bool) -> Int? {
    guard let base = baseAddress else { return nil }
    var place = start
    while place < count, let found = memchr(base + place, 0x3F, count - place) {
      let index = UnsafeRawPointer(found) - base
      if fits(index) { return index }
      place = index + 1
    }
    return nil
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { [0x20, 0x9, 0xA, 0xD].contains(self) }
}
