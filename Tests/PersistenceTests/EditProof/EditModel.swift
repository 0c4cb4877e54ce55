import Persistence

/// The model of generated edits: every kind of relationship, two of them their own inverses.
enum EditModel {
  /// What differs between the variants.
  struct Variant: Hashable, CustomStringConvertible {
    var teamRule: DeleteRule
    var taskRule: DeleteRule
    var isUnique: Bool
    var needsOwner: Bool

    /// Which sides of the links between people and the tasks they help with are ordered.
    var ordersHelps: Bool { taskRule == .cascade }
    var ordersHelpers: Bool { teamRule == .cascade || teamRule == .deny }

    var description: String {
      "team \(teamRule), tasks \(taskRule)" + (isUnique ? ", unique" : "")
        + (needsOwner ? ", owner needed" : "")
    }
  }

  static let attributes = ["name", "code", "age", "number", "title"]
  static let entities = ["Team", "Person", "Player", "Task"]
  /// What is asked for amid unsaved changes: attributes, and relationships of every kind.
  static let questions = [
    (entity: "Team", format: "code == '1'"), (entity: "Team", format: "members.@count > 1"),
    (entity: "Person", format: "name == '1' OR age == 0"),
    (entity: "Person", format: "team.code == '1'"),
    (entity: "Person", format: "ANY tasks.title == '1'"),
    (entity: "Person", format: "ANY friends.name == '2'"),
    (entity: "Player", format: "number == nil AND leads == nil"),
    (entity: "Task", format: "owner.team != nil"), (entity: "Task", format: "helpers.@count == 0"),
    (entity: "Task", format: "ANY helpers.spouse != nil"),
  ]

  static func make(_ variant: Variant) throws -> ManagedObjectModel {
    let members = LibraryModel.toMany("members", "Person", "team")
    members.deleteRule = variant.teamRule
    let team = LibraryModel.entity(
      "Team",
      [
        text("name"), text("code"), members, LibraryModel.toOne("leader", "Person", "leads"),
      ])
    if variant.isUnique { team.uniquenessConstraints = [["code"]] }
    let player = LibraryModel.entity("Player", [number("number")])
    player.superentityName = "Person"
    return try ManagedObjectModel(
      entities: [team, person(variant), player, task(variant)], name: "Edits")
  }

  private static func person(_ variant: Variant) -> EntityDescription {
    let tasks = LibraryModel.toMany("tasks", "Task", "owner", ordered: true)
    tasks.deleteRule = variant.taskRule
    let person = LibraryModel.entity(
      "Person",
      [
        text("name"), number("age"), LibraryModel.toOne("team", "Team", "members"),
        LibraryModel.toOne("leads", "Team", "leader"),
        LibraryModel.toOne("spouse", "Person", "spouse"),
        LibraryModel.toMany("friends", "Person", "friends"), tasks,
        LibraryModel.toMany("helps", "Task", "helpers", ordered: variant.ordersHelps),
      ])
    if variant.isUnique { person.uniquenessConstraints = [["name", "age"]] }
    return person
  }

  private static func task(_ variant: Variant) -> EntityDescription {
    let owner = LibraryModel.toOne("owner", "Person", "tasks")
    owner.isOptional = !variant.needsOwner
    let helpers = LibraryModel.toMany(
      "helpers", "Person", "helps", ordered: variant.ordersHelpers)
    return LibraryModel.entity("Task", [text("title"), owner, helpers])
  }

  private static func text(_ name: String) -> AttributeDescription {
    LibraryModel.attribute(name, .string, optional: true)
  }

  private static func number(_ name: String) -> AttributeDescription {
    LibraryModel.attribute(name, .integer32, optional: true)
  }
}
