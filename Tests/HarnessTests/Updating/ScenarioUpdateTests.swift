import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// `heavyweight run --update`, for every kind of expectation.
@Suite struct ScenarioUpdateTests {
  /// Two books and two shelves, one of them named by nobody.
  private static func scenario(_ expectation: String, chain: String = "v1 -> v2") -> String {
    """
    scenario: A library
    models:
      v1:
        Shelf: { name: string, books: "[Book] <-> shelf" }
        Book: { title: string, price: double?, day: date?, cover: data?, shelf: Shelf? <-> books }
        Note: { text: string? }
      v2:
        Shelf: { name: string, books: "[Book] <-> shelf" }
        Book: { title: string, price: double?, day: date?, cover: data?, isNew: bool = true, shelf: Shelf? <-> books }
    seed:
      Shelf: [{ id: left, name: Left }, { name: Right }]
      Book:
        - { id: one, title: "One: first", price: 9.25, day: 2020-01-02T03:04:05.5Z, shelf: left, cover: 0x0102 }
        - { id: two, title: Two, shelf: left }
      Note: [{ id: note }]
    chain: [\(chain)]
    expect:
    \(expectation.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))

    """
  }

  /// Writes a scenario, updates it until nothing changes any more, and says what it expects then.
  private func updated(_ text: String) async throws -> (expected: String, refusals: [String]) {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "A.scenario.yaml")
    let first = try await update(file)
    let after = try String(contentsOf: file, encoding: .utf8)
    if first.refusals.isEmpty {
      let (second, report) = try await updateAndReport(file)
      #expect(report.results.allSatisfy { $0.isPassed }, "\(after)\n\(report.results)")
      #expect(second.changes.isEmpty, "\(after)")
      #expect(try String(contentsOf: file, encoding: .utf8) == after)
    }
    let parts = after.components(separatedBy: "expect:\n")
    let lines = parts.dropFirst().joined(separator: "expect:\n").split(separator: "\n")
    return (
      lines.map { String($0.dropFirst(2)) }.joined(separator: "\n"),
      first.refusals.map(\.message)
    )
  }

  private func update(_ file: URL) async throws -> ScenarioUpdate.Outcome {
    try await updateAndReport(file).0
  }

  private func updateAndReport(
    _ file: URL
  ) async throws -> (ScenarioUpdate.Outcome, SuiteReport) {
    let scenario = try CheckedScenario.load(contentsOf: file)
    let report = await ScenarioSuite().run([scenario])
    return (try ScenarioUpdate.run(report, of: [scenario]), report)
  }

  @Test(arguments: [
    ("- count: { Book: 7, Shelf: 2 }  # all", "- count: { Book: 2, Shelf: 2 }  # all"),
    ("- exactly: 5 Book where price > 1", "- exactly: 1 Book where price > 1"),
    ("- object: Book one\n  has: { price: 1 }", "- object: Book one\n  has: { price: 9.25 }"),
    (
      "- object: Book one\n  has: { title: x }",
      "- object: Book one\n  has: { title: \"One: first\" }"
    ),
    (
      "- object: Book one\n  has: { title: 'x' }",
      "- object: Book one\n  has: { title: 'One: first' }"
    ),
    ("- object: Book two\n  has: { price: 1 }", "- object: Book two\n  has: { price: null }"),
    (
      "- object: Book one\n  has: { day: 2000-01-01, cover: 0x00, isNew: false }",
      "- object: Book one\n  has: { day: 2020-01-02T03:04:05.5Z, cover: 0x0102, isNew: true }"
    ),
    ("- object: Book one\n  has: { shelf: null }", "- object: Book one\n  has: { shelf: left }"),
    (
      "- object: Shelf left\n  has: { books: [one], books.@count: 1, books.title: [] }",
      "- object: Shelf left\n  has: { books: [one, two], books.@count: 2, books.title: [\"One: first\", Two] }"
    ),
    (
      "- object: Book where title == \"Two\"\n  from: Book one",
      "- object: Book where title == \"Two\"\n  from: Book two"
    ),
    ("- made: { Book one: [Shelf] }", "- made: { Book one: [Book] }"),
    ("- made: { Note note: [Book] }", "- made: { Note note: [] }"),
    ("- mapping: custom", "- mapping: inferred"),
    ("- steps: []", "- steps: [v1 -> v2: inferred]"),
    ("- steps: [v1 -> v2: custom]", "- steps: [v1 -> v2: inferred]"),
    ("- store: v1", "- store: v2"),
    ("- trace: [begin BookToBook]", "- trace: []"),
    (
      "- model:\n    Book.isNew: gone\n    Note: exists\n    Book.price: { type: int16, optional: false }",
      "- model:\n    Book.isNew: exists\n    Note: gone\n    Book.price: { type: double, optional: true }"
    ),
    (
      "- at: v1\n  expect:\n    - count: { Note: 2 }  # on the way\n- count: { Shelf: 2 }",
      "- at: v1\n  expect:\n    - count: { Note: 1 }  # on the way\n- count: { Shelf: 2 }"
    ),
  ])
  func valuesBecomeWhatIsFound(wrong: String, right: String) async throws {
    let (expected, refusals) = try await updated(Self.scenario(wrong))
    #expect(refusals == [])
    #expect(expected == right)
  }

  /// An error that ends the run, and what of it the scenario mentions.
  @Test func errorsAreUpdatedFactByFact() async throws {
    let text = """
      scenario: It fails
      models:
        v1: { Book: { title: string? } }
        v2: { Book: { title: string?, isbn: string, pages: int16 } }
      seed: { Book: [{ id: one, title: One }] }
      chain:
        - v1 -> v2: { .manager: { usesStoreSpecificMigrationManager: false } }
      expect:
        - fails:
            code: 1600  # the code
            step: v2 -> v1
            pass: save
            errors:
              - { code: 1570, entity: Book, property: title }  # the first
              - { code: 1570, entity: Book, property: pages }
      """
    let (expected, refusals) = try await updated(text)
    #expect(refusals == [])
    #expect(
      expected == """
        - fails:
            code: 1560  # the code
            step: v1 -> v2
            pass: validation
            errors:
              - { code: 1570, entity: Book, property: isbn }  # the first
              - { code: 1570, entity: Book, property: pages }
        """)
  }

  @Test func listsOnLinesOfTheirOwnKeepTheirComments() async throws {
    let text = """
      scenario: A trace
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16? } }
      seed: { Book: [{ title: One }, { title: Two }] }
      chain:
        - v1 -> v2: { BookToBook: { source: Book, destination: Book } }
      expect:
        - trace:  # what happens
            - begin BookToBook  # first
            # then the rows
            - createDestinationInstances BookToBook x7  # each
            - begin BookToBook
            - begin BookToBook
        - dropped:
            - Book one
        - calls: { BookToBook.begin: 3 }
      """.replacing("title: One }", with: "id: one, title: One }")
      .replacing("title: Two }", with: "id: two, title: Two }")
    let (expected, refusals) = try await updated(text)
    #expect(refusals == [])
    #expect(
      expected == """
        - trace:  # what happens
            - begin BookToBook  # first
            # then the rows
            - createDestinationInstances BookToBook ×2  # each
            - endInstanceCreation BookToBook
            - createRelationships BookToBook ×2
            - endRelationshipCreation BookToBook
            - performCustomValidation BookToBook
            - end BookToBook
            - validate ×2
            - save ×2
        - dropped: []
        - calls: { BookToBook.begin: 1 }
        """)
  }

  @Test(arguments: [
    "- unique: Book.shelf", "- none: Book", "- some: Book where price > 100",
    "- all: Book where price > 100", "- required: Book.price", "- everySourceMigrated: true",
    "- object: Book where title == \"Three\"", "- source: untouched",
  ])
  func rulesAreNotRewritten(rule: String) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.scenario(rule), to: "A.scenario.yaml")
    let (outcome, report) = try await updateAndReport(file)
    #expect(report.results.contains { !$0.isPassed }, "the rule should be broken")
    #expect(outcome.changes.isEmpty)
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.scenario(rule))
  }

  @Test func stepsAfterTheMigrationAreUpdatedToo() async throws {
    let text =
      Self.scenario("- count: { Book: 2 }") + """
        then:
          - insert: Book three
            values: { title: Three }
          - save:
            expect:
              - count: { Book: 9 }
          - set: Book three
            values: { title: null }
          - save:
            fails: { code: 1600, property: price }
        """
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "A.scenario.yaml")
    let outcome = try await update(file)
    #expect(outcome.refusals.map(\.message) == [])
    let after = try String(contentsOf: file, encoding: .utf8)
    #expect(after.contains("- count: { Book: 3 }"))
    #expect(after.contains("fails: { code: 1570, property: title }"))
    #expect(try await update(file).changes.isEmpty)
  }

  @Test func runsThatDisagreeLeaveTheValueAlone() async throws {
    let text = """
      scenario: Two starts
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16? } }
        v3: { Book: { title: string, pages: int32? } }
      start: [v1, v2]
      seed:
        v1: { Book: [{ title: One }] }
        v2: { Book: [{ title: One }, { title: Two }] }
      chain: [v1 -> v2, v2 -> v3]
      expect:
        - count: { Book: 3 }
      """
    let (expected, refusals) = try await updated(text)
    #expect(expected == "- count: { Book: 3 }")
    #expect(refusals == ["not updated: runs of this scenario found different values: 1 and 2"])
  }

  @Test func nothingIsUpdatedInContinuousIntegration() throws {
    #expect(throws: Diagnostics.self) { try ScenarioUpdate.checkAllowed(["CI": "true"]) }
    #expect(throws: Diagnostics.self) { try ScenarioUpdate.checkAllowed(["CI": "1"]) }
    for value in ["", "false", "0"] { try ScenarioUpdate.checkAllowed(["CI": value]) }
    try ScenarioUpdate.checkAllowed([:])
  }
}
