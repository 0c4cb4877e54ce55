import Persistence
import TestSupport
import Testing

/// What is left after a save that failed, and of new objects that never reached the store.
@Suite("After a refused save")
struct RefusedSaveTests {
  @Test(arguments: Backend.allCases)
  func theNextSaveWritesTheSameLinks(_ backend: Backend) throws {
    let model = try LibraryModel.make { $0["Shelf"]?.uniquenessConstraints = [["name"]] }
    let stack = try Stack(backend, model)
    _ = stack.insert("Shelf", ["name": "left"])
    let old = stack.insert("Book", ["title": "old"])
    try stack.context.save()
    let shelf = stack.insert("Shelf", ["name": "left"])
    let new = stack.insert("Book", ["title": "new", "shelf": shelf])
    old.setValue(shelf, forKey: "shelf")
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .managedObjectConstraintMerge)
    #expect(shelf.objectID.isTemporaryID)
    #expect(new.value(forKey: "shelf") as? ManagedObject === shelf)
    #expect(old.value(forKey: "shelf") as? ManagedObject === shelf)

    shelf.setValue("right", forKey: "name")
    try stack.context.save()
    let right = try stack.freshContext().all("Book", "shelf.name == 'right'")
    #expect(right.compactMap { $0.value(forKey: "title") as? String } == ["old", "new"])
    let shelves = try stack.freshContext().all("Shelf", "items.@count == 2")
    #expect(shelves.map { $0.value(forKey: "name") as? String } == ["right"])
  }

  @Test(arguments: Backend.allCases)
  func rolledBackObjectsAreNoLongerNew(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let (kept, deleted) = (stack.insert("Tag"), stack.insert("Tag"))
    stack.context.delete(deleted)
    stack.context.rollback()
    #expect([kept, deleted].allSatisfy { !$0.hasChanges && $0.managedObjectContext == nil })
  }

  private func pickyModel() throws -> ManagedObjectModel {
    try LibraryModel.make { entities in
      entities["Shelf"]?.ownProperties += [
        LibraryModel.toOne("best", "Book", nil), LibraryModel.toMany("picks", "Tag", nil),
      ]
    }
  }

  @Test(arguments: Backend.allCases, ["best", "picks"])
  func aReferenceToANewObjectThatWasDeletedIsRefused(
    _ backend: Backend, _ property: String
  ) throws {
    let stack = try Stack(backend, try pickyModel())
    let target = stack.insert(property == "best" ? "Book" : "Tag")
    let shelf = stack.insert("Shelf", ["name": "left"])
    if property == "best" {
      shelf.setValue(target, forKey: property)
    } else {
      shelf.mutableSetValue(forKey: property).add(target)
    }
    stack.context.delete(target)
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .managedObjectValidation)
    #expect(error.place.entity == "Shelf")
    #expect(error.place.property == property)
    #expect(try stack.freshContext().all("Shelf").isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func linksStayTrueWhenPermanentIdentifiersComeEarly(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tags = ["a", "b"].map { stack.insert("Tag", ["name": $0]) }
    let book = stack.insert("Book", ["tags": Set(tags)])
    try stack.context.obtainPermanentIDs(for: tags)
    #expect(tags.allSatisfy { !$0.objectID.isTemporaryID && $0.isInserted })
    let members = book.mutableSetValue(forKey: "tags")
    members.remove(tags[0])
    members.add(tags[1])
    #expect(members.count == 1)
    try stack.context.save()
    let read = try #require(try stack.freshContext().all("Book").first)
    #expect(read.value(forKeyPath: "tags.name") as? Set<String> == ["b"])
    #expect(try stack.freshContext().strings("Tag", "name", "items.@count == 0") == ["a"])
  }

  @Test(arguments: Backend.allCases)
  func transientRelationshipsAreNotStored(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      let last = LibraryModel.toOne("lastTaken", "Book", nil)
      last.isTransient = true
      entities["Shelf"]?.ownProperties.append(last)
    }
    let stack = try Stack(backend, model)
    let book = stack.insert("Book")
    _ = stack.insert("Shelf", ["name": "left", "lastTaken": book])
    try stack.context.save()
    let read = try #require(try stack.freshContext().all("Shelf").first)
    #expect(read.value(forKey: "lastTaken") == nil)
  }

  @Test(arguments: Backend.allCases)
  func anObjectOfAnAbstractEntityRaises(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make { $0["Item"]?.isAbstract = true })
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { _ = stack.insert("Item") }
    }
    #expect(error.reason == "Cannot insert an instance of the abstract entity 'Item'")
    #expect(error.place.entity == "Item")
    try ExceptionTrap.catching { _ = stack.insert("Book") }
  }

  @Test func aClosedStoreGivesAnError() throws {
    let stack = try Stack(.sqlite, try LibraryModel.make())
    _ = stack.insert("Tag", ["name": "a"])
    try stack.store.close()
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.reason.contains("the store isn't open"))
  }
}
