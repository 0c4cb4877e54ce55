import Foundation
import Predicates
import TestSupport
import Testing

/// Formats that are met again are filled in, not parsed: what comes of it must be the same.
@Suite struct FormatTemplateTests {
  /// Arguments that have written forms, so that the format with their text in place of specifiers is
  /// another way to the same predicate.
  private static let texts = [
    "a", "", "Åse", "e\u{301}", "é", "a*b", "a?b", "a\\b", "'", "\"", "🙂", "nil", "%@", "$x", "x.y",
  ]

  private struct Draft {
    var format = ""
    var plain = ""
    var arguments: [Any?] = []
  }

  /// A format of comparisons, half of whose constants are arguments.
  private static func draft(_ random: inout RandomSource) -> Draft {
    var draft = Draft()
    for index in 0..<Int.random(in: 1...3, using: &random) {
      if index > 0 { add(["AND", "OR"].randomElement(using: &random) ?? "AND", to: &draft) }
      if Bool.random(using: &random) { add("NOT", to: &draft) }
      add(
        ["name", "age", "owner.name", "SELF", "$x"].randomElement(using: &random) ?? "", to: &draft)
      addOperator(to: &draft, &random)
      addConstant(to: &draft, &random)
    }
    return draft
  }

  private static func add(_ text: String, to draft: inout Draft) {
    draft.format += text + " "
    draft.plain += text + " "
  }

  private static func addOperator(to draft: inout Draft, _ random: inout RandomSource) {
    let operators = ["==", "!=", "<", "LIKE", "CONTAINS[cd]", "BEGINSWITH", "MATCHES[c]"]
    add(operators.randomElement(using: &random) ?? "==", to: &draft)
  }

  private static func addConstant(to draft: inout Draft, _ random: inout RandomSource) {
    let text = texts.randomElement(using: &random) ?? ""
    let number = Int.random(in: -3...3, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: add(quoted(text), to: &draft)
    case 1:
      draft.format += "%@ "
      draft.plain += quoted(text) + " "
      draft.arguments.append(text)
    case 2:
      draft.format += "%d "
      draft.plain += "\(number) "
      draft.arguments.append(number)
    default:
      draft.format += "%K "
      draft.plain += "#name "
      draft.arguments.append("name")
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  @Test func aFormatMetAgainGivesWhatItsTextGives() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = RandomSource(seed: seed)
    for round in 0..<400 {
      let draft = Self.draft(&random)
      let expected = try Predicate.parse(draft.plain)
      for time in 1...3 {
        let predicate = try Predicate.parse(draft.format, arguments: draft.arguments)
        #expect(
          predicate == expected, "seed \(seed), round \(round), time \(time): \(draft.format)")
        #expect(predicate.predicateFormat == expected.predicateFormat)
      }
    }
  }

  /// Such formats are equal as strings, and so are such keys.
  @Test func textsThatAreComposedOtherwiseAreOthers() throws {
    let letters = ["\u{e9}", "e\u{301}", "\u{e9}"]
    for letter in letters {
      let text = try Predicate.parse("name == \"\(letter)\"").predicateFormat
      #expect(Array(text.utf8) == Array("name == \"\(letter)\"".utf8))
      let key = try Predicate.parse("%K > 1", arguments: [letter]).predicateFormat
      #expect(Array(key.utf8) == Array("#\"\(letter)\" > 1".utf8))
    }
  }

  @Test func eachTimeHasItsOwnArguments() throws {
    let made = try ["a", "b", "c*", "d"].map {
      try Predicate.parse("name LIKE %@ AND %K > %d", arguments: [$0, "age", 30])
    }
    #expect(
      made.map(\.predicateFormat) == [
        #"name LIKE "a" AND age > 30"#, #"name LIKE "b" AND age > 30"#,
        #"name LIKE "c*" AND age > 30"#, #"name LIKE "d" AND age > 30"#,
      ])
    let other = try Predicate.parse("name LIKE %@ AND %K > %d", arguments: ["a", "pets.@count", 1])
    #expect(other.predicateFormat == #"name LIKE "a" AND pets.@count > 1"#)
  }

  /// Where arguments decide how a format is understood, each time it is understood anew.
  @Test func argumentsThatShapeATreeShapeItEachTime() throws {
    let formats: [(format: String, arguments: [[Any?]], expected: [String])] = [
      ("age IN {%@, 2}", [[1], [3]], ["age IN {1, 2}", "age IN {3, 2}"]),
      ("age == -%@", [[1], [2]], ["age == 0 - 1", "age == 0 - 2"]),
      ("name == %@.name", [["x"], ["y"]], [#"name == "x".name"#, #"name == "y".name"#]),
      ("age BETWEEN %@", [[[1, 2]], [[3, 4]]], ["age BETWEEN {1, 2}", "age BETWEEN {3, 4}"]),
      ("age == %@", [[nil], [1]], ["age == nil", "age == 1"]),
    ]
    for (format, arguments, expected) in formats {
      for _ in 1...3 {
        let made = try arguments.map { try Predicate.parse(format, arguments: $0).predicateFormat }
        #expect(made == expected)
      }
    }
  }

  @Test func unsuitableArgumentsAreRefusedEachTime() {
    for _ in 1...3 {
      #expect(throws: PredicateFormatError.self) {
        try Predicate.parse("age == %d", arguments: ["x"])
      }
      #expect(throws: PredicateFormatError.self) { try Predicate.parse("age == %d", arguments: []) }
      #expect(throws: PredicateFormatError.self) {
        try Predicate.parse("%K == 1", arguments: [1])
      }
      #expect(throws: Never.self) { try Predicate.parse("age == %d", arguments: [1]) }
    }
  }

  @Test func escapesInLikeMeanTheTextItself() throws {
    for text in Self.texts {
      let pattern = String(text.flatMap { "*?\\".contains($0) ? "\\\($0)" : String($0) })
      let predicate = try Predicate.parse("SELF LIKE %@", arguments: [pattern])
      for other in Self.texts {
        #expect(
          try predicate.evaluate(.string(other)) == other.utf8.elementsEqual(text.utf8),
          "\(other) LIKE \(pattern)")
      }
    }
  }
}
