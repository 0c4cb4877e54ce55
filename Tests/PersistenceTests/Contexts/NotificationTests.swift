import Persistence
import TestSupport
import Testing

@Suite("What a context tells")
struct NotificationTests {
  private let names: [Notification.Name] = [
    ManagedObjectContext.willSaveObjectsNotification,
    ManagedObjectContext.didSaveObjectsNotification,
    ManagedObjectContext.didChangeObjectsNotification,
    ManagedObjectContext.didSaveObjectIDsNotification,
  ]

  private func stack(_ backend: Backend) throws -> AppStack {
    let stack = try AppStack(backend, try LibraryModel.make())
    let seed = stack.context()
    for name in ["a", "b", "c"] { seed.insert("Tag", ["name": name]) }
    try seed.save()
    return stack
  }

  @Test(arguments: Backend.allCases)
  func aSaveIsToldBeforeAndAfter(_ backend: Backend) throws {
    let stack = try stack(backend)
    for context in [stack.context(), ManagedObjectContext(coordinator: stack.coordinator)] {
      let log = NotificationLog(of: context, names)
      let tags = try context.all("Tag")
      context.insert("Tag", ["name": "new"])
      tags[0].setValue("changed", forKey: "name")
      context.delete(tags[1])
      try context.save()
      #expect(log.all.map(\.name) == [names[2], names[0], names[1], names[3]])
      #expect(
        log.all.map(Self.counts) == [
          "deleted: 1, inserted: 1, updated: 1", "", "deleted: 1, inserted: 1, updated: 1",
          "deleted_objectIDs: 1, inserted_objectIDs: 1, updated_objectIDs: 1",
        ])
      #expect(log.all.allSatisfy { $0.object as? ManagedObjectContext === context })
      let inserted = log.all[3].userInfo?["inserted_objectIDs"] as? Set<ManagedObjectID>
      #expect(inserted?.allSatisfy { !$0.isTemporaryID } == true)
    }
  }

  private static func counts(_ notification: Notification) -> String {
    (notification.userInfo ?? [:]).map { key, value in
      let count = (value as? Set<ManagedObject>)?.count ?? (value as? Set<ManagedObjectID>)?.count
      return "\(key): \(count ?? -1)"
    }.sorted().joined(separator: ", ")
  }

  @Test(arguments: Backend.allCases)
  func savingNothingTellsOfNoObject(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let log = NotificationLog(of: context, names)
    try context.save()
    #expect(
      log.all.map(\.name) == [
        ManagedObjectContext.willSaveObjectsNotification,
        ManagedObjectContext.didSaveObjectsNotification,
      ])
    #expect(log.all.allSatisfy { $0.userInfo?.isEmpty != false })
  }

  @Test(arguments: Backend.allCases)
  func aRefusedSaveIsToldBeforeOnly(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let log = NotificationLog(of: context, names)
    context.insert("Tag")
    #expect(throws: CoreDataError.self) { try context.save() }
    #expect(log.all.map(\.name) == [names[2], names[0]])
  }

  @Test("Each event is told once, with what came of it", arguments: Backend.allCases)
  func eventsAreSummedUp(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let tags = try context.all("Tag")
    let log = NotificationLog(of: context, [ManagedObjectContext.didChangeObjectsNotification])
    tags[0].setValue("1", forKey: "name")
    tags[0].setValue("2", forKey: "name")
    let passing = context.insert("Tag", ["name": "new"])
    passing.setValue("newer", forKey: "name")
    context.processPendingChanges()
    #expect(log.last == "inserted: 1, updated: 1")
    context.processPendingChanges()
    #expect(log.all.count == 1)
    tags[0].setValue("3", forKey: "name")
    context.refresh(tags[1], mergeChanges: false)
    context.processPendingChanges()
    #expect(log.last == "refreshed: 1, updated: 1")
    context.delete(tags[0])
    context.processPendingChanges()
    #expect(log.last == "deleted: 1")
  }

  @Test(arguments: Backend.allCases)
  func rollingBackIsToldAsDeletedAndRefreshed(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let tags = try context.all("Tag")
    tags[0].setValue("changed", forKey: "name")
    context.insert("Tag", ["name": "new"])
    context.processPendingChanges()
    let log = NotificationLog(of: context, [ManagedObjectContext.didChangeObjectsNotification])
    context.rollback()
    #expect(log.last == "deleted: 1, refreshed: 1")
    #expect(tags[0].value(forKey: "name") as? String == "a")
  }

  @Test(
    "An observer of the save may change the objects that are saved", arguments: Backend.allCases)
  func changesMadeBeforeASaveAreSaved(_ backend: Backend) throws {
    let stack = try stack(backend)
    let context = stack.context()
    let tag = try context.all("Tag")[0]
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.willSaveObjectsNotification, object: context, queue: nil
    ) { [weak context] _ in
      guard let context, context.insertedObjects.isEmpty else { return }
      context.insert("Tag", ["name": "by the observer"])
    }
    defer { NotificationCenter.default.removeObserver(token) }
    tag.setValue("changed", forKey: "name")
    try context.save()
    #expect(
      try stack.context().strings("Tag", "name") == ["changed", "b", "c", "by the observer"])
  }
}

