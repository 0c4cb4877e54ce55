import Persistence

/// The model of generated edits: every kind of relationship, two of them their own inverses.
enum EditModel {
  /// What differs between the variants.
  struct Variant: Hashable, CustomStringConvertible {
    var teamRule: DeleteRule
    var taskRule: DeleteRule
    var isUnique: Bool
    var needsOwner: Bool
    /// nil for the plain model.
    var extras: Extras?

    /// Which sides of the links between people and the tasks they help with are ordered.
    var ordersHelps: Bool { taskRule == .cascade }
    var ordersHelpers: Bool { teamRule == .cascade || teamRule == .deny }

    var description: String {
      "team \(teamRule), tasks \(taskRule)" + (isUnique ? ", unique" : "")
        + (needsOwner ? ", owner needed" : "") + (extras.map { ", \($0)" } ?? "")
    }
  }

  /// What wide cases have beside the plain model.
  struct Extras: Hashable, CustomStringConvertible {
    /// The rule of links that otherwise have *nullify*.
    var linkRule: DeleteRule
    /// Whether there are relationships without inverse.
    var hasLoose: Bool
    /// Whether relationships to many have least and most counts.
    var isLimited: Bool

    var description: String {
      "links \(linkRule)" + (hasLoose ? ", loose" : "") + (isLimited ? ", limited" : "")
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
    let (person, task) = (person(variant), task(variant))
    variant.extras?.apply(to: team, person, task)
    return try ManagedObjectModel(entities: [team, person, player, task], name: "Edits")
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

extension EditModel.Extras {
  fileprivate func apply(
    to team: EntityDescription, _ person: EntityDescription, _ task: EntityDescription
  ) {
    let links = [team, person, task].flatMap(\.ownProperties).compactMap {
      $0 as? RelationshipDescription
    }
    for link in links where link.deleteRule == .nullify { link.deleteRule = linkRule }
    if isLimited {
      limit("members", to: 1...2, among: links)
      limit("tasks", to: 0...2, among: links)
      limit("helps", to: 2...2, among: links)
      limit("friends", to: 0...2, among: links)
    }
    if hasLoose {
      person.ownProperties += [
        LibraryModel.toOne("mentor", "Person", nil), LibraryModel.toMany("likes", "Task", nil),
      ]
      team.ownProperties.append(LibraryModel.toMany("route", "Task", nil, ordered: true))
    }
  }

  private func limit(
    _ name: String, to counts: ClosedRange<Int>, among links: [RelationshipDescription]
  ) {
    for link in links where link.name == name {
      link.minCount = counts.lowerBound
      link.maxCount = counts.upperBound
    }
  }
}
