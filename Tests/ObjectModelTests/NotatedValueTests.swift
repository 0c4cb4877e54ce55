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

  @Test func takesTheLargestNumbers() {
    #expect(NotatedValue.parse("1e308", as: .double) == .double(1e308))
    #expect(NotatedValue.parse("1e38", as: .float) == .double(Double(Float(1e38))))
  }
}