@Suite("Merging what others saved")
struct MergingTests {
  private struct Pair {
    let stack: AppStack
    let reader: ManagedObjectContext
    let writer: ManagedObjectContext

    init(_ backend: Backend) throws {
      stack = try AppStack(backend, try LibraryModel.make())
      (reader, writer) = (stack.context(), stack.context())
      let shelf = writer.insert("Shelf", ["name": "s"])
      let book = writer.insert("Book", ["title": "t", "pages": 1, "shelf": shelf])
      for name in ["a", "b"] {
        book.mutableSetValue(forKey: "tags").add(writer.insert("Tag", ["name": name]))
      }
      try writer.save()
    }

    /// What the writer tells of a save.
    func save() throws -> Notification {
      let log = NotificationLog(of: writer, [ManagedObjectContext.didSaveObjectsNotification])
      try writer.save()
      return try #require(log.all.last)
    }
  }

  @Test(arguments: Backend.allCases)
  func insertedUpdatedAndDeletedArrive(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let (book, tags) = (try pair.reader.one("Book"), try pair.reader.all("Tag"))
    _ = tags.map { $0.value(forKey: "name") }
    try pair.writer.one("Book").setValue("new", forKey: "title")
    pair.writer.delete(try pair.writer.one("Tag", "name == 'a'"))
    let inserted = pair.writer.insert("Tag", ["name": "c"])
    let notification = try pair.save()
    #expect(book.value(forKey: "title") as? String == "t")
    let log = NotificationLog(
      of: pair.reader,
      [
        ManagedObjectContext.didChangeObjectsNotification,
        ManagedObjectContext.didMergeChangesObjectIDsNotification,
      ])
    pair.reader.mergeChanges(fromContextDidSave: notification)
    pair.reader.processPendingChanges()
    #expect(book.value(forKey: "title") as? String == "new")
    #expect(tags[0].isDeleted && tags[0].value(forKey: "name") as? String == "a")
    #expect(pair.reader.registeredObject(for: inserted.objectID) != nil)
    #expect((book.value(forKey: "tags") as? NSSet)?.count == 1)
    #expect(pair.reader.deletedObjects == [tags[0]])
    #expect(log.all.count == 2)
    #expect(log.last.contains("deleted: 1"))
    #expect(log.last.contains("inserted: 1"))
    try pair.reader.save()
    #expect(tags[0].managedObjectContext == nil && !pair.reader.hasChanges)
  }

  @Test("Unsaved changes stay, and stay changes", arguments: Backend.allCases)
  func unsavedChangesStay(_ backend: Backend) throws {
    let pair = try Pair(backend)
    pair.reader.mergePolicy = .error
    let book = try pair.reader.one("Book")
    book.setValue("mine", forKey: "title")
    book.mutableSetValue(forKey: "tags").remove(try pair.reader.one("Tag", "name == 'a'"))
    let theirs = try pair.writer.one("Book")
    theirs.setValuesForKeys(["title": "theirs", "pages": 2])
    theirs.mutableSetValue(forKey: "tags").add(pair.writer.insert("Tag", ["name": "c"]))
    pair.reader.mergeChanges(fromContextDidSave: try pair.save())
    #expect(book.value(forKey: "title") as? String == "mine")
    #expect(book.value(forKey: "pages") as? Int == 2)
    #expect(book.changedValues().keys.sorted() == ["tags", "title"])
    #expect(book.committedValues(forKeys: ["title"])["title"] as? String == "theirs")
    // Merged, so it is no conflict even for the error policy.
    try pair.reader.save()
    let stored = try pair.stack.context().one("Book")
    #expect(stored.value(forKey: "title") as? String == "mine")
    let names = (stored.value(forKey: "tags") as? Set<ManagedObject> ?? [])
      .compactMap { $0.value(forKey: "name") as? String }
    #expect(names.sorted() == ["b", "c"])
  }

  @Test(arguments: Backend.allCases)
  func anUnsavedChangeOfADeletedObjectIsLost(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let tag = try pair.reader.one("Tag", "name == 'a'")
    tag.setValue("changed", forKey: "name")
    pair.writer.delete(try pair.writer.one("Tag", "name == 'a'"))
    pair.reader.mergeChanges(fromContextDidSave: try pair.save())
    pair.reader.processPendingChanges()
    #expect(tag.isDeleted && !tag.isUpdated)
    try pair.reader.save()
    #expect(tag.managedObjectContext == nil && !pair.reader.hasChanges)
    #expect(try pair.stack.context().strings("Tag", "name") == ["b"])
  }

