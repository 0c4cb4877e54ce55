import Testing

@testable import Scenarios

/// Expected and found values, compared and shown.
@Suite struct ShownValuesTests {
  private func lines(_ text: String) throws -> [String] {
    let lines = try outcomes(text)
    #expect(lines[0] == lines[1])
    return lines[0].map { $0.replacing(#/ \d+:/#, with: ":") }
  }

  @Test(arguments: ["0.1", "70.123456789", "-3.3e10", "16777217", "1e-30"])
  func aFloatIsWhatIsWrittenOfIt(_ number: String) throws {
    #expect(
      try lines(
        """
        scenario: s
        models:
          v1: { P: { n: string, d: float? } }
          v2: { P: { n: string, d: float?, w: float? } }
        seed: { P: [{ id: a, n: A, d: \(number) }] }
        chain:
          - v1 -> v2:
              PP: { source: P, destination: P, attributes: { w: "\(number)" } }
        expect:
          - object: P a
            has: { d: \(number), w: \(number) }
        """) == [])
  }

  @Test func anotherFloatIsAnother() throws {
    #expect(
      try lines(
        """
        scenario: s
        models: { v1: { P: { w: float? } } }
        seed: { P: [{ id: a, w: 0.1 }] }
        expect: [{ object: P a, has: { w: 0.10000001 } }]
        """) == ["expectation: P a, w: expected 0.10000001, found 0.1"])
  }

  @Test func whatLooksAlikeIsShownSoThatItDiffers() throws {
    #expect(
      try lines(
        """
        scenario: s
        models: { v1: { E: { d: date?, s: string?, e: date? } } }
        seed: { E: [{ id: a, d: 2020-02-29T23:59:59.999Z, s: "Z\u{E9}", e: 2012-12-25 }] }
        expect:
          - object: E a
            has: { d: 2020-02-29T23:59:59.998Z, s: "Ze\\u0301", e: 2012-12-25T00:00:00.0001Z }
        """) == [
          "expectation: E a, d: expected 2020-02-29T23:59:59.998Z, found 2020-02-29T23:59:59.999Z",
          #"expectation: E a, s: expected "Ze\u{301}", found "Z\u{e9}""#,
          "expectation: E a, e: expected 2012-12-25T00:00:00.0001Z, found 2012-12-25T00:00:00Z",
        ])
  }

  /// By characters that show nothing, and by letters of other alphabets.
  @Test(
    arguments: [
      ("a\u{A0}b", "a b", #""a\u{a0}b""#, #""a b""#),
      ("a\u{200B}b", "ab", #""a\u{200b}b""#, #""ab""#),
      ("\u{430}b", "ab", #""\u{430}b""#, #""ab""#),
      ("\u{FB01}n", "fin", #""\u{fb01}n""#, #""fin""#),
      ("\u{E4}", "a", "\"\u{E4}\"", #""a""#), ("\u{430}b", "ac", "\"\u{430}b\"", #""ac""#),
    ])
  func textsThatLookAlikeAreEscaped(
    _ found: String, _ expected: String, _ shownFound: String, _ shown: String
  ) throws {
    #expect(
      try lines(
        """
        scenario: s
        models: { v1: { E: { s: string? } } }
        seed: { E: [{ id: a, s: "\(found)" }] }
        expect: [{ object: E a, has: { s: "\(expected)" } }]
        """) == ["expectation: E a, s: expected \(shown), found \(shownFound)"])
  }

  @Test func aRequiredToManyRelationshipMayBeEmpty() throws {
    func lines(_ notation: String) throws -> [String] {
      try self.lines(
        """
        scenario: s
        models:
          v1: { Garnish: { name: string, drinks: "\(notation) <-> garnish" }, Drink: { garnish: Garnish? <-> drinks } }
        seed: { .validation: false, Garnish: [{ id: lime, name: Lime }] }
        expect: [{ required: Garnish }]
        """)
    }
    #expect(try lines("[Drink]!") == [])
    #expect(
      try lines("[Drink](1...5)!").first
        == "expectation: Garnish.drinks: expected a value, found none in 1 of 1")
  }
}
