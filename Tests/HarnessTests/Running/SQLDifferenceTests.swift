import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Source predicates that SQL answers otherwise than memory.
@Suite struct SQLDifferenceTests {
  private func failures(
    predicate: String, _ head: String = "", then tail: String = ""
  ) throws -> [Failure] {
    try results(predicate: predicate, head, then: tail).flatMap(\.failures)
  }

  private func results(
    predicate: String, _ head: String = "", then tail: String = ""
  ) throws -> [RunResult] {
    let scenario = try checked(
      """
      scenario: Users
      \(head)
      models:
        v1:
          User: { name: string, country: string?, age: int32?, tags: "[Tag] <-> user" }
          Tag: { label: string?, user: User? <-> tags }
        v2:
          User: { name: string, country: string?, age: int32?, tags: "[Tag] <-> user" }
          Tag: { label: string?, user: User? <-> tags }
          Added: { name: string }
      seed:
        User:
          - { id: a, name: A, country: Sweden, age: 20, tags: [x] }
          - { id: b, name: B, country: Norway, age: 30, tags: [y] }
          - { id: c, name: C, country: null, age: null }
        Tag: [{ id: x, label: red }, { id: y, label: blue }]
      chain:
        - v1 -> v2:
            UserToUser: { source: User, destination: User, predicate: '\(predicate)' }
            TagToTag: { source: Tag, destination: Tag }
      expect: [{ none: User where name == "D" }]
      \(tail)
      """)
    return ScenarioSuite().run(scenario, from: "v1", with: PolicyRegistry())
  }

