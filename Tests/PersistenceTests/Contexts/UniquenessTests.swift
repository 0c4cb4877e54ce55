import Persistence
import TestSupport
import Testing

@Suite("Uniqueness constraints")
struct UniquenessTests {
  private func stack(_ backend: Backend) throws -> AppStack {
    try AppStack(
      backend,
      try LibraryModel.make { entities in
        entities["Item"]?.uniquenessConstraints = [["title"]]
        entities["Book"]?.uniquenessConstraints = [["isbn", "shelf"]]
        let pages = entities["Item"]?.ownProperties.first { $0.name == "pages" }
        (pages as? AttributeDescription)?.typedDefaultValue = .integer(7)
      })
  }

  /// Neither a transient attribute nor one without a column can be in SQLite's unique index.
  @Test(arguments: Backend.allCases)
  func whatNoStoreWatchesOverIsNotUnique(_ backend: Backend) throws {
    let stack = try AppStack(
      backend,
      try LibraryModel.make { entities in
        let pages = entities["Item"]?.ownProperties.first { $0.name == "pages" }
        pages?.isTransient = true
        entities["Item"]?.uniquenessConstraints = [["title", "pages"]]
      })
    let context = stack.context()
    for _ in 0..<2 { context.insert("Book", ["title": "t", "pages": 1]) }
    try context.save()
    #expect(try stack.context().all("Item").count == 2)
  }

  private func content(_ stack: AppStack) throws -> [String] {
    try stack.context().all("Item").map { item in
      let pages = item.value(forKey: "pages") ?? "nil"
      let shelf = item.value(forKeyPath: "shelf.name") ?? "nil"
      return
        "p\(item.objectID.primaryKey) \(item.value(forKey: "title") ?? "nil") \(pages) \(shelf)"
    }
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func aNewObjectMeetsAStoredOne(_ backend: Backend, _ policy: MergePolicyType) throws {
    let stack = try stack(backend)
    let seed = stack.context()
    seed.insert("Book", ["title": "t", "pages": 1, "shelf": seed.insert("Shelf", ["name": "s"])])
    try seed.save()
    let context = stack.context(MergePolicy(merge: policy))
    let new = context.insert("Book", ["title": "t"])
    let other = context.insert("Book", ["title": "other"])
    switch policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CoreDataError.self) { try context.save() }
      #expect(error.code == .managedObjectConstraintMerge)
      let conflict = try #require(error.conflictList.first as? ConstraintConflict)
      #expect(error.conflictList.count == 1)
      #expect(conflict.constraint == ["title"])
      #expect(conflict.constraintValues["title"] as? String == "t")
      #expect(conflict.databaseObject?.objectID.primaryKey == 1)
      #expect(conflict.databaseSnapshot?["pages"] as? Int == 1)
      #expect(conflict.conflictingObjects == [new])
      #expect(new.isInserted && other.isInserted)
      #expect(try content(stack) == ["p1 t 1 s"])
      return
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      try context.save()
      #expect(try content(stack).first == "p1 t 1 s")
    case .mergeByPropertyObjectTrumpMergePolicyType:
      // A default counts as a value, nil doesn't.
      try context.save()
      #expect(try content(stack).first == "p1 t 7 s")
    case .overwriteMergePolicyType:
      try context.save()
      #expect(try content(stack).first == "p1 t 7 nil")
    }
    #expect(try content(stack).count == 2)
    #expect(new.managedObjectContext == nil)
    #expect(!other.objectID.isTemporaryID)
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func newObjectsMeetEachOther(_ backend: Backend, _ policy: MergePolicyType) throws {
    let stack = try stack(backend)
    let context = stack.context(MergePolicy(merge: policy))
    let shelf = context.insert("Shelf", ["name": "s"])
    context.insert("Book", ["title": "t", "pages": 1, "shelf": shelf])
    context.insert("Book", ["title": "t", "pages": 2])
    try? context.save()
    let expected: [MergePolicyType: [String]] = [
      .errorMergePolicyType: [],
      .mergeByPropertyStoreTrumpMergePolicyType: ["t 1 s"],
      .mergeByPropertyObjectTrumpMergePolicyType: ["t 2 s"],
      .overwriteMergePolicyType: ["t 2 nil"],
      .rollbackMergePolicyType: ["t 1 s"],
    ]
    #expect(try content(stack).map { String($0.dropFirst(3)) } == expected[policy])
    #expect(try stack.context().all("Shelf").count == (policy == .errorMergePolicyType ? 0 : 1))
  }

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func aChangedObjectMeetsAStoredOne(_ backend: Backend, _ policy: MergePolicyType) throws {
    let stack = try stack(backend)
    let seed = stack.context()
    seed.insert("Book", ["title": "a", "pages": 1])
    seed.insert("Book", ["title": "b", "pages": 2])
    try seed.save()
    let context = stack.context(MergePolicy(merge: policy))
    try context.one("Book", "title == 'b'").setValuesForKeys(["title": "a", "pages": 3])
    try? context.save()
    let expected: [MergePolicyType: [String]] = [
      .errorMergePolicyType: ["p1 a 1 nil", "p2 b 2 nil"],
      .mergeByPropertyStoreTrumpMergePolicyType: ["p1 a 1 nil", "p2 b 3 nil"],
      .mergeByPropertyObjectTrumpMergePolicyType: ["p2 a 3 nil"],
      .overwriteMergePolicyType: ["p2 a 3 nil"],
      .rollbackMergePolicyType: ["p1 a 1 nil", "p2 b 2 nil"],
    ]
    #expect(try content(stack) == expected[policy])
  }

