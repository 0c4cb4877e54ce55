import Persistence
import Testing

@Suite("A context")
struct ContextTests {
  @Test(arguments: Backend.allCases)
  func givesPermanentIdentifiersAtTheFirstSave(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let book = stack.insert("Book")
    #expect(book.objectID.isTemporaryID)
    let temporary = book.objectID
    try stack.context.save()
    #expect(
      book.objectID.uriRepresentation().absoluteString
        == "x-coredata://\(stack.store.identifier)/Book/p1")
    #expect(stack.context.object(with: temporary) === book)
  }

  @Test(arguments: Backend.allCases)
  func keepsTransientValuesToItself(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      let isbn = entities["Book"]?.ownProperties.first { $0.name == "isbn" }
      isbn?.isTransient = true
    }
    let stack = try Stack(backend, model)
    let book = stack.insert("Book", ["title": "a", "isbn": "inserted"])
    try stack.context.save()
    #expect(book.value(forKey: "isbn") as? String == "inserted")
    book.setValuesForKeys(["title": "b", "isbn": "updated"])
    try stack.context.save()
    #expect(book.value(forKey: "isbn") as? String == "updated")
    let read = try #require(try stack.freshContext().all("Book").first)
    #expect(read.value(forKey: "title") as? String == "b")
    #expect(read.value(forKey: "isbn") == nil)
  }

  @Test(arguments: Backend.allCases)
  func countsKeysPerFamilyOfEntities(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let objects = ["Item", "Book", "Tag", "Item"].map { stack.insert($0) }
    objects[2].setValue("x", forKey: "name")
    try stack.context.save()
    #expect(objects.map(\.objectID.primaryKey) == [1, 2, 1, 3])
  }

  @Test(arguments: Backend.allCases)
  func fetchesSubentitiesUnlessToldNotTo(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    _ = [stack.insert("Item", ["title": "i"]), stack.insert("Book", ["title": "b"])]
    try stack.context.save()
    let request = FetchRequest<ManagedObject>(entityName: "Item")
    #expect(try stack.freshContext().fetch(request).count == 2)
    request.includesSubentities = false
    #expect(try stack.freshContext().fetch(request).map(\.entity.name) == ["Item"])
  }

  @Test(arguments: Backend.allCases)
  func fetchSeesUnsavedChanges(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let stored = ["a", "b", "c"].map { stack.insert("Tag", ["name": $0]) }
    try stack.context.save()
    stored[0].setValue("B", forKey: "name")
    stack.context.delete(stored[1])
    _ = stack.insert("Tag", ["name": "b"])
    #expect(try stack.context.strings("Tag", "name") == ["B", "c", "b"])
    #expect(try stack.context.strings("Tag", "name", "name ==[c] 'b'") == ["B", "b"])
    #expect(try stack.freshContext().strings("Tag", "name") == ["a", "b", "c"])
  }

  @Test(arguments: Backend.allCases)
  func sortsLimitsAndSkips(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for (title, pages) in [("b", 2), ("a", 2), ("c", 1), ("d", 3)] {
      _ = stack.insert("Book", ["title": title, "pages": pages])
    }
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    request.sortDescriptors = [
      SortDescriptor(key: "pages", ascending: false), SortDescriptor(key: "title", ascending: true),
    ]
    request.fetchOffset = 1
    request.fetchLimit = 2
    let titles = { try stack.context.fetch(request).map { $0.value(forKey: "title") as? String } }
    #expect(try titles() == ["d", "a"], "an offset leaves out what is saved")
    try stack.context.save()
    #expect(try titles() == ["a", "b"])
  }

  @Test(arguments: Backend.allCases)
  func answersManyEqualityFetchesFromAnIndexThatStaysTrue(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    var tags: [ManagedObject] = []
    for number in 0..<200 {
      let found = try stack.context.all("Tag", "name == 't\(number % 50)'")
      #expect(found.count == number / 50)
      tags.append(stack.insert("Tag", ["name": "t\(number % 50)"]))
    }
    tags[0].setValue("renamed", forKey: "name")
    stack.context.delete(tags[50])
    #expect(try stack.context.all("Tag", "name LIKE 't0'").count == 2)
    #expect(try stack.context.all("Tag", "name == 'renamed'").count == 1)
  }

  @Test(arguments: Backend.allCases)
  func rollbackForgetsUnsavedChanges(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tag = stack.insert("Tag", ["name": "a"])
    try stack.context.save()
    tag.setValue("b", forKey: "name")
    _ = stack.insert("Tag", ["name": "new"])
    stack.context.rollback()
    #expect(!stack.context.hasChanges)
    #expect(try stack.context.strings("Tag", "name") == ["a"])
  }

  @Test(arguments: Backend.allCases)
  func refusesToOverwriteWhatAnotherContextSaved(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    _ = stack.insert("Tag", ["name": "a"])
    try stack.context.save()
    let (first, second) = (stack.freshContext(), stack.freshContext())
    let tags = try [first, second].map { try #require(try $0.all("Tag").first) }
    for tag in tags { tag.setValue("b", forKey: "name") }
    try first.save()
    let error = try #require(throws: CoreDataError.self) { try second.save() }
    #expect(error.code == .managedObjectMerge)
    #expect(second.hasChanges)
  }

  @Test(arguments: Backend.allCases)
  func refusesDuplicatesUnderAConstraint(_ backend: Backend) throws {
    let model = try LibraryModel.make { $0["Tag"]?.uniquenessConstraints = [["name"]] }
    let stack = try Stack(backend, model)
    _ = [stack.insert("Tag", ["name": "a"]), stack.insert("Tag", ["name": "b"])]
    try stack.context.save()
    _ = stack.insert("Tag", ["name": "b"])
    let error = try #require(throws: CoreDataError.self) { try stack.context.save() }
    #expect(error.code == .managedObjectConstraintMerge)
    #expect(error.place.property == "name")
    #expect(try stack.freshContext().all("Tag").count == 2)
  }

  @Test(arguments: Backend.allCases)
  func letsGoOfObjectsThatNobodyKeeps(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for number in 0..<100 { _ = stack.insert("Tag", ["name": "\(number)"]) }
    try stack.context.save()
    let context = stack.freshContext()
    var largest = 0
    try context.enumerate(FetchRequest(entityName: "Tag")) { _ in
      largest = max(largest, context.registeredObjects.count)
    }
    #expect(largest == 1)
  }

  @Test(arguments: Backend.allCases)
  func unknownKeysAndEntitiesRaise(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let tag = stack.insert("Tag")
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { _ = tag.value(forKey: "nmae") }
    }
    #expect(
      error.reason
        == "[<NSManagedObject> valueForUndefinedKey:]: the entity Tag is not key value "
        + "coding-compliant for the key \"nmae\".")
    #expect(error.advice == "Properties of Tag: items, name")
    let unknown = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { _ = stack.insert("Tga") }
    }
    #expect(unknown.reason == "could not locate an entity named 'Tga' in this model.")
  }

  @Test func identifiersOfAnyStoreCanBeShown() throws {
    let model = try LibraryModel.make()
    let store = InMemoryStore(model: model, identifier: "not a UUID/é")
    let entity = try #require(model.entity(named: "Tag"))
    let id = ManagedObjectID(entity: entity, primaryKey: 7, store: store)
    #expect(id.description == "x-coredata://not%20a%20UUID%2F%C3%A9/Tag/p7")
  }
}
