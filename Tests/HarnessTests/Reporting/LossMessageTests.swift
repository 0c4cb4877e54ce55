import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What is told of objects and values that a migration lost.
@Suite struct LossMessageTests {
  private func texts(
    _ text: String, _ backend: Backend, _ policies: PolicyRegistry = PolicyRegistry()
  ) throws -> [String] {
    let result = try #require(try play(text, policies: policies, on: [backend]).first)
    return result.failures.map {
      FailureText(failure: $0, result: result).lines().joined(separator: "\n")
    }
  }

  /// Two songs of an album, of which the mapping takes one along.
  private static let album = """
    scenario: s
    models:
      v1: { Song: { title: string, album: Album? <-> songs }, Album: { name: string, songs: "[Song] <-> album" } }
      v2: { Song: { title: string, album: Album? <-> songs }, Album: { name: string, year: int16 = 5, songs: "[Song] <-> album" } }
    seed:
      Song: [{ id: waltz, title: Waltz, album: best }, { id: tango, title: Tango, album: best }]
      Album: [{ id: best, name: Best }]
    chain:
      - v1 -> v2:
          SongToSong: { source: Song, destination: Song, predicate: title == "Waltz" }
          AlbumToAlbum: { source: Album, destination: Album }
    expect:
      - object: Album best
        has: { songs: [waltz, tango], name: Worst }

    """

  @Test(arguments: Backend.allCases)
  func aLinkToAnObjectThatBecameNothingIsAMismatch(_ backend: Backend) throws {
    let result = try #require(try play(Self.album, on: [backend]).first)
    let told = result.failures.map { failure in
      let values = failure.history.map { "\($0.version): \($0.value ?? "-")" }
      return "\(failure.line); " + (failure.notes + values).joined(separator: "; ")
    }
    #expect(
      told == [
        "expectation 14: Album best, songs: expected [Song tango, Song waltz], found [Song waltz]; Song tango: "
          + "there is no object 'tango'; it was dropped; v1: [Song tango, Song waltz]; v2: [Song waltz]",
        "expectation 14: Album best, name: expected \"Worst\", found \"Best\"; v1: \"Best\"; v2: \"Best\"",
      ])
    #expect(result.failures.map { $0.origin?.step } == ["v1 -> v2", nil])
    // What is lost isn't written down as right.
    #expect(result.failures.map(\.repairs.count) == [0, 1])
  }

  private static func lost(_ before: String, _ after: String) -> String {
    """
    scenario: s
    models:
      v1: { Song: { title: string\(before) } }
      v2: { Song: { title: string\(after) } }
    seed: { Song: [{ id: waltz, title: Waltz }] }
    chain: [v1 -> v2]
    expect:
      - object: Song waltz
        has: { singer: Ann }

    """
  }

  @Test(arguments: [
    (", artist: string?", ", singer: string?", true),
    ("", ", singer: string?", false),
    (", rank: int16?", ", singer: string?", false),
    (", artist: string?", ", singer: string?, name: string? was artist", false),
    (", artist: string?", ", artist: string?, singer: string?", false),
  ])
  func aRenamingIsSuspectedWhereSomethingWent(
    _ before: String, _ after: String, _ isSuspected: Bool
  ) throws {
    let text = try #require(try texts(Self.lost(before, after), .memory).first)
    #expect(text.contains("found     null"))
    #expect(text.contains("lost-rename") == isSuspected, "\(text)")
  }

  /// The source's entity of the same name is another one then: whether a device keeps its objects isn't known.
  @Test(arguments: [("Nothing", true), ("Song", false)])
  func aRenamingFromNobodyIsNamed(_ was: String, _ isWrong: Bool) throws {
    let text = """
      scenario: s
      models:
        v1: { Song: { title: string } }
        v2: { Song: { .was: \(was), title: string, n: int16? } }
      seed: { Song: [{ title: Waltz }] }
      chain: [v1 -> v2]
      expect: [{ count: { Song: 2 } }]

      """
    let reports = try texts(text, .memory)
    #expect(reports.contains { $0.contains("count of Song") })
    let doubt = "found     Song was known as 'Song' and is known as 'Nothing' now"
    #expect(reports.contains { $0.contains(doubt) } == isWrong, "\(reports)")
  }

  /// Takes no album along.
  private final class AlbumDropper: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if sInstance.entity.name == "Album" { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }

  /// Where no album is mapped, which the step's remarks say, a policy that associates nothing isn't the cause; nor is
  /// it where there is no policy.
  @Test(arguments: [(true, true), (true, false), (false, true)])
  func whatNoMappingTakesIsNoMissingAssociation(_ isMapped: Bool, _ hasPolicy: Bool) throws {
    let policy = hasPolicy ? ", policy: App.AlbumDropper" : ""
    let album =
      "A: { source: Album, destination: Album, predicate: name == '\(hasPolicy ? "Best" : "x")'"
    let text = """
      scenario: s
      models:
        v1: { Song: { title: string }, Album: { name: string } }
        v2: { Song: { title: string, n: int16? }, Album: { name: string } }
      seed: { Song: [{ id: waltz, title: Waltz }], Album: [{ id: best, name: Best }, { name: x }] }
      chain:
        - v1 -> v2:
            S: { source: Song, destination: Song\(policy) }
            \(isMapped ? "\(album)\(policy) }" : "")
      expect: [{ object: Album best, has: { name: Best } }]

      """
    var policies = PolicyRegistry()
    policies.register("App.AlbumDropper") { AlbumDropper() }
    let report = try #require(try texts(text, .memory, policies).first)
    #expect(report.contains("it was dropped"))
    #expect(report.contains("not-associated") == (isMapped && hasPolicy), "\(report)")
  }

  @Test func aScenarioWithoutPoliciesIsToldSo() throws {
    let text = """
      scenario: s
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: string, n: int16? } }
      seed: { Song: [{ title: Waltz }] }
      chain:
        - v1 -> v2:
            S: { source: Song, destination: Song, policy: App.P }
      expect: [{ count: { Song: 1 } }]

      """
    let report = try #require(try texts(text, .memory).first)
    #expect(report.contains("named (App.P)"))
    #expect(report.contains("the scenario has no 'policies'"), "\(report)")
    #expect(!report.contains("Compare module and class"))
  }
}
