import Persistence
import Testing

@Suite("Relationships keep both sides true")
struct RelationshipTests {
  @Test(arguments: Backend.allCases)
  func settingTheToOneSideFillsTheToManySide(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let shelf = stack.insert("Shelf", ["name": "left"])
    let book = stack.insert("Book", ["title": "Emma"])
    book.setValue(shelf, forKey: "shelf")
    #expect(shelf.value(forKey: "items") as? Set<ManagedObject> == [book])
    try stack.context.save()

    let again = stack.freshContext()
    let stored = try #require(try again.all("Shelf").first)
    let items = try #require(stored.value(forKey: "items") as? Set<ManagedObject>)
    #expect(items.map { $0.value(forKey: "title") as? String } == ["Emma"])
  }

  @Test(arguments: Backend.allCases)
  func aToOnePartnerLetsGoOfItsOldPartner(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let (first, second) = (stack.insert("Book"), stack.insert("Book"))
    let cover = stack.insert("Cover", ["colour": "red"])
    first.setValue(cover, forKey: "cover")
    second.setValue(cover, forKey: "cover")
    #expect(first.value(forKey: "cover") == nil)
    #expect(cover.value(forKey: "book") as? ManagedObject === second)
    try stack.context.save()

    let books = try stack.freshContext().all("Book")
    #expect(books.map { $0.value(forKey: "cover") != nil } == [false, true])
  }

  @Test(arguments: Backend.allCases)
  func manyToManyIsFilledFromEitherSide(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let (a, b) = (stack.insert("Book", ["title": "a"]), stack.insert("Item", ["title": "b"]))
    let (x, y) = (stack.insert("Tag", ["name": "x"]), stack.insert("Tag", ["name": "y"]))
    a.mutableSetValue(forKey: "tags").add(x)
    y.setValue(Set([a, b]), forKey: "items")
    #expect(a.value(forKey: "tags") as? Set<ManagedObject> == [x, y])
    try stack.context.save()

    let again = stack.freshContext()
    let tags = try again.all("Tag").map { tag in
      (tag.value(forKey: "items") as? Set<ManagedObject> ?? []).compactMap {
        $0.value(forKey: "title") as? String
      }.sorted()
    }
    #expect(tags == [["a"], ["a", "b"]])
  }

  @Test(arguments: Backend.allCases)
  func linksCanBeRemovedAfterASave(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book", ["title": "a"])
    for name in ["x", "y", "z"] {
      book.mutableSetValue(forKey: "tags").add(stack.insert("Tag", ["name": name]))
    }
    try stack.context.save()

    let second = stack.freshContext()
    let tag = try #require(try second.all("Tag", "name == 'y'").first)
    tag.setValue(nil, forKey: "items")
    try second.save()

    let stored = try #require(try stack.freshContext().all("Book").first)
    let names = (stored.value(forKey: "tags") as? Set<ManagedObject> ?? [])
      .compactMap { $0.value(forKey: "name") as? String }
    #expect(names.sorted() == ["x", "z"])
  }

  @Test(arguments: Backend.allCases)
  func orderIsStoredAndCanBeChanged(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    let chapters = ["one", "two", "three"].map { stack.insert("Chapter", ["title": $0]) }
    book.setValue(NSOrderedSet(array: [chapters[2], chapters[0], chapters[1]]), forKey: "chapters")
    try stack.context.save()
    #expect(try storedTitles(stack) == ["three", "one", "two"])

    let ordered = book.mutableOrderedSetValue(forKey: "chapters")
    ordered.remove(chapters[0])
    ordered.insert(chapters[0], at: 0)
    try stack.context.save()
    #expect(try storedTitles(stack) == ["one", "three", "two"])
  }

  private func storedTitles(_ stack: Stack) throws -> [String] {
    let book = try #require(try stack.freshContext().all("Book").first)
    let chapters = try #require(book.value(forKey: "chapters") as? NSOrderedSet)
    return chapters.array.compactMap { ($0 as? ManagedObject)?.value(forKey: "title") as? String }
  }

