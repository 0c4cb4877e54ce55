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
    76: "an end tag doesn't fit its start tag",
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
    let (start, end) = (Data("<?".utf8), Data("?>".utf8))
    var result = self
    var place = startIndex
    while let opening = self[place...].firstRange(of: start),
      let closing = self[opening.upperBound...].firstRange(of: end)
    {
      let inside = self[opening.upperBound..<closing.lowerBound]
      let hasContent = inside.drop { !$0.isSpace }.contains { !$0.isSpace }
      if !hasContent {
        for index in opening.lowerBound..<closing.upperBound where !self[index].isSpace {
          result[index] = UInt8(ascii: " ")
        }
      }
      place = hasContent ? closing.upperBound : opening.upperBound
    }
    return result
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { [0x20, 0x9, 0xA, 0xD].contains(self) }
}
