import DictionaryStore
import Persistence
import TestSupport
import Testing

/// Notes are kept apart from the library: two configurations, two stores.
private final class TwoStores {
  let coordinator: PersistentStoreCoordinator
  let context: ManagedObjectContext
  let library: PersistentStore
  let notes: PersistentStore
  let folder: TemporaryFolder

  init(_ backend: Backend) throws {
    folder = try TemporaryFolder()
    coordinator = PersistentStoreCoordinator(managedObjectModel: try Self.model())
    library = try Self.open("Library", backend, coordinator, folder)
    notes = try Self.open("Notes", backend, coordinator, folder)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  static func open(
    _ configuration: String, _ backend: Backend, _ coordinator: PersistentStoreCoordinator,
    _ folder: TemporaryFolder
  ) throws -> PersistentStore {
    if backend == .dictionaries {
      let store = DictionaryStore(
        configuration: try StoreConfiguration(
          model: coordinator.managedObjectModel, named: configuration),
        url: folder.url.appending(path: "\(configuration).sqlite"))
      coordinator.add(store)
      return store
    }
    return try coordinator.addPersistentStore(
      type: backend == .memory ? .inMemory : .sqlite, configuration: configuration,
      at: folder.url.appending(path: "\(configuration).sqlite"))
  }

  /// Tags may be in both stores, everything else in one.
  static func model() throws -> ManagedObjectModel {
    let note = LibraryModel.entity(
      "Note",
      [
        LibraryModel.attribute("name", .string), LibraryModel.toOne("about", "Book", nil),
      ])
    let tag = LibraryModel.entity("Tag", [LibraryModel.attribute("name", .string)])
    let item = LibraryModel.entity(
      "Item", [LibraryModel.attribute("name", .string, optional: true)])
    let book = LibraryModel.entity(
      "Book", [LibraryModel.attribute("pages", .integer32, optional: true)])
    book.superentityName = "Item"
    return try ManagedObjectModel(
      entities: [note, tag, item, book],
      configurations: ["Library": ["Book", "Item", "Tag"], "Notes": ["Note", "Tag"]])
  }

  func insert(_ entity: String, _ name: String) -> ManagedObject {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    return object
  }

  func fresh() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }
}

@Suite("A coordinator with several stores")
struct SeveralStoresTests {
  @Test(arguments: Backend.allCases)
  func putsObjectsWhereTheirConfigurationIs(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let (book, note) = (stores.insert("Book", "b"), stores.insert("Note", "n"))
    let first = stores.insert("Tag", "in the first store that takes it")
    let second = stores.insert("Tag", "in the one it is assigned to")
    stores.context.assign(second, to: stores.notes)
    try stores.context.save()
    #expect(book.objectID.persistentStore === stores.library)
    #expect(note.objectID.persistentStore === stores.notes)
    #expect(first.objectID.persistentStore === stores.library)
    #expect(second.objectID.persistentStore === stores.notes)
    // Each store counts its own keys.
    #expect([book, note, first, second].map(\.objectID.primaryKey) == [1, 1, 1, 1])
    #expect(first.objectID != second.objectID)
  }

  @Test(arguments: Backend.allCases)
  func fetchesFromAllStoresInTheOrderAskedFor(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    for (index, name) in ["d", "a", "c", "b", "e"].enumerated() {
      let tag = stores.insert("Tag", name)
      if index % 2 == 1 { stores.context.assign(tag, to: stores.notes) }
    }
    try stores.context.save()
    let context = stores.fresh()
    let request = FetchRequest<ManagedObject>(entityName: "Tag")
    #expect(try context.count(for: request) == 5)
    request.sortDescriptors = [SortDescriptor(key: "name", ascending: false)]
    request.fetchOffset = 1
    request.fetchLimit = 3
    let names = { try context.fetch(request).map { $0.value(forKey: "name") as? String } }
    #expect(try names() == ["d", "c", "b"])
    request.predicate = try Predicate.parse("name != 'c'")
    #expect(try names() == ["d", "b", "a"])
    #expect(try context.count(for: request) == 3)
    #expect(Set(try context.strings("Tag", "name")) == ["a", "b", "c", "d", "e"])
  }

  @Test(arguments: Backend.allCases)
  func fetchesWhatIsUnsavedFromTheAffectedStoresAlone(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let context = ManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = stores.coordinator
    let child = ManagedObjectContext(.privateQueue)
    child.parent = context
    let request = FetchRequest<ManagedObject>(entityName: "Tag")
    func names(in context: ManagedObjectContext, of store: PersistentStore) throws -> [String] {
      request.affectedStores = [store]
      return try context.performAndWait {
        let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        #expect(try context.count(for: request) == names.count)
        return names.sorted()
      }
    }
    func expect(_ library: [String], _ notes: [String]) throws {
      for context in [context, child] {
        #expect(try names(in: context, of: stores.library) == library)
        #expect(try names(in: context, of: stores.notes) == notes)
      }
    }
    try context.performAndWait {
      let (kept, assigned) = (context.insert("Tag", ["name": "kept"]), context.insert("Tag"))
      assigned.setValue("assigned", forKey: "name")
      context.assign(assigned, to: stores.notes)
      try expect(["kept"], ["assigned"])
      try context.save()
      kept.setValue("changed", forKey: "name")
      try expect(["changed"], ["assigned"])
      context.delete(assigned)
      try expect(["changed"], [])
      try child.performAndWait {
        child.insert("Tag", ["name": "child's"])
        let (library, notes) = (
          try names(in: child, of: stores.library), try names(in: child, of: stores.notes)
        )
        #expect(library == ["changed", "child's"] && notes == [])
      }
    }
  }

