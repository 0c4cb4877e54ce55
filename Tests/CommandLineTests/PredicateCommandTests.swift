import Foundation
import TestSupport
import Testing

/// `heavyweight predicate`, as it is called.
@Suite(.tags(.process), .tiered)
struct PredicateCommandTests {
  private func run(
    _ arguments: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    try Tool.run(["predicate"] + arguments, in: TemporaryFolder())
  }

  @Test func anAnsweredPredicateEndsWith0() throws {
    let result = try run(
      "%K > %@ AND name == $n", "--argument", "\"age\"", "--argument", "-20", "--variable",
      "n=\"Anna\"", "--object", #"{"age": 30, "name": "Anna"}"#, "--sql")
    #expect(
      result.output == """
        tree
          AND
            >
              key path age
              constant -20
            ==
              key path name
              variable $n
        canonical form
          age > -20 AND name == $n
        answer
          true
        SQL for Object: age Integer 64, name String
          SELECT * FROM ZOBJECT AS t0 WHERE (t0.ZAGE > ? AND t0.ZNAME = ?) ORDER BY Z_PK
          ?1 = -20
          ?2 = "Anna"

        """)
    #expect(result.errors == "")
    #expect(result.status == 0)
  }

  @Test func aFormatMayBeginWithADash() throws {
    let result = try run("--object", "{}", "--", "-5 < 0")
    #expect(result.output.hasSuffix("canonical form\n  -5 < 0\nanswer\n  true\n"))
    #expect(result.status == 0)
  }

  @Test func anErrorOfEvaluationEndsWith1() throws {
    let result = try run("ANY age > 3", "--object", #"{"age": 5}"#)
    #expect(result.status == 1)
    #expect(result.output.contains("answer\n  error: The left hand side for an ALL or ANY"))
  }

  @Test func aFormatErrorEndsWith2() throws {
    let result = try run("age >= AND x")
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors == """
        format:1:8: error: expected a value, found AND
          1 | age >= AND x
            |        ^

        """)
  }

  @Test func wrongUsageEndsWith2() throws {
    let neither = try run()
    #expect(neither.status == 2)
    #expect(neither.errors.hasPrefix("Error: Give a format, or --cases with a file.\n"))
    let both = try run("a == 1", "--cases", "-")
    #expect(both.status == 2)
    #expect(both.errors.hasPrefix("Error: --cases can be combined with --sql only"))
  }

  @Test func casesOfAFileEndByWhetherTheyAgree() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"predicate": "1 == 1", "expected": true}"#, to: "good.jsonl")
    try folder.write(#"[{"predicate": "1 == 1", "expected": false}]"#, to: "bad.json")
    try folder.write("{}", to: "broken.jsonl")
    let good = try Tool.run(["predicate", "--cases", "good.jsonl"], in: folder)
    #expect(good.status == 0)
    #expect(good.output == "{\"expected\":true,\"predicate\":\"1 == 1\",\"result\":true}\n")
    let bad = try Tool.run(["predicate", "--cases", "bad.json"], in: folder)
    #expect(bad.status == 1)
    #expect(bad.output == "{\"expected\":false,\"predicate\":\"1 == 1\",\"result\":true}\n")
    let broken = try Tool.run(["predicate", "--cases", "broken.jsonl"], in: folder)
    #expect(broken.status == 2)
    #expect(broken.errors == "broken.jsonl:1: error: a case needs 'predicate', a text\n")
  }

  @Test func casesThatCantFailAreMistakes() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"predicate": "1 == 1", "expcted": false, "note": "x"}"#, to: "misspelt.jsonl")
    try folder.write("[]", to: "none.json")
    let misspelt = try Tool.run(["predicate", "--cases", "misspelt.jsonl"], in: folder)
    #expect(misspelt.status == 2)
    #expect(
      misspelt.errors
        == "misspelt.jsonl:1: error: unknown key 'expcted'; did you mean 'expected'?\n")
    let none = try Tool.run(["predicate", "--cases", "none.json"], in: folder)
    #expect(none.status == 2)
    #expect(none.errors == "none.json: error: there is no case in the file\n")
  }

  @Test func helpTeaches() throws {
    let result = try run("--help")
    #expect(result.status == 0)
    for text in ["EXAMPLES", "EXIT STATUS", "--cases", "$date", "\"expected\""] {
      #expect(result.output.contains(text))
    }
  }
}
