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
}
