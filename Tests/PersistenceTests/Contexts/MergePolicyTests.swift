import Persistence
import TestSupport
import Testing

extension MergePolicyType: CustomTestStringConvertible {
  public var testDescription: String { "\(self)".replacing("MergePolicyType", with: "") }
}

/// Two contexts read one item; the first saves, then the second.
private final class TwoContexts {
  let stack: AppStack
  let first: ManagedObjectContext
  let second: ManagedObjectContext

  init(
    _ backend: Backend, _ policy: MergePolicyType,
    _ change: ([String: EntityDescription]) -> Void = { _ in }
  ) throws {
    stack = try AppStack(backend, try LibraryModel.make(change))
    let seed = stack.context()
    let shelf = seed.insert("Shelf", ["name": "old"])
    seed.insert("Shelf", ["name": "first"])
    seed.insert("Shelf", ["name": "second"])
    let book = seed.insert("Book", ["title": "title", "pages": 1, "shelf": shelf])
    for name in ["a", "b"] {
      book.mutableSetValue(forKey: "tags").add(seed.insert("Tag", ["name": name]))
    }
    try seed.save()
    first = stack.context()
    second = stack.context(MergePolicy(merge: policy))
  }

  func change(_ context: ManagedObjectContext, _ body: (ManagedObject) throws -> Void) throws {
    try body(try context.one("Book"))
  }

  func stored() throws -> String {
    let context = stack.context()
    return try context.all("Book").map { book in
      let tags = try context.strings("Tag", "name", "ANY items.title != nil").sorted().joined()
      let shelf = book.value(forKeyPath: "shelf.name") ?? "nil"
      return "\(book.value(forKey: "title") ?? "nil") \(book.value(forKey: "pages") ?? "nil") "
        + "\(shelf) \(tags)"
    }.joined(separator: "; ")
  }
}

