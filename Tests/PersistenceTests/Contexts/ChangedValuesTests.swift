import Persistence
import TestSupport
import Testing

@Suite("What an object knows of its changes")
struct ChangedValuesTests {
  private func stack(_ backend: Backend) throws -> (AppStack, ManagedObjectContext, ManagedObject) {
    let stack = try AppStack(backend, try LibraryModel.make())
    let context = stack.context()
    let shelf = context.insert("Shelf", ["name": "s"])
    let book = context.insert("Book", ["title": "t", "pages": 1, "shelf": shelf])
    book.mutableSetValue(forKey: "tags").add(context.insert("Tag", ["name": "a"]))
    try context.save()
    return (stack, context, book)
  }

  @Test(arguments: Backend.allCases)
  func changedAndCommittedValues(_ backend: Backend) throws {
    let (stack, context, book) = try stack(backend)
    defer { withExtendedLifetime(stack) {} }
    #expect(book.changedValues().isEmpty)
    #expect(!book.hasChanges)
    book.setValuesForKeys(["title": "new", "pages": NSNull()])
    book.setValue(nil, forKey: "shelf")
    #expect(book.changedValues().keys.sorted() == ["pages", "shelf", "title"])
    #expect(book.changedValues()["pages"] is NSNull)
    let committed = book.committedValues(forKeys: nil)
    #expect(committed["title"] as? String == "t")
    #expect(committed["pages"] as? Int == 1)
    #expect((committed["shelf"] as? ManagedObject)?.entity.name == "Shelf")
    #expect(committed["isbn"] is NSNull)
    #expect(committed["tags"] == nil)
    #expect((book.committedValues(forKeys: ["tags"])["tags"] as? NSSet)?.count == 1)
    try context.save()
    #expect(book.changedValues().isEmpty)
    #expect(book.committedValues(forKeys: ["title"])["title"] as? String == "new")
  }

  @Test(
    "A value set to what it was is an update, but no changed value", arguments: Backend.allCases)
  func settingTheSameValue(_ backend: Backend) throws {
    let (stack, context, book) = try stack(backend)
    defer { withExtendedLifetime(stack) {} }
    book.setValue("t", forKey: "title")
    #expect(book.isUpdated)
    #expect(context.hasChanges)
    #expect(!book.hasPersistentChangedValues)
    #expect(book.changedValues().isEmpty)
    book.setValue("new", forKey: "title")
    #expect(book.hasPersistentChangedValues)
  }

  @Test(arguments: Backend.allCases)
  func ofANewObject(_ backend: Backend) throws {
    let (stack, context, _) = try stack(backend)
    defer { withExtendedLifetime(stack) {} }
    let book = context.insert("Book", ["title": "new"])
    #expect(book.changedValues().keys.sorted() == ["title"])
    #expect(book.committedValues(forKeys: nil).isEmpty)
    #expect(book.isInserted && !book.isUpdated)
  }

