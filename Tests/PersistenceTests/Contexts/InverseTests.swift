import Persistence
import TestSupport
import Testing

/// People and what they are to each other: relationships that are their own inverses, an ordered one,
/// and a ring.
private enum People {
  static func make(
    _ change: ([String: RelationshipDescription]) -> Void = { _ in }
  ) throws -> ManagedObjectModel {
    let reports = LibraryModel.toMany("reports", "Person", "boss", ordered: true)
    let person = LibraryModel.entity(
      "Person",
      [
        LibraryModel.attribute("name", .string, optional: true),
        LibraryModel.toOne("spouse", "Person", "spouse"),
        LibraryModel.toMany("friends", "Person", "friends"),
        LibraryModel.toOne("boss", "Person", "reports"), reports,
        LibraryModel.toOne("next", "Person", "previous"),
        LibraryModel.toOne("previous", "Person", "next"),
      ])
    let relationships = person.ownProperties.compactMap { $0 as? RelationshipDescription }
    change(Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0) }))
    return try ManagedObjectModel(entities: [person])
  }
}

extension ManagedObjectContext {
  fileprivate func people(_ names: String...) -> [ManagedObject] {
    names.map { insert("Person", ["name": $0]) }
  }

  fileprivate func person(_ name: String) throws -> ManagedObject {
    try one("Person", "name == '\(name)'")
  }
}

extension ManagedObject {
  /// The names of whom a relationship leads to.
  fileprivate func names(_ key: String) -> String {
    let objects: [ManagedObject]
    switch value(forKey: key) {
    case let object as ManagedObject: objects = [object]
    case let ordered as NSOrderedSet: objects = ordered.compactMap { $0 as? ManagedObject }
    case let set as Set<ManagedObject>:
      return set.compactMap { $0.value(forKey: "name") as? String }.sorted().joined()
    default: objects = []
    }
    return objects.compactMap { $0.value(forKey: "name") as? String }.joined()
  }

  fileprivate func add(_ object: ManagedObject, to key: String) {
    mutableSetValue(forKey: key).add(object)
  }
}

@Suite("Inverses and delete rules")
struct InverseTests {
  @Test("One to one with itself", arguments: Backend.allCases)
  func spouses(_ backend: Backend) throws {
    let stack = try AppStack(backend, try People.make())
    let context = stack.context()
    let people = context.people("a", "b", "c")
    people[0].setValue(people[1], forKey: "spouse")
    #expect(people.map { $0.names("spouse") } == ["b", "a", ""])
    try context.save()
    people[2].setValue(people[1], forKey: "spouse")
    #expect(people.map { $0.names("spouse") } == ["", "c", "b"])
    try context.save()
    let read = stack.context()
    #expect(try ["a", "b", "c"].map { try read.person($0).names("spouse") } == ["", "c", "b"])
    // Oneself, and nobody again.
    people[0].setValue(people[0], forKey: "spouse")
    try context.save()
    #expect(try stack.context().person("a").names("spouse") == "a")
    people[0].setValue(people[2], forKey: "spouse")
    #expect(people.map { $0.names("spouse") } == ["c", "", "a"])
    context.delete(people[0])
    try context.save()
    #expect(people[2].value(forKey: "spouse") == nil)
  }

  @Test("Many to many with itself", arguments: Backend.allCases)
  func friends(_ backend: Backend) throws {
    let stack = try AppStack(backend, try People.make())
    let context = stack.context()
    let people = context.people("a", "b", "c")
    people[0].add(people[1], to: "friends")
    people[2].add(people[0], to: "friends")
    people[0].add(people[0], to: "friends")
    #expect(people.map { $0.names("friends") } == ["abc", "a", "a"])
    try context.save()
    for name in ["a", "b", "c"] {
      let expected = name == "a" ? "abc" : "a"
      #expect(try stack.context().person(name).names("friends") == expected)
    }
    people[1].mutableSetValue(forKey: "friends").remove(people[0])
    people[0].mutableSetValue(forKey: "friends").remove(people[0])
    try context.save()
    let read = stack.context()
    #expect(try ["a", "b", "c"].map { try read.person($0).names("friends") } == ["c", "", "a"])
    context.delete(people[0])
    try context.save()
    #expect(try stack.context().person("c").names("friends") == "")
  }

