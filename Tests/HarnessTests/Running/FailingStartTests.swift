import Foundation
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import ScenarioLanguage
@testable import ScenarioRunner
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
          - hops: []
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
    let results = try play(
      Self.models + """
        start: v1
        seed: { Song: [{ title: Waltz }] }
        chain:
          - v1 -> v2: { .infer: false }
        expect:
          - fails: { code: 134140, step: v1 -> v2 }
          - hops: []
        """)
    #expect(results.map(\.failures.count) == [0, 0])
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
