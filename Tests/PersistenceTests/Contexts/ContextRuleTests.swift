import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Persistence

/// An object that changes itself when it is saved, as often as it is told.
private final class StampedShelf: ManagedObject {
  static let left = Mutex(0)
  static let asked = Mutex(0)

  override func willSave() {
    Self.asked.withLock { $0 += 1 }
    let mayChange = Self.left.withLock { left in
      left -= 1
      return left >= 0
    }
    if mayChange { setValue("stamped", forKey: "name") }
  }

  override func prepareForDeletion() { Self.asked.withLock { $0 += 1 } }
}

@Suite("What contexts do with an app's objects", .serialized)
struct ContextRuleTests {
  private func stack(
    _ backend: Backend, _ change: ([String: EntityDescription]) -> Void = { _ in }
  ) throws -> AppStack {
    try AppStack(backend, try LibraryModel.make(change))
  }

  private func stampedStack() throws -> AppStack {
    ObjectClasses.note(StampedShelf.self)
    StampedShelf.asked.withLock { $0 = 0 }
    return try stack(.memory) { $0["Shelf"]?.managedObjectClassName = "StampedShelf" }
  }

  // MARK: Saving

  @Test(arguments: [(0, 1), (1, 2), (5, 6)])
  func willSaveIsCalledUntilNothingChanges(_ changes: Int, _ calls: Int) throws {
    let context = try stampedStack().context()
    StampedShelf.left.withLock { $0 = changes }
    context.insert("Shelf", ["name": "a"])
    try context.save()
    #expect(StampedShelf.asked.withLock { $0 } == calls)
  }

