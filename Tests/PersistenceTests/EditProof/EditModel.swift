import Persistence

/// The model of generated edits: every kind of relationship, two of them their own inverses.
enum EditModel {
  /// What differs between the variants.
  struct Variant: Hashable, CustomStringConvertible {
    var teamRule: DeleteRule
    var taskRule: DeleteRule
    var isUnique: Bool
    var needsOwner: Bool

    var description: String {
      "team \(teamRule), tasks \(taskRule)" + (isUnique ? ", unique" : "")
        + (needsOwner ? ", owner needed" : "")
    }
  }

  static let attributes = ["name", "code", "age", "number", "title"]
  static let entities = ["Team", "Person", "Player", "Task"]

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
      ])
    if variant.isUnique { person.uniquenessConstraints = [["name", "age"]] }
    return person
  }

  private static func task(_ variant: Variant) -> EntityDescription {
    let owner = LibraryModel.toOne("owner", "Person", "tasks")
    owner.isOptional = !variant.needsOwner
    return LibraryModel.entity("Task", [text("title"), owner])
  }

  private static func text(_ name: String) -> AttributeDescription {
    LibraryModel.attribute(name, .string, optional: true)
  }

  private static func number(_ name: String) -> AttributeDescription {
    LibraryModel.attribute(name, .integer32, optional: true)
  }
}