  @Test("Before-values are those of the current event", arguments: Backend.allCases)
  func changedValuesForCurrentEvent(_ backend: Backend) throws {
    let (stack, context, book) = try stack(backend)
    defer { withExtendedLifetime(stack) {} }
    book.setValue("1", forKey: "title")
    book.setValue("2", forKey: "title")
    #expect(book.changedValuesForCurrentEvent()["title"] as? String == "t")
    nonisolated(unsafe) var told: Any?
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
    ) {
      let updated = $0.userInfo?["updated"] as? Set<ManagedObject>
      updated?.first?.managedObjectContext?.processPendingChanges()
      told = updated?.first?.changedValuesForCurrentEvent()["title"]
    }
    context.processPendingChanges()
    NotificationCenter.default.removeObserver(token)
    #expect(told as? String == "t")
    #expect(book.changedValuesForCurrentEvent().isEmpty)
    book.setValue("3", forKey: "title")
    #expect(book.changedValuesForCurrentEvent()["title"] as? String == "2")
    #expect(book.changedValues()["title"] as? String == "3")
  }

  @Test(arguments: Backend.allCases)
  func transientValuesAreNotPersistent(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      entities["Book"]?.ownProperties.first { $0.name == "isbn" }?.isTransient = true
    }
    let stack = try AppStack(backend, model)
    let context = stack.context()
    let book = context.insert("Book", ["title": "t"])
    try context.save()
    book.setValue("x", forKey: "isbn")
    #expect(book.hasChanges)
    #expect(!book.hasPersistentChangedValues)
  }

  @Test(arguments: Backend.allCases)
  func resetForgetsAllObjects(_ backend: Backend) throws {
    let (stack, context, book) = try stack(backend)
    defer { withExtendedLifetime(stack) {} }
    book.setValue("new", forKey: "title")
    context.reset()
    #expect(context.registeredObjects.isEmpty)
    #expect(!context.hasChanges)
    #expect(book.managedObjectContext == nil)
    #expect(try context.one("Book").value(forKey: "title") as? String == "t")
  }

  @Test(arguments: Backend.allCases)
  func refreshingAllKeepsUnsavedChanges(_ backend: Backend) throws {
    let (stack, context, book) = try stack(backend)
    let tag = try context.one("Tag")
    book.setValue("mine", forKey: "title")
    let other = stack.context()
    try other.one("Tag").setValue("theirs", forKey: "name")
    try other.one("Book").setValue(5, forKey: "pages")
    try other.save()
    context.refreshAllObjects()
    #expect(tag.isFault)
    #expect(tag.value(forKey: "name") as? String == "theirs")
    #expect(book.value(forKey: "title") as? String == "mine")
    #expect(book.value(forKey: "pages") as? Int == 5)
    try context.save()
    #expect(try stack.context().one("Book").value(forKey: "title") as? String == "mine")
  }

  @Test("Fetching gives no faults, references are faults", arguments: Backend.allCases)
  func faulting(_ backend: Backend) throws {
    let (stack, _, _) = try stack(backend)
    let context = stack.context()
    let book = try context.one("Book")
    #expect(!book.isFault)
    let shelf = try #require(book.value(forKey: "shelf") as? ManagedObject)
    #expect(shelf.isFault)
    shelf.willAccessValue(forKey: nil)
    #expect(!shelf.isFault, "willAccessValue(forKey:) fires the fault")
    shelf.didAccessValue(forKey: nil)
    context.refresh(shelf, mergeChanges: false)
    #expect(shelf.isFault)
    #expect(shelf.value(forKey: "name") as? String == "s")
    #expect(!shelf.isFault)
  }

  @Test("A fault whose row is gone counts as deleted", arguments: Backend.allCases)
  func inaccessibleFaults(_ backend: Backend) throws {
    let (stack, _, _) = try stack(backend)
    let context = stack.context()
    #expect(context.shouldDeleteInaccessibleFaults)
    let shelf = try #require(try context.one("Book").value(forKey: "shelf") as? ManagedObject)
    let strict = stack.context()
    strict.shouldDeleteInaccessibleFaults = false
    let same = strict.object(with: shelf.objectID)
    let other = stack.context()
    other.delete(try other.one("Shelf"))
    try other.save()
    #expect(shelf.value(forKey: "name") == nil)
    #expect((shelf.value(forKey: "items") as? NSSet)?.count == 0)
    #expect(shelf.isDeleted)
    #expect(context.deletedObjects == [shelf] && context.hasChanges)
    try context.save()
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { same.value(forKey: "name") }
    }
    #expect(error.code == .managedObjectReferentialIntegrity)
    #expect(error.reason.hasPrefix("CoreData could not fulfill a fault for"))
  }

  @Test("Delete rules wait for the end of the event only if told", arguments: Backend.allCases)
  func propagatesDeletesAtEndOfEvent(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      let chapters = entities["Book"]?.ownProperties.first { $0.name == "chapters" }
      (chapters as? RelationshipDescription)?.deleteRule = .cascade
    }
    for atEnd in [true, false] {
      let stack = try AppStack(backend, model)
      let context = stack.context()
      #expect(context.propagatesDeletesAtEndOfEvent)
      context.propagatesDeletesAtEndOfEvent = atEnd
      let book = context.insert("Book", ["title": "t"])
      let chapter = context.insert("Chapter", ["title": "1", "book": book])
      try context.save()
      context.delete(book)
      #expect(chapter.isDeleted == !atEnd)
      try context.save()
      #expect(try context.all("Chapter").isEmpty)
    }
  }
}

private final class TransientBook: ManagedObject {}

@Suite("Transient values of an app's classes")
struct TransientDefaultTests {
  /// Whether its row was read with the object, or by its fault later.
  @Test(arguments: Backend.allCases, [true, false])
  func startAnewWheneverARowIsRead(_ backend: Backend, fetched: Bool) throws {
    ObjectClasses.note(TransientBook.self)
    let model = try LibraryModel.make { entities in
      entities["Book"]?.managedObjectClassName = "TransientBook"
      let isbn = entities["Book"]?.ownProperties.first { $0.name == "isbn" }
      isbn?.isTransient = true
      (isbn as? AttributeDescription)?.typedDefaultValue = .string("none")
    }
    let stack = try AppStack(backend, model)
    let seed = stack.context()
    let id = seed.insert("Book", ["title": "t"])
    try seed.save()
    let context = stack.context()
    let book = fetched ? try context.one("Book") : context.object(with: id.objectID)
    #expect(book is TransientBook)
    #expect(book.value(forKey: "isbn") as? String == "none")
    #expect(book.value(forKey: "title") as? String == "t")
  }
}
