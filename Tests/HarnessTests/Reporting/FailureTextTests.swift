import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Whole texts of failures: where, what, since when, why, and what to do.
@Suite struct FailureTextTests {
  private func first(
    _ text: String, policies: PolicyRegistry = PolicyRegistry(), backend: Backend = .memory
  ) throws -> String {
    let results = try play(text, policies: policies, on: [backend])
    return FailureText.first(of: try #require(results.first))
  }

  @Test(arguments: Backend.allCases)
  func aLostRenamingNamesStepValuesAndRemedy(_ backend: Backend) throws {
    #expect(
      try first(SampleReport.renamed, backend: backend)
        == """
        test.scenario.yaml:10:12: Song waltz, singer
          expected  "Ann & <b>Bob</b>"
          found     null
          at        v2 -> v3, inferred
          since     v2 -> v3
          values    v1: -; v2: -; v3: null
          hint      Set the renaming identifier of the property or entity to its old name (`was` and \
        the old name in the short notation).
                    heavyweight explain lost-rename
          again     heavyweight run test.scenario.yaml --backend \(backend.rawValue)
        """)
  }

  @Test(arguments: Backend.allCases)
  func aWrongValueIsFollowedToTheVersionThatHasItFirst(_ backend: Backend) throws {
    let result = try #require(try play(SampleReport.renamed, on: [backend]).first)
    let failure = try #require(result.failures.dropFirst().first)
    #expect(
      FailureText(failure: failure, result: result).lines().joined(separator: "\n") == """
        test.scenario.yaml:10:40: Song waltz, length
          expected  8
          found     7
          at        v2 -> v3, inferred
          since     v1 -> v2
          values    v1: -; v2: 7; v3: 7
          again     heavyweight run test.scenario.yaml --backend \(backend.rawValue)
        """)
  }

  @Test func renamedPropertiesAreFollowedByTheirIdentifiers() throws {
    let text = SampleReport.renamed.replacing("singer: string?", with: "singer: string? was artist")
      .replacing("has: { singer: \"Ann & <b>Bob</b>\", length: 8 }", with: "has: { singer: Eve }")
    let lines = try first(text)
    #expect(lines.contains("  since     the start: v1 already had it\n"), "\(lines)")
    #expect(lines.contains("values    v1: \"Ann & <b>Bob</b>\"; v2: \"Ann & <b>Bob</b>\"; v3: "))
  }

  @Test(arguments: Backend.allCases)
  func anErrorNamesPassObjectAndRemedy(_ backend: Backend) throws {
    let text = try first(SampleReport.required, backend: backend)
    #expect(text.hasPrefix("test.scenario.yaml:8:5: error: the chain\n  expected  no error\n"))
    for line in [
      "  found     NSCocoaErrorDomain 1570: createdAt is a required value.", "    step: v1 -> v2",
      "    pass: validation", "    entity mapping: SongToSong", "    property: createdAt",
      "    made from: Song waltz", "  at        v1 -> v2 with mapping in line 9",
      "  hint      heavyweight explain 1570",
      "  again     heavyweight run test.scenario.yaml --backend \(backend.rawValue)",
    ] {
      #expect(text.contains(line), "\(line) in:\n\(text)")
    }
  }

  @Test func aCountIsFollowedToo() throws {
    let text = SampleReport.renamed.replacing("count: { Song: 1 }", with: "count: { Song: 2 }")
    let result = try #require(try play(text, on: [.memory]).first)
    let failure = try #require(result.failures.last)
    #expect(
      FailureText(failure: failure, result: result).lines().joined(separator: "\n") == """
        test.scenario.yaml:11:20: count of Song
          expected  2
          found     1
          found: Song waltz
          at        v2 -> v3, inferred
          since     the start: v1 already had it
          values    v1: 1; v2: 1; v3: 1
          again     heavyweight run test.scenario.yaml --backend memory
        """)
  }

  /// Drops whom it doesn't know, and sets a value in the second pass.
  private final class BadPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if sInstance.value(forKey: "title") as? String == "Polka" { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      if dInstance.value(forKey: "title") as? String == "Tango" {
        dInstance.setValue(0, forKey: "length")
      }
    }
  }

  private static let policyText = """
    scenario: Lengths survive
    models:
      v1: { Song: { title: string, length: int32 } }
      v2: { Song: { title: string, length: int32, year: int16? } }
      v3: { Song: { title: string, length: int32, year: int16?, note: string? } }
    policies: { module: App, sources: Songs.swift }
    seed:
      Song:
        - { id: waltz, title: Waltz, length: 180 }
        - { id: tango, title: Tango, length: 240 }
        - { id: polka, title: Polka, length: 90 }
    chain:
      - v1 -> v2:
          SongToSong: { source: Song, destination: Song, policy: App.BadPolicy }
      - v2 -> v3
    expect:
      - object: Song tango
        has: { length: 240 }
      - object: Song polka

    """

  /// Plays it from a folder in which the policy's source is, and plays the step once more.
  private func replayed(_ backend: Backend) throws -> RunResult {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      // The app's policies.
      class OtherPolicy { func createRelationships() { if true { } } }
      final class BadPolicy: NSEntityMigrationPolicy {
        /* func createRelationships */
        override func createDestinationInstances() { let text = "}"; _ = { text } }

        override func createRelationships() {}
      }
      """, to: "Songs.swift")
    try folder.write(Self.policyText, to: "Songs.scenario.yaml")
    let scenario = try CheckedScenario.load(
      contentsOf: folder.url.appending(path: "Songs.scenario.yaml"),
      shownAs: "Scenarios/Songs.scenario.yaml")
    var policies = PolicyRegistry()
    policies.register("App.BadPolicy") { BadPolicy() }
    var saved: RunResult?
    let played = try RunPlayer(scenario: scenario, policies: policies).play(
      RunID(scenario, start: "v1", backend: backend), in: folder.url.appending(path: "stores"),
      willReplay: { saved = $0.result })
    // What was known before is there should the second play end the process.
    #expect(saved?.failures.count == 2)
    #expect(saved?.failures.first?.origin?.hook == nil)
    return played.result
  }

  @Test(arguments: Backend.allCases)
  func aPolicysValueIsFollowedToPassHookAndLine(_ backend: Backend) throws {
    let result = try replayed(backend)
    #expect(
      FailureText.first(of: result) == """
        Scenarios/Songs.scenario.yaml:18:12: Song tango, length
          expected  240
          found     0
          at        v2 -> v3, inferred
          since     v1 -> v2, relationship creation: createRelationships of SongToSong
          values    v1: 240; v2: 0; v3: 0
          code      Scenarios/Songs.swift:7, createRelationships of App.BadPolicy
          again     heavyweight run Scenarios/Songs.scenario.yaml --backend \(backend.rawValue)
        """)
  }

  @Test func aLostObjectIsFollowedToTheStepThatDroppedIt() throws {
    let result = try replayed(.memory)
    let failure = try #require(result.failures.last)
    #expect(
      FailureText(failure: failure, result: result).lines().joined(separator: "\n") == """
        Scenarios/Songs.scenario.yaml:19:5: Song polka
          expected  one object
          found     there is no object 'polka'; it was dropped
          at        v2 -> v3, inferred
          since     v1 -> v2, instance creation: createDestinationInstances of SongToSong, \
        for Song polka
          values    v1: Song; v2: nothing; v3: nothing
          code      Scenarios/Songs.swift:5, createDestinationInstances of App.BadPolicy
          hint      Call manager.associate(sourceInstance:withDestinationInstance:for:) for every \
        object that createDestinationInstances makes, and see that an entity mapping takes each \
        source object.
                    heavyweight explain not-associated
          again     heavyweight run Scenarios/Songs.scenario.yaml --backend memory
        """)
  }

  // MARK: Hints

  @Test(
    arguments: [
      (.missingPolicy(className: "SongPolicy"), "missing-module"),
      (.missingPolicy(className: "App.Song"), "unknown-policy"),
      (.unknownSelector, "unknown-selector"), (.foreignContext, "foreign-context"),
      (.wrongValueType, "wrong-value-type"), (.subclassCast, "subclass-cast"), (nil, "134110"),
    ] as [(CoreDataError.Mistake?, String)])
  func mistakesBehindErrorsAreExplained(_ mistake: CoreDataError.Mistake?, _ hint: String) {
    var error = CoreDataError(.migration, "whatever it says")
    error.mistake = mistake
    #expect(FailureHints.identifiers(for: error) == [hint])
    let outer = CoreDataError(.migration, "no value").with(value: nil, underlying: error)
    #expect(FailureHints.identifiers(for: outer) == [hint])
  }

  @Test func codesAreExplainedTheInnerOnesFirst() {
    var missing = CoreDataError(.migrationMissingMappingModel, "Can't find mapping model")
    missing.underlying = CoreDataError(.inferredMappingModel, "incompatible")
    #expect(FailureHints.identifiers(for: missing) == ["134190", "134140"])
    var several = CoreDataError(.validationMultipleErrors, "Multiple validation errors occurred.")
    several.details = [CoreDataError(.validationStringTooLong, "too long")]
    #expect(FailureHints.identifiers(for: several) == ["1660"])
  }

  @Test func aStaleMappingIsNamedAsTheCause() throws {
    let text = """
      scenario: An edit too many
      models:
        v1: { Song: { title: string } }
        draft: { Song: { title: string, slug: string? } }
        v2: { Song: { title: string, slug: string?, note: string? } }
      seed: { Song: [{ id: waltz, title: Waltz }] }
      chain:
        - v1 -> v2:
            .madeFor: v1 -> draft
            SongToSong: { source: Song, destination: Song, attributes: { slug: '"waltz"' } }
      expect:
        - object: Song waltz
          has: { slug: waltz }

      """
    let lines = try first(text)
    #expect(lines.contains("  hint      Recreate the mapping model "), "\(lines)")
    #expect(lines.contains("heavyweight explain stale-mapping"), "\(lines)")
  }
}
