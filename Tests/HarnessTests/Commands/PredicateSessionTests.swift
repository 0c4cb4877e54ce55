import TestSupport
import Testing

@testable import Commands

/// What one call of `heavyweight predicate` prints, and how it ends.
struct PredicateCall {
  var request: PredicateRequest

  init(_ format: String? = nil, object: String? = nil) {
    request = PredicateRequest.parseOrExit([])
    request.format = format
    request.object = object
  }

  func run(input: String = "") -> (status: Terminal.ExitStatus, output: String, errors: String) {
    var (output, errors) = (Data(), Data())
    let status = PredicateSession(
      request, output: { output += $0 }, errors: { errors += $0 }, input: { Data(input.utf8) }
    ).run()
    return (
      status, String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self)
    )
  }
}

@Suite struct PredicateSessionTests {
  @Test func theTreeHasEveryPartOnItsLine() {
    let result = PredicateCall(
      "a == 1 AND NOT ANY pets.name BEGINSWITH[cd] $p OR SUBQUERY(b, $x, $x.c > 1)[SIZE] IN {1, d}"
    ).run()
    #expect(
      result.output == """
        tree
          OR
            AND
              ==
                key path a
                constant 1
              NOT
                ANY BEGINSWITH[cd]
                  key path pets.name
                  variable $p
            IN
              SIZE
                SUBQUERY $x
                  key path b
                  >
                    key path c
                      variable $x
                    constant 1
              aggregate
                constant 1
                key path d
        canonical form
          (a == 1 AND (NOT ANY pets.name BEGINSWITH[cd] $p)) OR \
        SUBQUERY(b, $x, $x.c > 1)[SIZE] IN {1, d}

        """)
    #expect(result.status == .passed)
    #expect(result.errors == "")
  }

  @Test func argumentsAndVariablesAreJSON() {
    var call = PredicateCall("%K > %@ AND n IN $all", object: #"{"at": {"$date": 5}, "n": "b"}"#)
    call.request.arguments = [#""at""#, #"{"$date": 4.5}"#]
    call.request.variables = [#"$all=["a", "b"]"#]
    let result = call.run()
    #expect(result.output.contains("constant CAST(4.500000, \"NSDate\")"))
    #expect(result.output.hasSuffix("answer\n  true\n"))
    #expect(result.status == .passed)
  }

  @Test func aFalseAnswerIsNoFailure() {
    let result = PredicateCall("age > 30", object: #"{"age": 30}"#).run()
    #expect(result.output.hasSuffix("answer\n  false\n"))
    #expect(result.status == .passed)
  }

  @Test func anErrorOfEvaluationIsTheAnswer() {
    let result = PredicateCall("age CONTAINS 3", object: #"{"age": 5}"#).run()
    #expect(
      result.output.hasSuffix(
        "answer\n  error: Can't use in/contains operator with collection 5 (not a collection)\n"))
    #expect(result.status == .failed)
    #expect(result.errors == "")
  }

  @Test(arguments: [
    (
      "age >= AND x",
      """
      format:1:8: error: expected a value, found AND
        1 | age >= AND x
          |        ^

      """
    ),
    (
      "'e\u{301}' == 1\n\tOR ==",
      """
      format:2:5: error: expected a value, found '=='
        2 | \tOR ==
          | \t   ^

      """
    ),
    (
      "'日本💡e\u{301}' == b b",
      "format:1:14: error: expected the end of the text after a predicate, found 'b'\n"
        + "  1 | '日本💡e\u{301}' == b b\n    |                ^\n"
    ),
  ])
  func aFormatErrorIsShownWithItsPlace(format: String, message: String) {
    let result = PredicateCall(format, object: "{}").run()
    #expect(result.errors == message)
    #expect(result.output == "")
    #expect(result.status == .badInput)
  }

  @Test func valuesThatAreNotJSONAreRefused() {
    var call = PredicateCall("a == %@")
    call.request.arguments = ["abc"]
    #expect(
      call.run().errors
        == "error: --argument: 'abc' isn't JSON; a text is written \"abc\", in a shell '\"abc\"'.\n"
    )
    call.request.arguments = ["{"]
    #expect(call.run().errors == "error: --argument: '{' isn't JSON.\n")
    call.request.arguments = []
    for variable in ["n", "=1", "$=1"] {
      call.request.variables = [variable]
      #expect(call.run().errors == "error: --variable \(variable) isn't of the form name=JSON.\n")
      #expect(call.run().status == .badInput)
    }
  }

  @Test func argumentsAndVariablesWithoutAPlaceAreRefused() {
    var call = PredicateCall("%K > %@ AND n IN $all")
    call.request.arguments = [#""at""#, "1", "2"]
    #expect(
      call.run().errors
        == "error: --argument is given 3 times, and the format has 2 specifiers: leave out the rest.\n"
    )
    #expect(call.run().status == .badInput)
    call.request.arguments.removeLast()
    #expect(call.run().status == .passed)
    call.request.variables = ["al=1"]
    #expect(
      call.run().errors == "error: --variable al: the format has no $al; leave it out.\n")
    call.request.variables = ["all=[1]"]
    #expect(call.run().status == .passed)
    var other = PredicateCall("a == 1")
    other.request.arguments = ["5"]
    #expect(
      other.run().errors
        == "error: --argument: the format has no %@, %K or %d that it could stand for; leave it out.\n"
    )
  }

  @Test func optionsThatDoNotGoTogetherAreRefused() {
    var requests = Array(repeating: PredicateCall("a == 1").request, count: 7)
    requests[0].format = nil
    requests[1].cases = "-"
    requests[2].entity = "A"
    requests[3].models = "A.xcdatamodeld"
    requests[4].version = "A"
    requests[5].wantsSQL = true
    requests[6].models = "A.xcdatamodeld"
    requests[6].entity = "A"
    for request in requests {
      #expect(throws: PredicateRequest.Problem.self) { try request.check() }
    }
  }
}
