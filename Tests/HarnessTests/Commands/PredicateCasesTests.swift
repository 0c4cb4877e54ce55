import TestSupport
import Testing

@testable import Commands

private let caseFile = Fixture.url("predicate-cases.json")

@Suite struct PredicateCasesTests {
  private func run(_ text: String) -> (status: Terminal.ExitStatus, output: String, errors: String)
  {
    var call = PredicateCall()
    call.request.cases = "-"
    return call.run(input: text)
  }

  @Test func everyCaseGetsALine() {
    let result = run(
      #"""
      {"predicate": "age > %@", "arguments": [20], "object": {"age": 30}, "expected": true}

      {"predicate": "$d < at", "variables": {"d": {"$date": 1}}, "object": {"at": {"$date": 1}}}
      {"predicate": "name ==", "object": {"name": "a/b"}, "expected": "error", "note": "cut off"}
      {"predicate": "SELF == nil", "object": null}
      """#)
    #expect(
      result.output == #"""
        {"expected":true,"predicate":"age > %@","result":true}
        {"predicate":"$d < at","result":false}
        {"expected":"error","message":"Unable to parse the format string \"name ==\" (column 8: \#
        expected a value, found the end of the text)","predicate":"name ==","result":"error"}
        {"predicate":"SELF == nil","result":true}

        """#)
    #expect(result.status == .passed)
  }

  @Test func anArrayServesAsWell() {
    let result = run("\n [{\"predicate\": \"1 == 1\"},\n {\"predicate\": \"1 > 1\"}]\n")
    #expect(
      result.output == """
        {"predicate":"1 == 1","result":true}
        {"predicate":"1 > 1","result":false}

        """)
    #expect(result.status == .passed)
  }

  @Test(arguments: [
    #"{"predicate": "1 == 1", "expected": false}"#,
    #"{"predicate": "1 == 1", "expected": "error"}"#,
    #"{"predicate": "1 ==", "expected": false}"#,
  ])
  func aCaseThatDiffersFails(text: String) {
    #expect(run(text + "\n{\"predicate\": \"1 == 1\", \"expected\": true}").status == .failed)
  }

  @Test func anErrorThatNobodyRuledOutIsAResult() {
    #expect(run(#"{"predicate": "1 =="}"#).status == .passed)
  }

  @Test func whatIsNoCaseIsNamedAndNothingIsEvaluated() {
    let result = run(
      #"""
      {"predicate": "1 == 1"}
      nonsense
      {"object": {}}
      [1]
      {"predicate": "1 == 1", "arguments": 1}
      {"predicate": "1 == 1", "variables": []}
      {"predicate": "1 == 1", "expected": "yes"}
      """#)
    #expect(
      result.errors == """
        standard input:2: error: the line isn't JSON
        standard input:3: error: a case needs 'predicate', a text
        standard input:4: error: a case is an object
        standard input:5: error: 'arguments' must be an array
        standard input:6: error: 'variables' must be an object
        standard input:7: error: 'expected' must be true, false or "error"

        """)
    #expect(result.output == "")
    #expect(result.status == .badInput)
    #expect(run("[{}, 1]").errors.contains("standard input: error: case 2: a case is an object"))
    #expect(run("[{}").errors == "standard input: error: the file isn't a JSON array\n")
  }

  @Test func aMissingFileIsNamed() throws {
    let folder = try TemporaryFolder()
    var call = PredicateCall()
    call.request.cases = folder.url.appending(path: "cases.jsonl").path
    let result = call.run()
    #expect(result.errors.hasSuffix("cases.jsonl: error: can't read the file: no such file\n"))
    #expect(result.status == .badInput)
  }

  @Test func everyCaseOfTheReferenceAgrees() throws {
    var call = PredicateCall()
    call.request.cases = caseFile.path
    let result = call.run()
    #expect(result.status == .passed)
    #expect(result.output.split(separator: "\n").count == 417)
    #expect(result.errors == "")
  }

  @Test func aFetchAgreesWhereTheReferenceDoesNotSayOtherwise() throws {
    var call = PredicateCall()
    call.request.cases = caseFile.path
    call.request.wantsSQL = true
    let result = call.run()
    #expect(result.status == .passed)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.contains("\"sql\":\"refused\"") } < 70)
    #expect(lines.count { !$0.contains("\"sql\":") } == 0)
  }

  @Test func everyCaseThatAStoreAnswersHasSQL() throws {
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: caseFile))
    let cases = try #require(json as? [[String: Any]])
    func text(_ json: Any) throws -> String {
      let data = try JSONSerialization.data(withJSONObject: json, options: .fragmentsAllowed)
      return String(decoding: data, as: UTF8.self)
    }
    var without: [String] = []
    for entry in cases where entry["sql"] == nil && entry["expected"] is Bool {
      let format = try #require(entry["predicate"] as? String)
      var call = PredicateCall(format, object: try text(#require(entry["object"])))
      call.request.wantsSQL = true
      call.request.arguments = try (entry["arguments"] as? [Any] ?? []).map(text)
      call.request.variables = try (entry["variables"] as? [String: Any] ?? [:]).map {
        "\($0.key)=\(try text($0.value))"
      }
      if call.run().output.contains("  none; fetches evaluate") { without.append(format) }
    }
    // The object of the first has no such key; arrays of texts are no relationships.
    #expect(without == ["missing == nil", "tags[SIZE] == 3"])
  }

  @Test func withSQLEveryCaseIsFetchedFromAStore() {
    var call = PredicateCall()
    call.request.cases = "-"
    call.request.wantsSQL = true
    let result = call.run(
      input: #"""
        {"predicate": "ANY pets.age > %@", "arguments": [1], "object": {"pets": [{"age": 2}, {"age": 0.5}]}}
        {"predicate": "ALL pets.age > 1", "object": {"pets": []}}
        {"predicate": "address.city == nil AND at > $d", "variables": {"d": {"$date": 1}}, "object": {"address": null, "at": {"$date": 2}}}
        {"predicate": "age > 'x'", "object": {"age": 1}}
        {"predicate": "SELF == 1", "object": 1}
        """#)
    #expect(
      result.output == #"""
        {"predicate":"ANY pets.age > %@","result":true,"sql":true}
        {"predicate":"ALL pets.age > 1","result":true,"sql":"refused","sqlMessage":"unimplemented \#
        SQL generation for predicate : (ALL pets.age > 1)"}
        {"predicate":"address.city == nil AND at > $d","result":true,"sql":true}
        {"message":"Can't compare 1 with \"x\": NSNumber and NSString have no common order.",\#
        "predicate":"age > 'x'","result":"error","sql":"error","sqlMessage":"Can't compare 1 with \#
        \"x\": NSNumber and NSString have no common order."}
        {"predicate":"SELF == 1","result":true,"sql":"refused","sqlMessage":"an object without keys \#
        can't be in a store"}

        """#)
    #expect(result.status == .passed)
  }
}
