import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Which hook is behind what went wrong, for everything that an expectation can look at.
@Suite struct HookReplayTests {
  /// Spoils one name.
  private final class TagPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard sInstance.value(forKey: "name") as? String == "food" else { return }
      manager.destinationInstances(
        forEntityMappingName: "TagToTag", sourceInstances: [sInstance]
      ).first?.setValue("fodo", forKey: "name")
    }
  }

  /// Drops an event, forgets the tags of another, spoils its rating, and makes tags that nobody seeded.
  private final class EventPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      if sInstance.value(forKey: "title") as? String == "gone" { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func createRelationships(
      forDestination dInstance: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      guard dInstance.value(forKey: "title") as? String == "walk" else { return }
      dInstance.setValue(NSSet(), forKey: "tags")
      dInstance.setValue(-1, forKey: "rating")
    }

    override func endRelationshipCreation(
      forMapping mapping: EntityMapping, manager: MigrationManager
    ) throws {
      let tag = EntityDescription.insertNewObject(
        forEntityName: "Tag", into: manager.destinationContext)
      tag.setValue("friends", forKey: "name")
    }
  }

  private static let head = """
    scenario: Spoiled
    models:
      v1:
        Event: { title: string, rating: int32, tags: "[Tag] <-> events" }
        Tag: { name: string, events: "[Event] <-> tags" }
      v2:
        Event: { title: string, rating: int32, tags: "[Tag] <-> events" }
        Tag: { name: string, weight: int32 = 0, events: "[Event] <-> tags" }
      v3:
        Event: { title: string, rating: int32, note: string?, tags: "[Tag] <-> events" }
        Tag: { name: string, weight: int32 = 0, events: "[Event] <-> tags" }
    seed:
      Tag: [{ id: food, name: food }, { id: friends, name: friends }]
      Event:
        - { id: dinner, title: dinner, rating: 5, tags: [food, friends] }
        - { id: walk, title: walk, rating: 4, tags: [friends] }
        - { id: gone, title: gone, rating: 1, tags: [friends] }
    chain:
      - v1 -> v2:
          TagToTag: { source: Tag, destination: Tag, policy: App.TagPolicy }
          EventToEvent: { source: Event, destination: Event, policy: App.EventPolicy }
      - v2 -> v3
    expect:

    """

  private func facts(_ expectation: String, on backend: Backend, replays: Bool = true) throws
    -> [String: String]
  {
    let folder = try TemporaryFolder()
    try folder.write(Self.head + expectation, to: "A.scenario.yaml")
    let scenario = try CheckedScenario.load(
      contentsOf: folder.url.appending(path: "A.scenario.yaml"), shownAs: "A.scenario.yaml")
    var policies = PolicyRegistry()
    policies.register("App.TagPolicy") { TagPolicy() }
    policies.register("App.EventPolicy") { EventPolicy() }
    let played = try RunPlayer(scenario: scenario, policies: policies).play(
      RunID(scenario, start: "v1", backend: backend), in: folder.url.appending(path: "stores"),
      willReplay: replays ? { _ in } : nil)
    let failure = try #require(played.result.failures.first)
    let facts = FailureText(failure: failure, result: played.result).facts
    return Dictionary(facts.map { ($0.label, $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  private static let made = "v1 -> v2, instance creation: createDestinationInstances of"
  private static let linked = "v1 -> v2, relationship creation: createRelationships of EventToEvent"

  private static let ended =
    "v1 -> v2, relationship creation: endRelationshipCreation of EventToEvent"

  @Test(
    arguments: [
      // The name is wrong, not the link.
      (
        "- { object: Event dinner, has: { tags.name: [food, friends] } }",
        "\(made) TagToTag, for Tag food"
      ),
      // The link is wrong: the expected name is another tag's.
      ("- { object: Event walk, has: { tags.name: [friends] } }", linked),
      ("- { object: Event walk, has: { tags: [friends] } }", linked),
      ("- { object: Event walk, has: { tags.@count: 1 } }", linked),
      ("- { object: Event walk, has: { rating: 4 } }", linked),
      ("- count: { Event where rating < 0: 0 }", linked),
      ("- count: { Event where rating > 3: 2 }", linked),
      ("- none: Event where rating < 0", linked),
      ("- some: Event where rating == 4", linked),
      ("- all: Event where rating > 0", linked),
      ("- none: Tag where name == \"fodo\"", "\(made) TagToTag, for Tag food"),
      // What no object of the seed became.
      ("- count: { Tag where name == \"friends\": 1 }", ended),
      ("- unique: Tag.weight", "\(made) TagToTag, for Tag friends"),
      ("- object: Event gone", "\(made) EventToEvent, for Event gone"),
    ], Backend.allCases)
  func theHookIsNamed(_ given: (expectation: String, since: String), on backend: Backend) throws {
    let facts = try facts(given.expectation, on: backend)
    #expect(facts["since"] == given.since, "\(given.expectation)")
  }

  /// Conditions are counted in the stores on the way.
  @Test func conditionsHaveAHistory() throws {
    #expect(
      try facts("- count: { Event where rating > 3: 2 }", on: .memory)["values"]
        == "v1: 2; v2: 1; v3: 1")
    #expect(
      try facts("- none: Tag where weight >= 0 AND ANY events.rating > 0", on: .memory)["values"]
        == "v1: -; v2: 2; v3: 2")
  }

  /// What isn't looked for is said.
  @Test func withoutAnotherPlayTheReasonIsToldInPlaceOfTheHook() throws {
    #expect(
      try facts("- none: Event where rating < 0", on: .memory, replays: false)["since"]
        == "v1 -> v2 (hooks are found only if runs have their own processes)")
  }
}