  @Test(arguments: Backend.allCases)
  func savesChangesAndDeletionsWhereTheObjectsAre(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let tags = ["kept", "changed", "deleted"].flatMap { name in
      [stores.library, stores.notes].map { store in
        let tag = stores.insert("Tag", name)
        stores.context.assign(tag, to: store)
        return tag
      }
    }
    try stores.context.save()
    for tag in tags[2...3] { tag.setValue("new", forKey: "name") }
    for tag in tags[4...5] { stores.context.delete(tag) }
    try stores.context.save()
    let left = try stores.fresh().all("Tag").map {
      "\($0.value(forKey: "name") ?? "") in \($0.objectID.persistentStore?.configurationName ?? "")"
    }
    #expect(left == ["kept in Library", "new in Library", "kept in Notes", "new in Notes"])
  }

  @Test(arguments: Backend.allCases)
  func refusesRelationshipsIntoAnotherStore(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let (book, note) = (stores.insert("Book", "b"), stores.insert("Note", "n"))
    note.setValue(book, forKey: "about")
    let error = try #require(throws: CoreDataError.self) { try stores.context.save() }
    #expect(error.code == .managedObjectExternalRelationship)
    #expect(error.place.entity == "Note")
    #expect(error.place.property == "about")
    #expect(stores.context.hasChanges)
    #expect(try stores.fresh().all("Book").isEmpty)
    note.setValue(nil, forKey: "about")
    try stores.context.save()
    #expect(try stores.fresh().all("Book").count == 1)
  }

  @Test(arguments: Backend.allCases)
  func anAbstractionOfSubentitiesInOneStoreIsFetchedFromIt(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    _ = [stores.insert("Item", "i"), stores.insert("Book", "b")]
    try stores.context.save()
    #expect(try stores.fresh().strings("Item", "name", "name IN {'b', 'i'}") == ["i", "b"])
  }

