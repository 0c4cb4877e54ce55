import Persistence
import TestSupport
import Testing

/// A stack on a store of a backend that counts how often it is opened.
private final class OpenedOnce: @unchecked Sendable {
  let model: ManagedObjectModel
  private(set) var openings = 0
  private let folder: TemporaryFolder
  private(set) var stack: SharedStack!

  init(_ backend: Backend) throws {
    model = try LibraryModel.make()
    folder = try TemporaryFolder()
    stack = SharedStack { [unowned self] in
      openings += 1
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(try backend.makeStore(model, in: folder))
      return coordinator
    }
  }

  func context() throws -> ManagedObjectContext {
    try #require(stack.context(concurrencyType: .privateQueueConcurrencyType))
  }

  func shared() throws -> ManagedObjectContext { try #require(stack.sharedContext) }
}

extension ManagedObjectContext {
  /// Everything that was put on the context's queue before has run.
  fileprivate func settle() async throws { try await perform { () throws in } }

  fileprivate func names(_ entity: String) async throws -> [String] {
    try await perform { try self.strings(entity, "name").sorted() }
  }
}

@Suite("A shared stack")
struct SharedStackTests {
  @Test("S80: one coordinator, opened once", arguments: Backend.allCases)
  func oneCoordinator(_ backend: Backend) async throws {
    let opened = try OpenedOnce(backend)
    let identities = await withTaskGroup(of: ObjectIdentifier?.self) { group in
      for _ in 0..<100 {
        group.addTask { opened.stack.persistentStoreCoordinator.map(ObjectIdentifier.init) }
      }
      return await group.reduce(into: Set<ObjectIdentifier?>()) { $0.insert($1) }
    }
    #expect(identities.count == 1)
    #expect(!identities.contains(nil))
    #expect(opened.openings == 1)
  }

  @Test("S81: contexts of each kind share coordinator and policy", arguments: Backend.allCases)
  func contextsAreAlike(_ backend: Backend) throws {
    let opened = try OpenedOnce(backend)
    for type in [
      ManagedObjectContextConcurrencyType.confinementConcurrencyType, .privateQueueConcurrencyType,
      .mainQueueConcurrencyType,
    ] {
      let context = try #require(opened.stack.context(concurrencyType: type))
      #expect(context.concurrencyType == type)
      #expect(context.persistentStoreCoordinator === opened.stack.persistentStoreCoordinator)
      #expect(context.mergePolicy === MergePolicy.mergeByPropertyObjectTrump)
    }
    #expect(try opened.context() !== opened.context())
  }

  @Test("S81: without a store there are no contexts")
  func noStoreNoContexts() throws {
    let stack = SharedStack {
      throw CoreDataError(.persistentStoreOpen, "no such volume")
    }
    #expect(stack.persistentStoreCoordinator == nil)
    #expect(stack.context() == nil)
    #expect(stack.sharedContext == nil)
    #expect((stack.failure as? CoreDataError)?.code == .persistentStoreOpen)
  }

  @Test("S82: the last to save a property wins", arguments: Backend.allCases)
  func lastSaverWins(_ backend: Backend) throws {
    let opened = try OpenedOnce(backend)
    let (first, second) = (try opened.context(), try opened.context())
    first.insert("Book", ["title": "title", "pages": 1])
    try first.save()
    let seen = try second.one("Book")
    #expect(seen.value(forKey: "title") as? String == "title")
    try first.one("Book").setValue("first", forKey: "title")
    try first.one("Book").setValue(2, forKey: "pages")
    try first.save()
    seen.setValue("second", forKey: "title")
    try second.save()
    let stored = try opened.context().one("Book")
    #expect(stored.value(forKey: "title") as? String == "second")
    #expect(stored.value(forKey: "pages") as? Int == 2)
  }

  @Test("S83: the shared context follows inserts, updates and deletes", arguments: Backend.allCases)
  func sharedContextFollows(_ backend: Backend) async throws {
    let opened = try OpenedOnce(backend)
    let (shared, writer) = (try opened.shared(), try opened.context())
    #expect(try opened.shared() === shared)
    #expect(shared.concurrencyType == .mainQueueConcurrencyType)
    try await writer.perform {
      for name in ["kept", "changed", "deleted"] { writer.insert("Tag", ["name": name]) }
      try writer.save()
    }
    #expect(try await shared.names("Tag") == ["changed", "deleted", "kept"])
    // Held, so that they stay in the shared context.
    let held = try await shared.perform { Held(try shared.all("Tag")) }
    try await writer.perform {
      try writer.one("Tag", "name == 'changed'").setValue("new name", forKey: "name")
      writer.delete(try writer.one("Tag", "name == 'deleted'"))
      writer.insert("Tag", ["name": "inserted"])
      try writer.save()
    }
    try await shared.settle()
    try await shared.perform { () throws in
      let names = held.objects.map { $0.isFault || $0.managedObjectContext != nil }
      #expect(names.filter { $0 }.count >= 2)
      let living = held.objects.filter { $0.managedObjectContext === shared }
      #expect(
        living.compactMap { $0.value(forKey: "name") as? String }.sorted() == ["kept", "new name"])
      #expect(try shared.strings("Tag", "name").sorted() == ["inserted", "kept", "new name"])
    }
  }