@Suite("A save that meets changes of another context")
struct MergePolicyTests {
  @Test(
    "S82: changes of different properties", arguments: Backend.allCases, MergePolicyType.allCases)
  func differentProperties(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    try contexts.change(contexts.second) { $0.setValue(2, forKey: "pages") }
    try contexts.change(contexts.first) { $0.setValue("first", forKey: "title") }
    try contexts.first.save()
    let expected: String
    switch policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CoreDataError.self) { try contexts.second.save() }
      #expect(error.code == .managedObjectMerge)
      #expect(contexts.second.hasChanges)
      expected = "first 1 old ab"
    case .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType:
      try contexts.second.save()
      expected = "first 2 old ab"
    case .overwriteMergePolicyType:
      try contexts.second.save()
      expected = "title 2 old ab"
    case .rollbackMergePolicyType:
      try contexts.second.save()
      expected = "first 1 old ab"
    }
    #expect(try contexts.stored() == expected)
  }

  @Test("S82: changes of one property", arguments: Backend.allCases, MergePolicyType.allCases)
  func sameProperty(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    try contexts.change(contexts.second) { $0.setValue("second", forKey: "title") }
    try contexts.change(contexts.first) { $0.setValue("first", forKey: "title") }
    try contexts.first.save()
    try? contexts.second.save()
    let wins: [MergePolicyType] = [
      .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    ]
    #expect(try contexts.stored() == "\(wins.contains(policy) ? "second" : "first") 1 old ab")
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func movedToTwoPlaces(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    for (context, name) in [(contexts.second, "second"), (contexts.first, "first")] {
      try contexts.change(context) {
        $0.setValue(try context.one("Shelf", "name == '\(name)'"), forKey: "shelf")
      }
    }
    try contexts.first.save()
    try? contexts.second.save()
    let wins: [MergePolicyType] = [
      .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    ]
    let winner = wins.contains(policy) ? "second" : "first"
    #expect(try contexts.stored() == "title 1 \(winner) ab")
    // Both sides of the relationship say the same, in the store and in the saving context.
    let seen = policy == .errorMergePolicyType ? contexts.stack.context() : contexts.second
    for context in [contexts.stack.context(), seen] {
      let shelves = try context.strings("Shelf", "name", "items.@count == 1")
      #expect(shelves == [winner])
    }
  }

  @Test(arguments: Backend.allCases)
  func membersAddedAndRemovedByBothAreMerged(_ backend: Backend) throws {
    let contexts = try TwoContexts(backend, .mergeByPropertyObjectTrumpMergePolicyType)
    func edit(_ context: ManagedObjectContext, adding name: String, removing old: String) throws {
      let tags = try context.one("Book").mutableSetValue(forKey: "tags")
      tags.add(context.insert("Tag", ["name": name]))
      tags.remove(try context.one("Tag", "name == '\(old)'"))
    }
    try edit(contexts.second, adding: "y", removing: "b")
    try edit(contexts.first, adding: "x", removing: "a")
    try contexts.first.save()
    try contexts.second.save()
    #expect(try contexts.stored() == "title 1 old xy")
  }

  @Test(arguments: Backend.allCases)
  func theErrorNamesEveryConflict(_ backend: Backend) throws {
    let contexts = try TwoContexts(backend, .errorMergePolicyType)
    for (context, name) in [(contexts.second, "mine"), (contexts.first, "theirs")] {
      try contexts.change(context) { $0.setValue(name, forKey: "title") }
      for tag in try context.all("Tag") { tag.setValue(name, forKey: "name") }
    }
    try contexts.first.save()
    let error = try #require(throws: CoreDataError.self) { try contexts.second.save() }
    let conflicts = try #require((error as NSError).userInfo["conflictList"] as? [MergeConflict])
    #expect(conflicts.count == 3)
    let conflict = try #require(conflicts.first { $0.sourceObject.entity.name == "Book" })
    #expect(conflict.oldVersionNumber == 1)
    #expect(conflict.newVersionNumber == 2)
    #expect(conflict.objectSnapshot?["title"] as? String == "title", "as it was read")
    #expect(conflict.cachedSnapshot?["title"] as? String == "theirs")
    #expect(conflict.cachedSnapshot?["isbn"] is NSNull)
    #expect(conflict.cachedSnapshot?["shelf"] is ManagedObjectID)
    #expect(conflict.persistedSnapshot == nil)
    // The context is as it was: after a refresh under the changes the save succeeds.
    contexts.second.refreshAllObjects()
    try contexts.second.save()
    #expect(try contexts.stored().hasPrefix("mine 1 old"))
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func changedHereAndDeletedThere(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    let book = try contexts.second.one("Book")
    book.setValue("second", forKey: "title")
    contexts.first.delete(try contexts.first.one("Book"))
    try contexts.first.save()
    switch policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CoreDataError.self) { try contexts.second.save() }
      #expect((error.conflictList.first as? MergeConflict)?.newVersionNumber == 0)
      #expect(try contexts.stored() == "")
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try contexts.second.save()
      #expect(try contexts.stored() == "second 1 old ")
      #expect(try contexts.stack.context().one("Book").objectID == book.objectID)
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      try contexts.second.save()
      #expect(try contexts.stored() == "")
      #expect(book.managedObjectContext == nil)
    }
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func deletedHereAndChangedThere(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    let book = try contexts.second.one("Book")
    contexts.second.delete(book)
    contexts.second.processPendingChanges()
    try contexts.change(contexts.first) { $0.setValue("first", forKey: "title") }
    try contexts.first.save()
    switch policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CoreDataError.self) { try contexts.second.save() }
      #expect(error.code == .managedObjectMerge)
      #expect((error.conflictList.first as? MergeConflict)?.objectSnapshot == nil)
      #expect(book.isDeleted)
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try contexts.second.save()
      #expect(try contexts.stored() == "")
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      try contexts.second.save()
      #expect(try contexts.stored().hasPrefix("first 1"))
      #expect(book.value(forKey: "title") as? String == "first")
    }
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func deletedByBoth(_ backend: Backend, _ policy: MergePolicyType) throws {
    let contexts = try TwoContexts(backend, policy)
    contexts.second.delete(try contexts.second.one("Book"))
    contexts.second.processPendingChanges()
    contexts.first.delete(try contexts.first.one("Book"))
    try contexts.first.save()
    if policy == .errorMergePolicyType {
      let error = try #require(throws: CoreDataError.self) { try contexts.second.save() }
      #expect(error.code == .managedObjectMerge)
    } else {
      try contexts.second.save()
      #expect(!contexts.second.hasChanges)
    }
    #expect(try contexts.stored() == "")
  }

  @Test(arguments: Backend.allCases)
  func aPartnerTakenByBothIsOnesAlone(_ backend: Backend) throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let seed = stack.context()
    for title in ["one", "two"] { seed.insert("Book", ["title": title]) }
    for colour in ["red", "blue"] { seed.insert("Cover", ["colour": colour]) }
    try seed.save()
    let (first, second) = (stack.context(), stack.context(.mergeByPropertyObjectTrump))
    for (context, colour) in [(second, "red"), (first, "blue")] {
      let cover = try context.one("Cover", "colour == '\(colour)'")
      try context.one("Book", "title == 'one'").setValue(cover, forKey: "cover")
    }
    try first.save()
    try second.save()
    let context = stack.context()
    #expect(try context.strings("Cover", "colour", "book != nil") == ["red"])
    let cover = try context.one("Book", "title == 'one'").value(forKeyPath: "cover.colour")
    #expect(cover as? String == "red")
  }

  @Test(arguments: Backend.allCases)
  func anOwnPolicyDecidesForSomeAndLeavesTheRest(_ backend: Backend) throws {
    final class LongestTitle: MergePolicy, @unchecked Sendable {
      override func resolve(mergeConflicts conflicts: [Any]) throws {
        for case let conflict as MergeConflict in conflicts {
          let titles = [conflict.objectSnapshot, conflict.cachedSnapshot]
            .compactMap { $0?["title"] as? String }
          let longest = titles.max { $0.count < $1.count }
          conflict.sourceObject.setValue(longest, forKey: "title")
        }
        try super.resolve(mergeConflicts: conflicts)
      }
    }
    let contexts = try TwoContexts(backend, .errorMergePolicyType)
    contexts.second.mergePolicy = LongestTitle(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try contexts.change(contexts.second) { $0.setValue("short", forKey: "title") }
    try contexts.change(contexts.first) { $0.setValue("longer title", forKey: "title") }
    try contexts.first.save()
    try contexts.second.save()
    #expect(try contexts.stored() == "longer title 1 old ab")
  }

  @Test(arguments: Backend.allCases)
  func anOrderGivenHereKeepsWhatOthersAdded(_ backend: Backend) throws {
    let contexts = try TwoContexts(backend, .mergeByPropertyObjectTrumpMergePolicyType)
    let seed = contexts.stack.context()
    let book = try seed.one("Book")
    for title in ["1", "2", "3"] { seed.insert("Chapter", ["title": title, "book": book]) }
    try seed.save()
    try contexts.change(contexts.second) { book in
      let chapters = book.mutableOrderedSetValue(forKey: "chapters")
      chapters.moveObjects(at: IndexSet(integer: 2), to: 0)
    }
    try contexts.change(contexts.first) { book in
      contexts.first.insert("Chapter", ["title": "4", "book": book])
    }
    try contexts.first.save()
    try contexts.second.save()
    let stored = try contexts.stack.context().one("Book").value(forKey: "chapters") as? NSOrderedSet
    let titles = stored?.array.compactMap {
      ($0 as? ManagedObject)?.value(forKey: "title") as? String
    }
    #expect(titles == ["3", "1", "2", "4"])
  }
}