  @Test(arguments: Backend.allCases)
  func membersOfAReplacedObjectFollow(_ backend: Backend) throws {
    let stack = try stack(backend)
    let seed = stack.context()
    let old = seed.insert("Book", ["title": "t"])
    seed.insert("Chapter", ["title": "1", "book": old])
    try seed.save()
    let context = stack.context(.mergeByPropertyObjectTrump)
    let new = context.insert("Book", ["title": "t"])
    context.insert("Chapter", ["title": "2", "book": new])
    new.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "x"]))
    try context.save()
    let book = try stack.context().one("Book")
    #expect((book.value(forKey: "chapters") as? NSOrderedSet)?.count == 2)
    #expect((book.value(forKey: "tags") as? NSSet)?.count == 1)
  }

  @Test(arguments: Backend.allCases)
  func appliesToSubentitiesAndNotToNil(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    for _ in 1...3 { context.insert("Item") }
    context.insert("Item", ["title": "t"])
    try context.save()
    context.insert("Book", ["title": "t"])
    let error = try #require(throws: CoreDataError.self) { try context.save() }
    #expect(error.code == .managedObjectConstraintMerge)
    #expect(error.place.entity == "Item")
    #expect(error.value == "t")
  }

  @Test(arguments: Backend.allCases)
  func severalPropertiesTogether(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let shelves = ["x", "y"].map { context.insert("Shelf", ["name": $0]) }
    for shelf in shelves { context.insert("Book", ["isbn": "1", "shelf": shelf]) }
    for _ in 1...2 { context.insert("Book", ["isbn": "1"]) }
    try context.save()
    context.insert("Book", ["isbn": "1", "shelf": shelves[0]])
    let error = try #require(throws: CoreDataError.self) { try context.save() }
    let conflict = try #require(error.conflictList.first as? ConstraintConflict)
    #expect(conflict.constraint == ["isbn", "shelf"])
    #expect(error.place.property == "isbn, shelf")
  }

  @Test(arguments: Backend.allCases)
  func valuesMayBeExchangedAndReusedWithinOneSave(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let books = ["a", "b", "c"].map { context.insert("Book", ["title": $0]) }
    try context.save()
    books[0].setValue("b", forKey: "title")
    books[1].setValue("a", forKey: "title")
    context.delete(books[2])
    context.insert("Book", ["title": "c"])
    try context.save()
    #expect(try stack.context().strings("Book", "title") == ["b", "a", "c"])
  }

  @Test(arguments: Backend.allCases)
  func manyNewObjectsGoIntoTheStoredOnes(_ backend: Backend) throws {
    let stack = try stack(backend)
    for round in 1...3 {
      let context = stack.context(.mergeByPropertyObjectTrump)
      for number in 0..<50 { context.insert("Book", ["title": "t\(number)", "pages": round]) }
      try context.save()
    }
    let context = stack.context()
    #expect(try context.all("Book").count == 50)
    #expect(try context.all("Book", "pages == 3").count == 50)
  }
}