  @Test("S84: other coordinators, own saves and bare notifications are ignored")
  func onlySavesOfTheOthersCount() async throws {
    let (opened, other) = (try OpenedOnce(.memory), try OpenedOnce(.memory))
    let (shared, writer) = (try opened.shared(), try opened.context())
    let merges = NotificationLog(
      of: shared, [ManagedObjectContext.didMergeChangesObjectIDsNotification])
    let foreign = try other.context()
    try await foreign.perform {
      foreign.insert("Tag", ["name": "foreign"])
      try foreign.save()
    }
    try await shared.perform {
      shared.insert("Tag", ["name": "own"])
      try shared.save()
    }
    NotificationCenter.default.post(
      name: ManagedObjectContext.didSaveObjectsNotification, object: writer)
    try await shared.settle()
    #expect(merges.all.isEmpty)
    try await writer.perform {
      writer.insert("Tag", ["name": "other"])
      try writer.save()
    }
    try await shared.settle()
    #expect(merges.all.count == 1)
  }

  @Test("S85: observers are told in the turn that merges", arguments: Backend.allCases)
  func observersAreToldAtOnce(_ backend: Backend) async throws {
    let opened = try OpenedOnce(backend)
    let (shared, writer) = (try opened.shared(), try opened.context())
    try await writer.perform {
      writer.insert("Tag", ["name": "a"])
      try writer.save()
    }
    let held = try await shared.perform { Held(try shared.all("Tag")) }
    let log = NotificationLog(
      of: shared,
      [
        ManagedObjectContext.didChangeObjectsNotification,
        ManagedObjectContext.didMergeChangesObjectIDsNotification,
      ])
    let places = TurnLog()
    let token = NotificationCenter.default.addObserver(
      forName: ManagedObjectContext.didMergeChangesObjectIDsNotification, object: shared, queue: nil
    ) { _ in
      // The next turn comes after everything that the merge tells.
      shared.perform { places.note(log.all.count) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try await writer.perform {
      try writer.one("Tag").setValue("b", forKey: "name")
      writer.insert("Tag", ["name": "c"])
      try writer.save()
    }
    try await shared.settle()
    try await shared.settle()
    #expect(log.last == "inserted: 1, refreshed: 1")
    #expect(places.counts == [2])
    #expect(held.objects.count == 1)
  }

  @Test("S86: unsaved edits of others aren't seen", arguments: Backend.allCases)
  func unsavedEditsStayPrivate(_ backend: Backend) async throws {
    let opened = try OpenedOnce(backend)
    let (shared, writer) = (try opened.shared(), try opened.context())
    try await writer.perform {
      writer.insert("Tag", ["name": "a"])
      try writer.save()
      try writer.one("Tag").setValue("b", forKey: "name")
      writer.insert("Tag", ["name": "c"])
      writer.processPendingChanges()
    }
    #expect(try await shared.names("Tag") == ["a"])
  }

  @Test("S87: edits in the shared context survive a merge and win", arguments: Backend.allCases)
  func localEditsSurvive(_ backend: Backend) async throws {
    let opened = try OpenedOnce(backend)
    let (shared, writer) = (try opened.shared(), try opened.context())
    try await writer.perform {
      writer.insert("Book", ["title": "title", "pages": 1])
      try writer.save()
    }
    let held = try await shared.perform {
      let book = try shared.one("Book")
      book.setValue("local", forKey: "title")
      return Held([book])
    }
    try await writer.perform {
      try writer.one("Book").setValuesForKeys(["title": "background", "pages": 2])
      try writer.save()
    }
    try await shared.settle()
    try await shared.perform { () throws in
      let book = held.objects[0]
      #expect(book.value(forKey: "title") as? String == "local")
      #expect(book.value(forKey: "pages") as? Int == 2)
      #expect(book.changedValues().keys.sorted() == ["title"])
      try shared.save()
    }
    let reader = try opened.context()
    #expect(try reader.performAndWait { try reader.strings("Book", "title") } == ["local"])
  }

  @Test("S89: confinement is accepted, and warned of once in a process")
  func confinementIsWarnedOf() throws {
    let texts = TextLog()
    let warnings = Warnings { texts.add($0) }
    for _ in 0..<3 { warnings.warnOnce(.confinement) }
    #expect(texts.all.count == 1)
    #expect(texts.all.first?.hasPrefix("NSConfinementConcurrencyType is obsolete") == true)
    let opened = try OpenedOnce(.memory)
    let context = try #require(opened.stack.context())
    #expect(Warnings.shared.given == [.confinement])
    var isDone = false
    context.perform { isDone = true }
    #expect(isDone, "blocks run at once, on the calling thread")
  }
}

private enum App {
  struct Tag: FetchableEntity {}
  struct Comet: FetchableEntity {}
}

@Suite("Objects of a type")
struct FetchableEntityTests {
  @Test("S90: an entity is named like its type, without the module")
  func entityIsNamedLikeTheType() {
    #expect(App.Tag.entityName == "Tag")
    #expect(App.Tag.fetchRequest().entityName == "Tag")
  }

  @Test("S91: made and found by their type", arguments: Backend.allCases)
  func madeAndFound(_ backend: Backend) throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let context = stack.context()
    for name in ["a", "b", "c"] {
      try App.Tag.insertNewObject(into: context).setValue(name, forKey: "name")
    }
    #expect(App.Tag.allObjects(in: context)?.count == 3)
    let error = try #require(throws: CoreDataError.self) {
      try App.Comet.insertNewObject(into: context)
    }
    #expect(error.reason == "could not locate an entity named 'Comet' in this model.")
  }

  @Test("S92: a failure before says nothing about this time", arguments: Backend.allCases)
  func judgedByTheResult(_ backend: Backend) throws {
    let stack = try AppStack(backend, try LibraryModel.make())
    let context = stack.context()
    let log = TextLog()
    let output: @Sendable (String) -> Void = { log.add($0) }
    FinderLog.$output.withValue(output) {
      #expect(App.Comet.allObjects(in: context) == nil)
      #expect(App.Tag.allObjects(in: context)?.isEmpty == true)
    }
    #expect(log.all.count == 1)
    #expect(log.all.first?.hasPrefix("Problems fetching objects of Comet: ") == true)
  }
}