  @Test(arguments: Backend.allCases)
  func savedObjectsCantBeReassigned(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let tag = stores.insert("Tag", "t")
    try stores.context.save()
    let saved = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { stores.context.assign(tag, to: stores.notes) }
    }
    #expect(
      saved.reason == "Can't reassign an object to a different store once it has been saved.")
    let book = stores.insert("Book", "b")
    let unfit = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { stores.context.assign(book, to: stores.notes) }
    }
    #expect(
      unfit.reason == "Can't assign an object to a store that does not contain the object's entity."
    )
  }

  @Test(arguments: Backend.allCases)
  func findsStoresAndIdentifiers(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    let tag = stores.insert("Tag", "t")
    stores.context.assign(tag, to: stores.notes)
    try stores.context.save()
    let uri = tag.objectID.uriRepresentation()
    #expect(uri.absoluteString == "x-coredata://\(stores.notes.identifier)/Tag/p1")
    let id = try #require(stores.coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(id == tag.objectID)
    #expect(stores.context.object(with: id) === tag)
    for wrong in ["x-coredata:///Tag/t1", "x-coredata://nobody/Tag/p1", "file:///Tag/p1"] {
      let url = try #require(URL(string: wrong))
      #expect(stores.coordinator.managedObjectID(forURIRepresentation: url) == nil)
    }
    let url = stores.folder.url.appending(path: "Notes.sqlite")
    #expect(stores.coordinator.persistentStore(for: url) === stores.notes)
    #expect(stores.notes.configurationName == "Notes")
    #expect(stores.notes.persistentStoreCoordinator === stores.coordinator)
    #expect(throws: CoreDataError.self) {
      try stores.coordinator.addPersistentStore(type: .sqlite, configuration: "Nots", at: url)
    }
  }

  @Test(arguments: Backend.allCases)
  func withoutAStoreForItAnObjectIsRefused(_ backend: Backend) throws {
    let stores = try TwoStores(backend)
    try stores.coordinator.remove(stores.notes)
    _ = stores.insert("Note", "n")
    let error = try #require(throws: CoreDataError.self) { try stores.context.save() }
    #expect(error.code == .persistentStoreSave)
    #expect(error.place.entity == "Note")
    #expect(try stores.context.all("Note").count == 1)
  }

  /// Another store may have an object of the same entity and key.
  @Test(arguments: Backend.allCases, [true, false])
  func changesOfObjectsWhoseStoreIsGoneAreRefused(_ backend: Backend, isAlone: Bool) throws {
    let stores = try TwoStores(backend)
    let (tag, other) = (stores.insert("Tag", "of notes"), stores.insert("Tag", "of the library"))
    stores.context.assign(tag, to: stores.notes)
    stores.context.assign(other, to: stores.library)
    try stores.context.save()
    if isAlone { try stores.coordinator.remove(stores.library) }
    try stores.coordinator.remove(stores.notes)
    tag.setValue("changed", forKey: "name")
    let changed = try #require(throws: CoreDataError.self) { try stores.context.save() }
    stores.context.delete(tag)
    let deleted = try #require(throws: CoreDataError.self) { try stores.context.save() }
    #expect([changed.code, deleted.code] == [.persistentStoreSave, .persistentStoreSave])
    if !isAlone { #expect(try stores.fresh().strings("Tag", "name") == ["of the library"]) }
  }

  @Test func aStoreOfOneConfigurationHoldsNothingElse() throws {
    let stores = try TwoStores(.sqlite)
    _ = stores.insert("Note", "n")
    try stores.context.save()
    let url = stores.folder.url.appending(path: "Notes.sqlite")
    try stores.coordinator.remove(stores.notes)
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data]
    #expect(hashes?.keys.sorted() == ["Note", "Tag"])
    let whole = PersistentStoreCoordinator(
      managedObjectModel: stores.coordinator.managedObjectModel)
    let error = try #require(throws: CoreDataError.self) {
      try whole.addPersistentStore(type: .sqlite, at: url)
    }
    #expect(error.code == .persistentStoreIncompatibleVersionHash)
    let notes = try whole.addPersistentStore(
      type: .sqlite, configuration: "Notes", at: url,
      options: [PersistentStore.Option.readOnly: true])
    #expect(notes.isReadOnly)
    let context = ManagedObjectContext(coordinator: whole)
    #expect(try context.strings("Note", "name") == ["n"])
    #expect(try context.all("Item").isEmpty)
  }

  @Test func oneFileCantBeUsedTwice() throws {
    let stores = try TwoStores(.sqlite)
    let url = stores.folder.url.appending(path: "Notes.sqlite")
    let error = try #require(throws: CoreDataError.self) {
      try stores.coordinator.addPersistentStore(type: .sqlite, configuration: "Notes", at: url)
    }
    #expect(error.reason == "Can't add the same store twice")
    let twice = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { stores.coordinator.add(stores.notes) }
    }
    #expect(twice.code == .persistentStoreOperation)
  }

  @Test func metadataIsWrittenWithTheNextSaveAndToAStoreNotInUse() throws {
    let stores = try TwoStores(.sqlite)
    let url = stores.folder.url.appending(path: "Notes.sqlite")
    func stored(_ key: String) throws -> String? {
      try PersistentStoreCoordinator.metadataForPersistentStore(ofType: "SQLite", at: url)[key]
        as? String
    }
    stores.coordinator.setMetadata(["who": "me"], for: stores.notes)
    #expect(stores.coordinator.metadata(for: stores.notes)["who"] as? String == "me")
    #expect(try stored("who") == nil)
    try stores.context.save()
    #expect(try stored("who") == "me")
    try stores.coordinator.remove(stores.notes)
    try PersistentStoreCoordinator.setMetadata(["who": "you"], type: .sqlite, at: url)
    #expect(try stored("who") == "you")
    #expect(try stored("NSStoreType") == "SQLite")
  }

  @Test func whatIsSavedInOneStoreStaysSavedWhenTheNextFails() throws {
    let folder = try TemporaryFolder()
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try TwoStores.model())
    _ = try TwoStores.open("Library", .memory, coordinator, folder)
    let notes = try TwoStores.open("Notes", .sqlite, coordinator, folder)
    try coordinator.remove(notes)
    let reopened = try coordinator.addPersistentStore(
      type: .sqlite, configuration: "Notes", at: folder.url.appending(path: "Notes.sqlite"))
    let context = ManagedObjectContext(coordinator: coordinator)
    func insert(_ entity: String) -> ManagedObject {
      let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue("x", forKey: "name")
      return object
    }
    let (book, note) = (insert("Book"), insert("Note"))
    try context.obtainPermanentIDs(for: [note])
    // The file is closed behind the coordinator's back.
    try reopened.close()
    let error = try #require(throws: CoreDataError.self) { try context.save() }
    #expect(error.code == .persistentStoreIncompleteSave)
    #expect(!book.hasChanges && !book.objectID.isTemporaryID)
    #expect(note.isInserted)
    #expect(context.insertedObjects == [note])
  }

  @Test(arguments: ["Binary", "XML", "Core"])
  func otherTypesOfStoresAreRefused(type: String) throws {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: try TwoStores.model())
    let error = try #require(throws: CoreDataError.self) {
      try coordinator.addPersistentStore(
        ofType: type, configurationName: nil, at: URL(filePath: "/nowhere"))
    }
    #expect(error.code == .persistentStoreInvalidType)
  }
}
