import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Runs that end before or at a step's beginning, or with an error that isn't Core Data's.
@Suite struct FailingStartTests {
  private static let models = """
    scenario: An edited version
    models:
      v1:
        Song: { title: string }
      draft:
        Song: { title: string, slug: string }
      v2:
        Song: { title: string, slug: string? }

    """

  @Test func aStoreOfAVersionOffTheChainHasNoModel() throws {
    let results = try play(
      Self.models + """
        start: draft
        seed: { Song: [{ title: Waltz, slug: waltz }] }
        chain:
          - v1 -> v2
        expect:
          - fails: { code: 134130, message: Can't find model for source store }
          - steps: []
          - store: draft
          - source: untouched
        """)
    #expect(results.map(\.failures.count) == [0, 0])
    #expect(results.map(\.checkCount) == [4, 4])
  }

  @Test func aStartOffTheChainIsAMistakeWithoutThatError() throws {
    #expect(throws: Diagnostics.self) {
      try checked(
        Self.models + """
          start: draft
          seed: { Song: [{ title: Waltz, slug: waltz }] }
          chain:
            - v1 -> v2
          expect:
            - count: { Song: 1 }
          """)
    }
  }

  @Test func aStepWithoutMappingWasNotExecuted() throws {
    let results = try playWithoutMapping("code: 134140, step: v1 -> v2")
    #expect(results.map(\.failures.count) == [0, 0])
  }

  /// An expected error that any other would do for is noted, with its code.
  @Test(arguments: [
    ("step: v1 -> v2", true), ("code: 134140", false), ("domain: NSCocoaErrorDomain", false),
  ])
  func vagueErrorsAreNoted(_ said: String, isNoted: Bool) throws {
    let results = try playWithoutMapping(said)
    let notes = results.flatMap(\.notes).filter { $0.hasPrefix("'fails' meets any error there") }
    #expect(notes.isEmpty != isNoted, "\(results.flatMap(\.failures))")
  }

  private func playWithoutMapping(_ said: String) throws -> [RunResult] {
    try play(
      Self.models + """
        start: v1
        seed: { Song: [{ title: Waltz }] }
        chain:
          - v1 -> v2: { .infer: false }
        expect:
          - fails: { \(said) }
          - steps: []
        """)
  }

  private static let equals = """
    scenario: Versions that are equal to Core Data
    models:
      v0: { Song: { rank: int32 = 0 } }
      v1: { Song: { rank: int32 = 0 } }
      v2: { Song: { rank: int32 = 0, note: string? } }
      v3: { Song: { rank: int32 = 1, note: string? } }
      v4: { Song: { rank: int32 = 1, note: string? } }
    seed: { Song: [{ rank: 1 }] }
    chain: [v0 -> v1, v1 -> v2, v2 -> v3, v3 -> v4]

    """

  /// A store of one of two equal versions is of both: no app migrates it from one to the other.
  @Test func aStepBetweenEqualVersionsIsNotExecuted() throws {
    let text = Self.equals + "expect:\n  - { at: v1, count: { Song: 1 } }\n"
    #expect(
      try outcomes(text)
        == Array(
          repeating: [
            "not executed 9: the step: expected to be executed, found the store already fits v1"
          ], count: 2))
    let all =
      text + """
          - { at: v2, count: { Song: 1 } }
          - { at: v3, count: { Song: 1 } }
          - steps: [v1 -> v2: inferred]
          - store: v4
        """
    #expect(try outcomes(all) == [[], []])
    #expect(
      try outcomes(all.replacing("[v1 -> v2: inferred]", with: "[v0 -> v1, v1 -> v2]")).map(\.count)
        == [1, 1])
  }

  @Test func aStepBetweenEqualVersionsLooksAtNothingOfItsMapping() throws {
    let mapping = "v2 -> v3: { Made: { source: Song, destination: Song, policy: App.None } }"
    let text = Self.equals.replacing("v2 -> v3", with: "\"v2 -> v3\"").replacing(
      "[v0 -> v1, v1 -> v2, \"v2 -> v3\", v3 -> v4]",
      with: "[v0 -> v1, v1 -> v2, \(mapping), v3 -> v4]")
    #expect(
      try outcomes(text + "expect: [{ steps: [v1 -> v2] }, { count: { Song: 1 } }]") == [[], []])
  }

  /// Fails as an app's policy does, with an error of its own.
  private final class RefusingPolicy: EntityMigrationPolicy {
    struct Refusal: LocalizedError {
      var errorDescription: String? { "The songs don't add up." }
    }

    override func performCustomValidation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {
      throw Refusal()
    }
  }

  @Test func aPolicysOwnErrorIsKnownByItsText() throws {
    var policies = PolicyRegistry()
    policies.register("App.RefusingPolicy") { RefusingPolicy() }
    let results = try play(
      Self.models + """
        start: v1
        seed: { Song: [{ title: Waltz }] }
        chain:
          - v1 -> v2:
              SongToSong: { source: Song, destination: Song, policy: App.RefusingPolicy }
        expect:
          - fails: { pass: validation, mapping: SongToSong, message: The songs don't add up. }
        """, policies: policies)
    #expect(results.map(\.failures.count) == [0, 0])
  }
}