  @Test(arguments: Backend.allCases)
  func objectsOfAnotherContextAreRefused(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let other = try Stack(backend, try LibraryModel.make())
    let (book, shelf) = (stack.insert("Book"), other.insert("Shelf", ["name": "x"]))
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { book.setValue(shelf, forKey: "shelf") }
    }
    #expect(
      error.reason
        == "Illegal attempt to establish a relationship 'shelf' between objects in different contexts"
    )
  }

  @Test(arguments: Backend.allCases)
  func aStringIsNoRelationship(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { book.setValue("food, friends", forKey: "tags") }
    }
    #expect(
      error.reason
        == "Unacceptable type of value for to-many relationship: property = \"tags\"; "
        + "desired type = NSSet; given type = NSString; value = food, friends.")
  }

  @Test(arguments: Backend.allCases)
  func mutableCollectionsAnswerForTheRelationship(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    let chapters = (0..<3).map { stack.insert("Chapter", ["title": "\($0)"]) }
    try stack.context.save()
    let ordered = book.mutableOrderedSetValue(forKey: "chapters")
    for chapter in chapters + chapters { ordered.add(chapter) }
    #expect(ordered.count == 3)
    #expect(ordered.contains(chapters[2]))
    ordered.removeObject(at: 1)
    #expect(!ordered.contains(chapters[1]))
    #expect(chapters[1].value(forKey: "book") == nil)
    let tags = book.mutableSetValue(forKey: "tags")
    let tag = stack.insert("Tag", ["name": "a"])
    #expect(!tags.contains(tag))
    tags.add(tag)
    #expect(tags.count == 1)
    #expect(tags.contains(tag))
    chapters[1].setValue(book, forKey: "book")
    try stack.context.save()
    let read = try #require(try stack.freshContext().all("Book").first)
    let titles = (read.value(forKey: "chapters") as? NSOrderedSet)?.array
      .compactMap { ($0 as? ManagedObject)?.value(forKey: "title") as? String }
    #expect(titles == ["0", "2", "1"])
  }

  /// The store has such a link as a key in the member's row.
  @Test(arguments: Backend.allCases, [false, true])
  func aMemberWithoutInverseHasOneOwner(_ backend: Backend, _ isOrdered: Bool) throws {
    let model = try LibraryModel.make { entities in
      entities["Shelf"]?.ownProperties += [
        LibraryModel.toMany("picks", "Tag", nil, ordered: isOrdered)
      ]
    }
    let stack = try Stack(backend, model)
    func picks() throws -> [[String]] {
      try stack.freshContext().all("Shelf").map { shelf in
        let picks = try #require(shelf.entity.relationship(named: "picks"))
        return shelf.destinations(of: picks).compactMap { $0.value(forKey: "name") as? String }
      }
    }
    let shelves = ["left", "right"].map { stack.insert("Shelf", ["name": $0]) }
    let tags = ["a", "b", "c"].map { stack.insert("Tag", ["name": $0]) }
    let relationship = try #require(shelves[0].entity.relationship(named: "picks"))
    try shelves[0].setDestinations(tags, of: relationship)
    try stack.context.save()
    try shelves[1].add(tags[1], to: relationship)
    try stack.context.save()
    #expect(try picks() == [["a", "c"], ["b"]])
    stack.context.refreshAllObjects()
    try shelves[0].add(tags[1], to: relationship)
    shelves[0].remove(tags[0], from: relationship)
    try stack.context.save()
    #expect(try picks() == [isOrdered ? ["c", "b"] : ["b", "c"], []])
    // Whose shelf is gone is free.
    stack.context.delete(shelves[0])
    stack.context.delete(tags[2])
    try stack.context.save()
    stack.context.refreshAllObjects()
    try shelves[1].setDestinations([tags[0], tags[1]], of: relationship)
    try stack.context.save()
    #expect(try picks() == [["a", "b"]])
  }
}
