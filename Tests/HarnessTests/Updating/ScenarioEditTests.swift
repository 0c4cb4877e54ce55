import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Changing one value in a file must change nothing else.
@Suite struct ScenarioEditTests {
  /// Changes the value of the first key that is called `key`, by default `n`.
  private func change(
    _ text: String, key: String = "n", to value: Notation
  ) throws -> ScenarioEdit.Outcome {
    let file = SourceFile(path: "a.yaml", text: text)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = try #require(lines.firstIndex { $0.contains("\(key):") })
    let column = try #require(lines[line].range(of: "\(key):")).lowerBound
    let place = SourcePlace(
      file: file, line: line + 1,
      column: lines[line].unicodeScalars.distance(from: lines[line].startIndex, to: column) + 1)
    return try ScenarioEdit(file).applying([Repair(ofKey: place, value)])
  }

  @Test(arguments: [
    ("expect: { n: 1 }", "expect: { n: 22 }"),
    ("expect:\n  n: 1", "expect:\n  n: 22"),
    ("expect:\n  n:   1 \t # one\t\n  m: 2\n", "expect:\n  n:   22 \t # one\t\n  m: 2\n"),
    ("expect:\r\n  n: 1\r\n  m: 2\r\n", "expect:\r\n  n: 22\r\n  m: 2\r\n"),
    ("expect: [{n: 1},{m: 2}]", "expect: [{n: 22},{m: 2}]"),
    ("expect: {\"n\": \"1\", m: 'x'}", "expect: {\"n\": \"22\", m: 'x'}"),
    ("expect:\n  n: 'it''s'  # quoted", "expect:\n  n: '22'  # quoted"),
    ("expect:\n  n: \"a \\\" b\"\n", "expect:\n  n: \"22\"\n"),
    ("expect:\n  n:\n  m: 1\n", "expect:\n  n: 22\n  m: 1\n"),
    ("expect:\n  n: null # none", "expect:\n  n: 22 # none"),
    ("expect:\n  n: [a, \"b ] c\", d] # list", "expect:\n  n: 22 # list"),
    ("# ä€😀\nexpect: { ключ: 0, n: 1 }", "# ä€😀\nexpect: { ключ: 0, n: 22 }"),
    ("expect: {\n  m: 1, # one\n  n: 2 # two\n}", "expect: {\n  m: 1, # one\n  n: 22 # two\n}"),
    ("expect:\n  n: a:b#c", "expect:\n  n: 22"),
  ])
  func onlyTheValueChanges(before: String, after: String) throws {
    let key = before.contains("\"n\"") ? "\"n\"" : "n"
    let outcome = try change(before, key: key, to: .number(22))
    #expect(outcome.refusals.map(\.message) == [])
    #expect(outcome.text == after)
  }

  @Test(arguments: [
    ("base: &b 1\nexpect: { n: *b }", "an anchor, an alias or a tag"),
    ("expect: { n: &b 1, m: *b }", "alias"), ("expect: { n: !!str 1 }", "a tag"),
    ("expect:\n  n: |\n    text\n", "lines of its own"),
    ("expect:\n  n: one\n    two\n", "it spans several lines"),
    ("expect:\n  n: [a, # why\n    b]\n", "comments between the brackets"),
    ("expect:\n  n:\n    a: 1\n", "a map that spans several lines"),
    ("models: { n: 1 }\nexpect: []", "outside 'expect' and 'then'"),
  ])
  func whatCannotBeChangedInPlaceIsRefused(text: String, reason: String) throws {
    let outcome = try change(text, to: .number(22))
    #expect(outcome.text == text)
    #expect(outcome.count == 0)
    let refusal = try #require(outcome.refusals.first)
    #expect(refusal.message.contains(reason), "\(refusal)")
    #expect(refusal.message.hasSuffix("edit it by hand"))
    #expect(refusal.place != nil)
  }

  @Test func textsAreQuotedWhereTheyMustBe() throws {
    let texts = [
      "plain", "null", "~", "", " space ", "a: b", "a #b", "#a", "- a", "-1", "[a", "a, b", "{",
      "*a", "&a", "!a", "'", "\"", "it's", "a\nb", "tab\t", "\u{7}", "ends:", "?", "? a", "...",
      "---", "%a", "@a", "`a", "é ü 😀", "\u{2028}", "true", "1.10", "\\n", "|", ">",
    ]
    for (text, isInFlow) in texts.flatMap({ text in [(text, true), (text, false)] }) {
      for quoting in [Notation.Quoting.none, .single, .double] {
        let value = Notation.text(text).yaml(quoting, inFlow: isInFlow)
        let yaml = isInFlow ? "{ a: \(value), b: [\(value)] }" : "a: \(value)\nb:\n  - \(value)\n"
        let node = try SourceNode.yaml(SourceFile(path: "", text: yaml))
        let expected = Notation.map([
          .init(key: "a", value: .text(text)), .init(key: "b", value: .list([.text(text)])),
        ]).node(at: node.place)
        #expect(node.says(theSameAs: expected), "\(text.debugDescription) as \(yaml)")
        #expect(node.map?.first?.value.isNull == false, "\(text.debugDescription) as \(yaml)")
      }
    }
  }

  /// What is written must be read as just the same value.
  @Test func valuesAreWrittenSuchThatTheyAreReadAgain() throws {
    var random = RandomSource(seed: 20_261_121)
    for _ in 1...2000 {
      let (type, value) = Self.randomValue(&random)
      let attribute = AttributeDescription(name: "a", type: type)
      guard case .text(let text)? = value.notation(as: attribute) else {
        Issue.record("no notation for \(value) as \(type)")
        continue
      }
      #expect(NotatedValue.parse(text, as: type) == value, "\(text) as \(type)")
    }
  }

  private static func randomValue(_ random: inout RandomSource) -> (AttributeType, Value) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: (.integer64, .integer(.random(in: .min ... .max, using: &random)))
    case 1: (.double, .double(.random(in: -1e12...1e12, using: &random)))
    case 2: (.float, .double(Double(Float.random(in: -1e6...1e6, using: &random))))
    case 3:
      (.date, .date(Date(timeIntervalSinceReferenceDate: .random(in: -3e9...3e9, using: &random))))
    case 4:
      (
        .date,
        .date(
          Date(
            timeIntervalSinceReferenceDate: Double(
              Int.random(in: -3_000_000_000...3_000_000_000, using: &random))))
      )
    case 5: (.boolean, .integer(.random(in: 0...1, using: &random)))
    case 6: (.decimal, .decimal(Decimal(Int.random(in: -100_000...100_000, using: &random)) / 1000))
    default:
      (
        .binaryData,
        .data(
          Data(
            (0..<Int.random(in: 0...64, using: &random)).map { _ in
              .random(in: 0...255, using: &random)
            }))
      )
    }
  }

  @Test func changesAreShownAsLinesThatWentAndCame() {
    let diff = LineDiff(from: "a\nb\nc\nd\n", to: "a\nB\nc\nd\ne\n")
    #expect(
      diff.text(path: "A.yaml", TextStyle(isColoured: false)) == """
        A.yaml:2
        - b
        + B
        A.yaml:5
        + e

        """)
  }
}
