@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// The scenario that the documentation starts with.
let tagsScenario = """
  scenario: Comma-separated tags become Tag objects
  about: An event kept its tags in one string. Version 1.2 gives each distinct tag one object.
  models:
    v1.1:
      Event: { timestamp: date, latitude: double, tags: string? }
    v1.2:
      Event: { timestamp: date, latitude: double, tags: "[Tag] <-> events" }
      Tag:   { name: string, events: "[Event] <-> tags" }
  policies: { module: Locations, sources: Policies/TagsMigrationPolicy.swift }
  seed:
    Event:
      - { id: dinner, timestamp: 2012-12-25T18:00:00Z, latitude: 59.3, tags: "food, friends , food,," }
      - { id: walk,   timestamp: 2012-12-26T09:00:00Z, latitude: 59.4, tags: "friends" }
  chain:
    - v1.1 -> v1.2:
        EventToEvent: { source: Event, destination: Event, policy: Locations.TagsMigrationPolicy }
  expect:
    - count: { Event: 2, Tag: 2 }
    - unique: Tag.name
    - inverse: Event.tags
    - none: Tag where name == "" OR name CONTAINS ","
    - object: Event dinner
      has: { tags.name: [food, friends], latitude: 59.3 }
  """

/// Reads a scenario from text.
func read(_ text: String) throws -> Scenario {
  let file = SourceFile(path: "test.scenario.yaml", text: text)
  return try ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere"))
}

/// What is wrong in the form of a file's scenarios; empty when all are well formed.
func allComplaints(_ text: String) -> String {
  do {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    _ = try ScenarioReader.readAll(
      file, in: URL(fileURLWithPath: "/nowhere"))
    return ""
  } catch {
    return "\(error)"
  }
}

/// What is wrong in the form of a scenario, as a person sees it; empty when it is well formed.
func complaints(_ text: String) -> String {
  do {
    _ = try read(text)
    return ""
  } catch {
    return "\(error)"
  }
}