  @Test func anObjectThatAlwaysChangesItselfEndsTheSave() throws {
    let stack = try stampedStack()
    let context = stack.context()
    StampedShelf.left.withLock { $0 = 100_000 }
    context.insert("Shelf", ["name": "a"])
    let error = #expect(throws: CoreDataError.self) {
      try ExceptionTrap.catching { try context.save() }
    }
    #expect(error?.reason.contains("still dirty after 1000 attempts") == true)
    StampedShelf.left.withLock { $0 = 0 }
  }

  @Test(arguments: Backend.allCases)
  func aSaveWithoutChangesIsTold(_ backend: Backend) throws {
    let context = try stack(backend).context()
    let names = [
      ManagedObjectContext.willSaveObjectsNotification,
      ManagedObjectContext.didSaveObjectsNotification,
    ]
    let log = NotificationLog(of: context, names)
    try context.save()
    #expect(log.all.map(\.name) == names)
  }

  @Test(arguments: Backend.allCases)
  func aParentsBlockMayRunAChildsThatSaves(_ backend: Backend) throws {
    let stack = try stack(backend)
    let parent = stack.context()
    let child = stack.context(parent: parent)
    let grandchild = stack.context(parent: child)
    try parent.performAndWait {
      try child.performAndWait {
        child.insert("Shelf", ["name": "a"])
        try child.save()
        try grandchild.performAndWait {
          grandchild.insert("Shelf", ["name": "b"])
          try grandchild.save()
          try parent.performAndWait { try parent.save() }
        }
        try child.save()
      }
      try parent.save()
      #expect(try parent.all("Shelf").count == 2)
    }
  }

  // MARK: Primitive values

  @Test(arguments: Backend.allCases)
  func primitiveValuesAreNoChange(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let shelf = context.insert("Shelf", ["name": "a"])
    let book = context.insert("Book", ["shelf": shelf])
    try context.save()
    shelf.setPrimitiveValue("b", forKey: "name")
    book.setPrimitiveValue(nil, forKey: "shelf")
    #expect(!context.hasChanges && shelf.changedValues().isEmpty && !shelf.isUpdated)
    #expect(shelf.value(forKey: "name") as? String == "b")
    #expect((shelf.value(forKey: "items") as? NSSet)?.count == 1, "no inverse is kept")
    try context.save()
    #expect(try stack.context().one("Shelf").value(forKey: "name") as? String == "a")
    context.refresh(shelf, mergeChanges: false)
    #expect(shelf.isFault && shelf.primitiveValue(forKey: "name") as? String == "a")
    #expect(!shelf.isFault)
  }

  @Test(arguments: Backend.allCases)
  func aSetterThatSaysSoChangesTheObject(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let shelf = context.insert("Shelf", ["name": "a"])
    let book = context.insert("Book", ["shelf": shelf])
    try context.save()
    shelf.willChangeValue(forKey: "name")
    shelf.setPrimitiveValue("b", forKey: "name")
    shelf.didChangeValue(forKey: "name")
    book.willChangeValue(forKey: "shelf")
    book.setPrimitiveValue(nil, forKey: "shelf")
    book.didChangeValue(forKey: "shelf")
    #expect(Set(shelf.changedValues().keys) == ["name", "items"])
    #expect((shelf.value(forKey: "items") as? NSSet)?.count == 0)
    try context.save()
    #expect(try stack.context().one("Shelf").value(forKey: "name") as? String == "b")
  }

  // MARK: Deletions

  @Test(arguments: Backend.allCases)
  func anInaccessibleFaultIsDeletedByTheNextSave(_ backend: Backend) throws {
    let stack = try stack(backend)
    let (context, other) = (stack.context(), stack.context())
    func inOther<Result>(_ body: () throws -> Result) throws -> Result {
      try other.performAndWait {
        let result = try body()
        try other.save()
        return result
      }
    }
    let id = try inOther {
      let shelf = other.insert("Shelf", ["name": "a"])
      try other.save()
      return shelf.objectID
    }
    try context.performAndWait {
      let shelf = context.object(with: id)
      try inOther { other.delete(try other.one("Shelf")) }
      #expect(shelf.value(forKey: "name") == nil)
      #expect(context.deletedObjects == [shelf] && context.hasChanges && shelf.isDeleted)
      try context.save()
      #expect(!context.hasChanges && shelf.managedObjectContext == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func whatWasNeverSavedIsGoneWithTheSave(_ backend: Backend) throws {
    let context = try stack(backend).context()
    let shelf = context.insert("Shelf", ["name": "a"])
    context.delete(shelf)
    #expect(shelf.isDeleted)
    context.processPendingChanges()
    try context.save()
    #expect(!shelf.isDeleted && shelf.managedObjectContext == nil)
  }

  @Test(arguments: Backend.allCases)
  func aDeletedObjectIsEmptyAfterTheSave(_ backend: Backend) throws {
    let context = try stack(backend).context()
    let shelf = context.insert("Shelf", ["name": "a"])
    let book = context.insert("Book", ["title": "t", "shelf": shelf])
    try context.save()
    context.delete(book)
    #expect(book.value(forKey: "title") as? String == "t")
    try context.save()
    #expect(book.isFault && book.managedObjectContext == nil)
    #expect(book.value(forKey: "title") == nil && book.value(forKey: "shelf") == nil)
  }

  @Test(arguments: Backend.allCases)
  func aMergedDeletionDeletes(_ backend: Backend) throws {
    let stack = try stack(backend) { entities in
      let items = entities["Shelf"]?.ownProperties.first { $0.name == "items" }
      (items as? RelationshipDescription)?.deleteRule = .cascade
    }
    let (context, other) = (stack.context(), stack.context())
    let shelf = context.insert("Shelf", ["name": "a"])
    let (book, tag) = (
      context.insert("Book", ["shelf": shelf]), context.insert("Tag", ["name": "t"])
    )
    tag.setValue(NSSet(object: book), forKey: "items")
    try context.save()
    _ = (book.value(forKey: "title"), tag.value(forKey: "items"))
    other.delete(try other.one("Shelf"))
    let log = NotificationLog(of: other, [ManagedObjectContext.didSaveObjectsNotification])
    try other.save()
    context.mergeChanges(fromContextDidSave: try #require(log.all.first))
    #expect(shelf.isDeleted && shelf.value(forKey: "name") as? String == "a")
    context.processPendingChanges()
    #expect(book.isDeleted && context.deletedObjects == [shelf, book])
    #expect((tag.value(forKey: "items") as? NSSet)?.count == 0)
    #expect(try context.all("Item").isEmpty && context.all("Shelf").isEmpty)
    try context.save()
    #expect(shelf.isFault && book.managedObjectContext == nil && !context.hasChanges)
  }

  @Test func aSecondDeletionPreparesAgain() throws {
    let context = try stampedStack().context()
    StampedShelf.left.withLock { $0 = 0 }
    let shelf = context.insert("Shelf", ["name": "a"])
    context.delete(shelf)
    context.delete(shelf)
    #expect(StampedShelf.asked.withLock { $0 } == 2)
  }

  // MARK: Rows

  /// A stack on the same file, with a coordinator of its own.
  @Test func aRefreshedObjectIsAsItsCoordinatorReadIt() throws {
    let folder = try TemporaryFolder()
    let model = try LibraryModel.make()
    func context() throws -> ManagedObjectContext {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .sqlite, at: folder.url.appending(path: "s.sqlite"))
      let context = ManagedObjectContext(concurrencyType: .privateQueue)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    let own = try context()
    own.insert("Shelf", ["name": "old"])
    try own.save()
    let shelf = try own.one("Shelf")
    let request = BatchUpdateRequest(entityName: "Shelf")
    request.propertiesToUpdate = ["name": "new"]
    try own.execute(request)
    for merging in [true, false] {
      own.refresh(shelf, mergeChanges: merging)
      #expect(shelf.value(forKey: "name") as? String == "old")
    }
    own.refreshAllObjects()
    #expect(shelf.value(forKey: "name") as? String == "old")
    own.stalenessInterval = 0
    own.refresh(shelf, mergeChanges: false)
    #expect(shelf.value(forKey: "name") as? String == "new")
    own.stalenessInterval = -1
    let other = try context()
    try other.one("Shelf").setValue("newest", forKey: "name")
    try other.save()
    own.refresh(shelf, mergeChanges: false)
    #expect(shelf.value(forKey: "name") as? String == "new", "of another coordinator")
    own.refresh(shelf, mergeChanges: false)
    #expect(try own.one("Shelf").value(forKey: "name") as? String == "newest", "a fetch reads")
    let sibling = ManagedObjectContext(concurrencyType: .privateQueue)
    sibling.persistentStoreCoordinator = own.persistentStoreCoordinator
    try sibling.one("Shelf").setValue("sibling", forKey: "name")
    try sibling.save()
    own.refresh(shelf, mergeChanges: false)
    #expect(shelf.value(forKey: "name") as? String == "sibling", "of the same coordinator")
  }

  @Test(arguments: Backend.allCases)
  func aConflictHasWhatWasRead(_ backend: Backend) throws {
    let stack = try stack(backend)
    let (context, other) = (stack.context(), stack.context())
    context.insert("Shelf", ["name": "read"])
    try context.save()
    let shelf = try context.one("Shelf")
    try other.one("Shelf").setValue("theirs", forKey: "name")
    try other.save()
    shelf.setValue("mine", forKey: "name")
    let error = #expect(throws: CoreDataError.self) { try context.save() }
    let conflict = try #require(error?.conflictList.first as? MergeConflict)
    #expect(conflict.objectSnapshot?["name"] as? String == "read")
    #expect(conflict.cachedSnapshot?["name"] as? String == "theirs")
    #expect(conflict.persistedSnapshot == nil)
  }

  // MARK: Fetching

  /// Apple's own numbers: alpha 22, bravo 25 and charlie 10 are saved; 5, deleted and 21 they are now.
  @Test(arguments: Backend.allCases)
  func changesAreJoinedWithThePageOfWhatIsSaved(_ backend: Backend) throws {
    let context = try stack(backend).context()
    for (title, pages) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] {
      context.insert("Book", ["title": title, "pages": pages])
    }
    try context.save()
    try context.one("Book", "title == 'alpha'").setValue(5, forKey: "pages")
    context.delete(try context.one("Book", "title == 'bravo'"))
    try context.one("Book", "title == 'charlie'").setValue(21, forKey: "pages")
    for (title, pages) in [("delta", 30), ("echo", 40)] {
      context.insert("Book", ["title": title, "pages": pages])
    }
    let request = FetchRequest<ManagedObject>(entityName: "Book")
    request.sortDescriptors = [SortDescriptor(key: "pages", ascending: true)]
    (request.fetchOffset, request.fetchLimit) = (1, 2)
    let titles = try context.fetch(request).map { $0.value(forKey: "title") as? String }
    #expect(titles == ["alpha", "charlie"])
    #expect(try context.count(for: request) == 2)
  }

  // MARK: Validation

  @Test func anAppsOwnErrorIsThrownAsItIs() throws {
    ObjectClasses.note(RefusingTag.self)
    let stack = try stack(.memory) { $0["Tag"]?.managedObjectClassName = "RefusingTag" }
    let context = stack.context()
    context.insert("Tag", ["name": "a"])
    let error = #expect(throws: (any Error).self) { try context.save() } as NSError?
    #expect(error?.domain == "App" && error?.code == 7)
    context.insert("Tag", ["name": "b"])
    let several = #expect(throws: CoreDataError.self) { try context.save() } as NSError?
    #expect(several?.code == 1560)
    let details = several?.userInfo["NSDetailedErrors"] as? [NSError]
    #expect(details?.map(\.domain) == ["App", "App"])
  }
}

private final class RefusingTag: ManagedObject {
  override func validateForInsert() throws { throw NSError(domain: "App", code: 7) }
}