  @Test func aPredicateThatSQLAnswersOtherwiseFailsTheRun() throws {
    let failures = try failures(predicate: "country != \"Sweden\"")
    #expect(failures.map(\.kind) == [.sqlDiffers])
    let failure = try #require(failures.first)
    #expect(failure.subject == "the source predicate of UserToUser")
    #expect(failure.step == "v1 -> v2")
    #expect(
      failure.found
        == "1 row of User (User/p3) where they differ: a comparison with nil is neither true nor "
        + "false in SQL")
    #expect(failure.notes.first?.contains("OR key == nil") == true)
  }

  /// A key that leads to no row isn't NULL, as which objects read it.
  @Test(arguments: [("user == nil", 1), ("user != nil", 1), ("user.name == nil", 0)])
  func keysThatLeadNowhereDiffer(_ predicate: String, count: Int) throws {
    let failures = try failures(ofTagsWhere: predicate)
    #expect(failures.count == count)
    #expect(failures.allSatisfy { $0.found.contains("1 row of Tag (Tag/p3) where they differ") })
  }

  /// Links that lead nowhere aren't the reason for what a nil of another property does.
  @Test(arguments: [
    ("label != \"A\" AND user != nil", "OR key == nil"), ("user != nil", "Repair the links"),
  ])
  func theReasonIsThatOfTheRows(_ predicate: String, advice: String) throws {
    let failures = try failures(ofTagsWhere: predicate)
    #expect(failures.count == 1)
    #expect(failures.first?.notes.first?.contains(advice) == true, "\(failures)")
  }

  /// What differs for tags without labels, of which one has a user that isn't there.
  private func failures(ofTagsWhere predicate: String) throws -> [Failure] {
    let scenario = try checked(
      """
      scenario: Tags
      models:
        v1:
          User: { name: string, tags: "[Tag] <-> user" }
          Tag: { user: User? <-> tags, label: string? }
        v2:
          User: { name: string, tags: "[Tag] <-> user" }
          Tag: { user: User? <-> tags, label: string?, new: string? }
      seed:
        User: [{ name: A }]
        Tag: { .count: 2, .violations: dangling, user: { link: uniform }, label: null }
      chain:
        - v1 -> v2: { Tags: { source: Tag, destination: Tag, predicate: '\(predicate)' } }
      expect: [{ none: Tag where label == "D" }]
      """)
    return ScenarioSuite().run(scenario, from: "v1", with: PolicyRegistry())
      .flatMap(\.failures).filter { $0.kind == .sqlDiffers }
  }

  /// The app's next start migrates nothing, and takes nothing back.
  @Test func aLaterStartHidesNothing() throws {
    #expect(
      try failures(predicate: "country != \"Sweden\"", then: "then: [start]").map(\.kind)
        == [.sqlDiffers])
  }

  @Test(arguments: [
    "NOT (country == \"Sweden\")", "NOT (age > 25)", "NOT (country BEGINSWITH \"S\")",
    "NOT (country CONTAINS \"x\")", "NOT (age BETWEEN {1, 25})", "NOT (country IN {\"Sweden\"})",
    "NONE tags.label == \"red\"", "NOT (ANY tags.label == \"red\")",
    "NOT ((ANY tags.label == \"red\") OR name == \"Z\")",
    "NOT ((ANY tags.label == \"red\") AND name != \"Z\")",
    "name != \"Z\" AND NOT (name == \"Z\" OR (NOT (NOT (ANY tags.label == \"red\"))))",
  ])
  func negationsDiffer(_ predicate: String) throws {
    #expect(try failures(predicate: predicate).map(\.kind) == [.sqlDiffers])
  }

  /// A device has SQL for them.
  @Test(arguments: [
    ("sqrt(age) != 3", true), ("sqrt(age) > 0 AND country != \"Sweden\"", true),
    ("sqrt(age) > 0", false),
    ("ceiling(3.5) > 3 AND name != \"Z\"", false),
  ])
  func whatIsComparedInMemoryMayDifferWhereItReadsNil(
    _ predicate: String, mayDiffer: Bool
  ) throws {
    let failures = try failures(predicate: predicate)
    #expect(failures.map(\.kind) == (mayDiffer ? [.sqlDiffers] : []))
    #expect(failures.allSatisfy { $0.found.contains("may differ") })
  }

  @Test(arguments: [
    "country == \"Sweden\"", "age > 25", "country != nil", "country == nil", "NOT (country == nil)",
    "country != \"Sweden\" OR country == nil", "NOT (name == \"A\")", "ANY tags.label == \"red\"",
    "country BEGINSWITH \"S\"", "SUBQUERY(tags, $t, $t.label == \"red\").@count == 0",
  ])
  func whatBothAnswerAlikePasses(_ predicate: String) throws {
    #expect(try failures(predicate: predicate).map(\.kind) == [])
  }

  /// The statement of a device is refused, too.
  @Test func aSourcePredicateOfTooManyPartsFailsInSQLAlone() throws {
    let parts = (0..<1_000).map { "age == \($0)" }.joined(separator: " OR ")
    let results = try results(predicate: parts)
    #expect(results.map(\.id.backend) == [.memory, .sqlite])
    #expect(results.map { $0.failures.map(\.kind) } == [[], [.error]])
    let notes = results.last?.failures.first?.notes ?? []
    #expect(
      notes.contains {
        $0.hasSuffix(
          "do: the predicate joins too many conditions by AND or OR, for a device, too; "
            + "write 'key IN {…}', or fetch in parts")
      }, "\(notes)")
  }

  @Test func anExpectationMayHaveAnyNumberOfParts() throws {
    let all = (100..<1_200).map { "age != \($0)" }.joined(separator: " AND ")
    let any = (0..<1_100).map { "age == \($0)" }.joined(separator: " OR ")
    let results = try play(
      """
      scenario: Ages
      models:
        v1: { User: { age: int32? } }
        v2: { User: { age: int32?, name: string? } }
      seed:
        User: [{ id: a, age: 20 }, { id: b, age: 200 }, { id: c }]
      chain: [v1 -> v2]
      expect:
        - object: User where \(all) AND age != nil
          has: { age: 20 }
        - none: User where age != nil AND NOT (\(any))
      """)
    #expect(results.map(\.id.backend) == [.memory, .sqlite])
    #expect(results.flatMap(\.failures).map(\.kind) == [])
  }

  @Test(arguments: [
    "backends: [sqlite]", "accept: [{ finding: sql-differs, because: it is known }]",
  ])
  func whoeverMeansItSaysSo(_ head: String) throws {
    #expect(try failures(predicate: "country != \"Sweden\"", head).map(\.kind) == [])
  }

  @Test func whatIsAcceptedAndDoesNotOccurIsNoted() throws {
    let accept =
      "accept: [{ finding: sql-differs, because: x }, { finding: wrong-count, because: y }]"
    let notes = ["sql-differs", "wrong-count"].map {
      "'\($0)' is accepted and didn't occur: leave it out of 'accept'"
    }
    #expect(try results(predicate: "age > 1", accept).flatMap(\.notes) == notes)
    #expect(
      try results(predicate: "country != \"Sweden\"", accept).flatMap(\.notes) == [notes[1]])
  }

  @Test func anAcceptedFindingNeedsItsReason() throws {
    let error = #expect(throws: Diagnostics.self) {
      try failures(predicate: "age > 1", "accept: [{ finding: sql-differs }]")
    }
    #expect("\(try #require(error))".contains("'sql-differs' needs the reason"))
    let unknown = #expect(throws: Diagnostics.self) {
      try failures(predicate: "age > 1", "accept: [{ finding: other, because: x }]")
    }
    #expect(
      "\(try #require(unknown))".contains(
        "must be one of: sql-differs, unknown-on-device, sqlite-integrity"))
    let backend = #expect(throws: Diagnostics.self) {
      try failures(predicate: "age > 1", "backends: [sqlit]")
    }
    #expect("\(try #require(backend))".contains("did you mean"))
  }
}
