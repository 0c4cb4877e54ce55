import Foundation
import TestSupport
import Testing

@testable import Persistence
@testable import Scenarios

/// What the commands make of stores in SwiftData's layout; docs/swiftdata.md has most of it.
@Suite(.tags(.process), .tiered) struct SwiftDataTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SwiftDataStores.write(to: folder.url.appending(path: "Fixtures"))
  }

  private static let scenario = """
    scenario: Trips of the first release
    models:
      1.0: Fixtures/1.0.store
      1.1: Fixtures/1.1.store
      2.0: Fixtures/2.0.store
    store: Fixtures/1.0.store
    chain: [1.0 -> 1.1, 1.1 -> 2.0]
    expect:
      - count: { Trip: 2, Stop: 2 }
      - object: Trip where name == "Alps"
        has:
          kind: { kind: hiking }
          place: { city: Bern, tags: '["snow","hut"]' }
          guests: [Ann, Ben]
          rating: 0

    """

  private func content(of name: String) throws -> [Data] {
    try ["", "-wal"].map { try Data(contentsOf: folder.url.appending(path: name + $0)) }
  }

  @Test(arguments: SwiftDataStores.names) func inspectFindsNothingWrong(_ version: String) throws {
    let store = "Fixtures/\(version).store"
    let before = try content(of: store)
    let result = try Tool.run(["inspect", store, "--models", store], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("  ATRANSACTIONSTRING         2\n"), "\(result.output)")
    #expect(
      result.output.hasSuffix("\n\nnothing wrong\n"), "\(result.output)")
    #expect(try content(of: store) == before)
  }

  @Test func aScenarioMigratesAFixtureThroughTheModelsOfOthers() throws {
    try folder.write(Self.scenario, to: "trips.scenario.yaml")
    let result = try Tool.run(["run", "trips.scenario.yaml"], in: folder)
    #expect(result.status == 0, "\(result)")
    let migrated = try Tool.run(
      [
        "migrate", "Fixtures/1.0.store", "--scenario", "trips.scenario.yaml", "-o", "new.store",
      ], in: folder)
    #expect(migrated.status == 0, "\(migrated)")
    #expect(
      migrated.output.contains("  left behind: ACHANGE, 4 rows, persistent history\n"),
      "\(migrated.output)")
    let again = try Tool.run(
      ["diff", "Fixtures/1.0.store", "new.store"], in: folder)
    #expect(again.output.contains("equal: 4 objects"), "\(again)")
  }

  @Test func failuresShowBytesOfJSONAsJSON() throws {
    try folder.write(
      Self.scenario.replacing(#"["snow","hut"]"#, with: #"["hut"]"#).replacing(
        "hiking", with: "cycling"), to: "trips.scenario.yaml")
    let result = try Tool.run(["run", "trips.scenario.yaml"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        #"""
              expected  {city: "Bern", tags: ["hut"]}
              found     {city: "Bern", tags: ["snow","hut"]}

        """#.replacing(#/(?m)^ {8}/#, with: "")), "\(result.output)")
  }

  @Test func diffNamesTheElementsThatDiffer() throws {
    let database = folder.url.appending(path: "Fixtures/1.1.store").path
    let changed = try Tool.run(
      script: """
        sqlite3 '\(database)' "UPDATE ZTRIP SET ZTAGS = CAST('[\\"sun\\"]' AS BLOB), ZKIND = 'skiing' WHERE ZNAME = 'Alps'"
        """, [], in: folder)
    try #require(changed.status == 0, "\(changed)")
    let result = try Tool.run(["diff", "Fixtures/1.0.store", "Fixtures/1.1.store"], in: folder)
    #expect(
      result.output.contains(
        """
        Trip: 1 changed (kind 1, place 1)
          ~ Trip { name: "Alps" }
              kind.kind: "hiking" -> "skiing"
              place.tags: ["snow","hut"] -> ["sun"]

        """), "\(result.output)")
  }

  @Test func captureWritesJSONAndWithoutTheCustomerOtherJSON() throws {
    let arguments = ["capture", "Fixtures/1.1.store", "--models", "Fixtures/1.1.store", "-o"]
    let captured = try Tool.run(arguments + ["Captured"], in: folder)
    try #require(captured.status == 0, "\(captured)")
    let text = try String(
      contentsOf: folder.url.appending(path: "Captured/Captured.scenario.yaml"), encoding: .utf8)
    #expect(text.contains(#"place: { city: Bern, tags: "[\"snow\",\"hut\"]" }"#), "\(text)")
    let anonymous = try Tool.run(arguments + ["Anonymous", "--anonymize"], in: folder)
    try #require(anonymous.status == 0, "\(anonymous)")
    let other = try String(
      contentsOf: folder.url.appending(path: "Anonymous/Captured.scenario.yaml"), encoding: .utf8)
    #expect(!other.contains("Bern") && !other.contains("hut"))
    // The same words are others, in the same form.
    #expect(other.contains(/tags: "\[\\"\p{L}{4}\\",\\"\p{L}{3}\\"\]"/), "\(other)")
    #expect(other.contains(/next: "\{\\"implementation\\":\{\\"entityName\\":/), "\(other)")
    #expect(
      anonymous.errors.hasPrefix(
        "names within JSON and property lists stay: Stop.next (entityName, implementation,"),
      "\(anonymous)")
    let run = try Tool.run(["run", "Captured", "Anonymous"], in: folder)
    #expect(run.status == 0, "\(run)")
  }

  /// SwiftData migrates from the store's own model, so that no device has the error.
  @Test func anErrorThatSwiftDataDoesNotHaveIsUnknownOnADevice() throws {
    let scenario = """
      scenario: A store of no version is refused
      models: { v1: { Trip: { name: string } }, v2: { Trip: { name: string, x: string? } } }
      store: Fixtures/1.0.store
      chain: [v1 -> v2]
      expect: [{ fails: { code: 134130 } }]

      """
    try folder.write(scenario, to: "refused.scenario.yaml")
    let result = try Tool.run(["run", "refused.scenario.yaml"], in: folder)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains(
        """
            refused.scenario.yaml:3:8: unknown on a device: the store
              expected  a store that a device is known to refuse like this
              found     the store is SwiftData's, and has a model of its own to be migrated from: what a device does here isn't known
              SwiftData migrates it from there where there is no migration plan, and ends with 134504 where a plan lacks its version.
              Take the store as a version to start with, 'models: { old: STORE, … }', or try it on a device and accept it: accept: [{ finding: unknown-on-device, because: … }].

        """
      ), "\(result)")
    try folder.write(
      scenario + "accept: [{ finding: unknown-on-device, because: Not by SwiftData. }]\n",
      to: "refused.scenario.yaml")
    #expect(try Tool.run(["run", "refused.scenario.yaml"], in: folder).status == 0)
  }

  /// History is SwiftData's, and may be Core Data's, too.
  @Test func aStoreWithHistoryAndWithoutMarksMayBeSwiftDatas() throws {
    let entities = try ["Stop", "Trip"].map {
      try ModelNotation.entity($0, properties: ["title": "string"])
    }
    try SwiftDataStores.write(
      ManagedObjectModel(entities: entities), isReleased: false,
      to: folder.url.appending(path: "trips.store"))
    try folder.write(
      """
      scenario: A store of no version is refused
      models: { v1: { Trip: { title: string?, x: string? } }, v2: { Trip: { title: string? } } }
      store: trips.store
      chain: [v1 -> v2]
      expect: [{ fails: { code: 134130 } }]

      """, to: "refused.scenario.yaml")
    let result = try Tool.run(["run", "refused.scenario.yaml"], in: folder)
    #expect(result.status == 1, "\(result)")
    #expect(
      result.output.contains(
        "found     the store may be SwiftData's, since it has persistent history, and has a model of its own to be migrated from: what a device does here isn't known"
      ), "\(result)")
  }

  /// A property that is new and required, as every other report from SwiftData is about.
  @Test func reduceAndSmokeNameTheRequiredProperty() throws {
    try folder.write(
      Self.scenario.replacing("2.0.store", with: "2.0-draft.store"), to: "trips.scenario.yaml")
    let failed = try Tool.run(["run", "trips.scenario.yaml"], in: folder)
    #expect(failed.status == 1 && failed.output.contains("property: rating"), "\(failed)")
    let reduced = try Tool.run(
      ["reduce", "trips.scenario.yaml", "-o", "Reduced.scenario.yaml"], in: folder)
    #expect(reduced.status == 0, "\(reduced)")
    let smoke = try Tool.run(["smoke", "Fixtures/2.0.store"], in: folder)
    #expect(smoke.status == 5 && smoke.errors == "", "\(smoke)")
  }
}