  @Test(
    "New members go behind the others, and the rest keep their order", arguments: Backend.allCases)
  func orderedInverse(_ backend: Backend) throws {
    let stack = try AppStack(backend, try People.make())
    let context = stack.context()
    let bosses = context.people("x", "y")
    let people = context.people("a", "b", "c", "d")
    for person in people.reversed() { person.setValue(bosses[0], forKey: "boss") }
    #expect(bosses[0].names("reports") == "dcba")
    try context.save()
    people[1].setValue(bosses[1], forKey: "boss")
    people[3].setValue(bosses[1], forKey: "boss")
    people[1].setValue(bosses[0], forKey: "boss")
    #expect(bosses.map { $0.names("reports") } == ["cab", "d"])
    context.delete(people[0])
    try context.save()
    let read = stack.context()
    #expect(try ["x", "y"].map { try read.person($0).names("reports") } == ["cb", "d"])
    bosses[0].mutableOrderedSetValue(forKey: "reports").insert(people[3], at: 0)
    #expect(bosses.map { $0.names("reports") } == ["dcb", ""])
    try context.save()
    #expect(try stack.context().person("x").names("reports") == "dcb")
  }

  @Test("A ring of cascades ends", arguments: Backend.allCases)
  func cascadesGoRoundOnce(_ backend: Backend) throws {
    let model = try People.make { $0["next"]?.deleteRule = .cascade }
    let stack = try AppStack(backend, model)
    let context = stack.context()
    let people = context.people("a", "b", "c", "d")
    for (index, person) in people.enumerated() {
      person.setValue(people[(index + 1) % 4], forKey: "next")
    }
    context.people("e")[0].add(people[2], to: "friends")
    try context.save()
    let other = stack.context()
    other.delete(try other.person("c"))
    try other.save()
    #expect(try stack.context().strings("Person", "name") == ["e"])
    #expect(try stack.context().person("e").names("friends") == "")
  }

  @Test("A cascade stops at whom deny protects", arguments: Backend.allCases)
  func cascadeMeetsDeny(_ backend: Backend) throws {
    let model = try People.make {
      $0["next"]?.deleteRule = .cascade
      $0["reports"]?.deleteRule = .deny
    }
    let stack = try AppStack(backend, model)
    let context = stack.context()
    let people = context.people("a", "b", "c")
    people[0].setValue(people[1], forKey: "next")
    people[2].setValue(people[1], forKey: "boss")
    try context.save()
    context.delete(people[0])
    let error = try #require(throws: CoreDataError.self) { try context.save() }
    #expect(error.code == .validationRelationshipDeniedDelete)
    let info = (error as NSError).userInfo
    #expect(info["NSValidationErrorKey"] as? String == "reports")
    #expect(info["NSValidationErrorObject"] as? ManagedObject === people[1])
    #expect((info["NSValidationErrorValue"] as? NSOrderedSet)?.count == 1)
    #expect(try stack.context().all("Person").count == 3)
    context.delete(people[2])
    try context.save()
    #expect(try stack.context().all("Person").isEmpty)
  }

  @Test("Several failures are one 1560 with all of them", arguments: Backend.allCases)
  func severalFailures(_ backend: Backend) throws {
    let model = try People.make { relationships in
      relationships["boss"]?.isOptional = false
      relationships["reports"]?.deleteRule = .deny
      relationships["friends"]?.minCount = 2
    }
    let stack = try AppStack(backend, model)
    let context = stack.context()
    let people = context.people("a", "b")
    people[0].setValue(people[1], forKey: "boss")
    people[0].add(people[0], to: "friends")
    let error = try #require(throws: CoreDataError.self) { try context.save() }
    let bridged = error as NSError
    #expect(bridged.code == 1560)
    let details = try #require(bridged.userInfo["NSDetailedErrors"] as? [NSError])
    let failures = details.map { "\($0.code) \($0.userInfo["NSValidationErrorKey"] ?? "-")" }
    #expect(failures.sorted() == ["1570 boss", "1580 friends"])
    let objects = details.compactMap { $0.userInfo["NSValidationErrorObject"] as? ManagedObject }
    #expect(Set(objects) == Set(people))
    #expect(details.allSatisfy { $0.domain == NSCocoaErrorDomain })
    #expect(details.compactMap { ($0 as Error) as? CoreDataError }.count == 2)
  }

  @Test("What others added meanwhile isn't reached by a cascade", arguments: Backend.allCases)
  func deletesAcrossContexts(_ backend: Backend) throws {
    let model = try People.make { $0["reports"]?.deleteRule = .cascade }
    let stack = try AppStack(backend, model)
    let (first, second) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    let boss = first.people("x")[0]
    first.people("a")[0].setValue(boss, forKey: "boss")
    try first.save()
    let same = try second.person("x")
    _ = same.names("reports")
    first.people("late")[0].setValue(boss, forKey: "boss")
    try first.save()
    second.delete(same)
    try second.save()
    // The late one refers to nobody now; told of the deletion, the context drops the reference.
    let read = stack.context()
    #expect(try read.strings("Person", "name") == ["late"])
    #expect(try read.person("late").value(forKeyPath: "boss.name") == nil)
  }
}