  @Test(arguments: Backend.allCases)
  func identifiersAndURIsOfOthersAreMerged(_ backend: Backend) async throws {
    let pair = try Pair(backend)
    let book = try pair.reader.one("Book")
    let tag = try pair.reader.one("Tag", "name == 'a'")
    _ = (book.value(forKey: "title"), tag.value(forKey: "name"))
    pair.writer.delete(try pair.writer.one("Tag", "name == 'a'"))
    try pair.writer.save()
    // A batch tells nobody.
    let update = BatchUpdateRequest(entityName: "Book")
    update.propertiesToUpdate = ["title": "by a batch"]
    try pair.writer.execute(update)
    #expect(book.value(forKey: "title") as? String == "t")
    let changes: [AnyHashable: Any] = [
      "updated": [book.objectID.uriRepresentation()], "deleted_objectIDs": Set([tag.objectID]),
    ]
    ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [pair.reader])
    #expect(book.value(forKey: "title") as? String == "by a batch")
    #expect(tag.isDeleted)
  }

  @Test("A merge by itself", arguments: Backend.allCases)
  func automaticallyMergesChangesFromParent(_ backend: Backend) throws {
    let pair = try Pair(backend)
    pair.reader.automaticallyMergesChangesFromParent = true
    let book = try pair.reader.performAndWait { try pair.reader.one("Book") }
    try pair.writer.performAndWait {
      try pair.writer.one("Book").setValue("new", forKey: "title")
      try pair.writer.save()
    }
    #expect(pair.reader.performAndWait { book.value(forKey: "title") as? String } == "new")
    pair.reader.automaticallyMergesChangesFromParent = false
    try pair.writer.performAndWait {
      try pair.writer.one("Book").setValue("newer", forKey: "title")
      try pair.writer.save()
    }
    #expect(pair.reader.performAndWait { book.value(forKey: "title") as? String } == "new")
  }

  @Test("A child merges what its siblings save", arguments: Backend.allCases)
  func childrenMergeFromTheirParent(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let children = (0..<2).map { _ in pair.stack.context(parent: pair.reader) }
    children[0].automaticallyMergesChangesFromParent = true
    let book = try children[0].performAndWait { try children[0].one("Book") }
    #expect(children[0].performAndWait { book.value(forKey: "title") as? String } == "t")
    try children[1].performAndWait {
      try children[1].one("Book").setValue("sibling's", forKey: "title")
      try children[1].save()
    }
    #expect(children[0].performAndWait { book.value(forKey: "title") as? String } == "sibling's")
    try pair.reader.performAndWait {
      try pair.reader.one("Book").setValue("parent's", forKey: "title")
      try pair.reader.save()
    }
    #expect(children[0].performAndWait { book.value(forKey: "title") as? String } == "parent's")
  }

  @Test(arguments: Backend.allCases)
  func aParentTellsAtOnceWhatAChildSaves(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let child = pair.stack.context(parent: pair.reader)
    let log = NotificationLog(of: pair.reader, [ManagedObjectContext.didChangeObjectsNotification])
    try child.performAndWait {
      child.insert("Tag", ["name": "c"])
      try child.save()
    }
    #expect(log.all.count == 1 && log.last.contains("inserted: 1"))
  }

  @Test(arguments: Backend.allCases)
  func aMergeTellsWhatItReadAnew(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let book = try pair.reader.one("Book")
    try pair.writer.one("Book").setValue("new", forKey: "title")
    try pair.writer.one("Tag", "name == 'a'").setValue("unknown to the reader", forKey: "name")
    let log = NotificationLog(
      of: pair.reader, [ManagedObjectContext.didMergeChangesObjectIDsNotification])
    pair.reader.mergeChanges(fromContextDidSave: try pair.save())
    let info = try #require(log.all.last?.userInfo)
    #expect((info["updated_objectIDs"] as? Set<ManagedObjectID>)?.count == 2)
    #expect(info["refreshed_objectIDs"] as? Set<ManagedObjectID> == [book.objectID])
  }

  @Test(arguments: Backend.allCases)
  func aResetLeavesFaultsOfNothing(_ backend: Backend) throws {
    let pair = try Pair(backend)
    let (book, new) = (try pair.reader.one("Book"), pair.reader.insert("Tag", ["name": "c"]))
    let log = NotificationLog(of: pair.reader, [ManagedObjectContext.didChangeObjectsNotification])
    pair.reader.reset()
    let identifiers = log.all.last?.userInfo?["invalidatedAll"] as? [ManagedObjectID]
    #expect(Set(identifiers ?? []) == [book.objectID, new.objectID])
    #expect(book.isFault && new.isFault && !book.isDeleted && book.managedObjectContext == nil)
    #expect(book.value(forKey: "title") == nil && new.value(forKey: "name") == nil && !book.isFault)
    pair.reader.reset()
    #expect(log.all.count == 1)
    #expect(try pair.reader.one("Book").value(forKey: "title") as? String == "t")
  }
}
