import Testing

@testable import ObjectModel

@Suite struct NotatedValueTests {
  @Test(
    "Numbers a type can't hold are no values of it",
    arguments: [
      ("1e400", AttributeType.double), ("1e39", .float), ("-1e39", .float), ("1e400", .decimal),
      ("nan", .double), ("inf", .float), ("0x10", .double), ("32768", .integer16),
    ])
  func refusesWhatDoesNotFit(text: String, type: AttributeType) {
    #expect(NotatedValue.parse(text, as: type) == nil)
  }

  /// As SwiftData stores many a `Codable` value: the bytes are those of the text.
  @Test(arguments: [
    #"["a","ü"]"#, #"{ "b" : [1, {}] }"#, "[]", "{}", "[1,\n2]",
  ])
  func bytesMayBeWrittenAsJSON(text: String) {
    #expect(NotatedValue.parse(text, as: .binaryData) == .data(Data(text.utf8)))
    #expect(Data(text.utf8).json == text)
  }

  @Test(arguments: ["[", "[}", "{]", "[1,", #"{"a"}"#, "[\u{0}]", #""a""#, "[0x00]", " []"])
  func whatIsNoListOrMapInJSONIsNoBytes(text: String) {
    #expect(NotatedValue.parse(text, as: .binaryData) == nil)
    #expect(Data(text.utf8).json == nil)
  }

  @Test func nestedListsOfAHostileStoreAreNoJSON() {
    let depth = 1_000_000
    let bytes =
      Data(repeating: UInt8(ascii: "["), count: depth)
      + Data(repeating: UInt8(ascii: "]"), count: depth)
    #expect(bytes.json == nil)
    #expect((Data([UInt8(ascii: "["), 0xff, UInt8(ascii: "]")])).json == nil)
  }

  @Test func takesTheLargestNumbers() {
    #expect(NotatedValue.parse("1e308", as: .double) == .double(1e308))
    #expect(NotatedValue.parse("1e38", as: .float) == .double(Double(Float(1e38))))
  }
}
