import Testing

@testable import Harness

@Suite struct ScenarioReaderErrorTests {
  @Test func anUnknownKeyGetsASuggestion() {
    #expect(
      complaints("scenario: s\nmodels: {}\nexpct: []\n") == """
        test.scenario.yaml:3:1: error: unknown key 'expct' in a scenario; did you mean 'expect'?
          3 | expct: []
            | ^~~~~
        """)
  }

  @Test func allErrorsAreReportedAtOnce() {
    #expect(
      complaints(
        """
        scenario: s
        models: {}
        chain:
          - v1 to v2
        expect:
          - cuont: { A: 1 }
          - count: { A: many }
        """) == """
          test.scenario.yaml:4:5: error: 'v1 to v2' must be a hop, as in 'v1 -> v2'
            4 |   - v1 to v2
              |     ^~~~~~~~
          test.scenario.yaml:6:5: error: unknown key 'cuont' in an expectation; did you mean 'count'?
            6 |   - cuont: { A: 1 }
              |     ^~~~~
          test.scenario.yaml:7:17: error: 'A' must be a whole number, not 'many'
            7 |   - count: { A: many }
              |                 ^~~~
          """)
  }
}
