import Persistence
import TestSupport
import Testing

/// A parent with children, all used on their queues by the test's thread.
private struct Family {
  let stack: AppStack
  let parent: ManagedObjectContext
  let child: ManagedObjectContext

  init(
    _ backend: Backend, _ policy: MergePolicy = .error,
    _ change: ([String: EntityDescription]) -> Void = { _ in }
  ) throws {
    stack = try AppStack(backend, try LibraryModel.make(change))
    let seed = stack.context()
    let shelf = seed.insert("Shelf", ["name": "s"])
    let book = seed.insert("Book", ["title": "t", "pages": 1, "shelf": shelf])
    for title in ["1", "2", "3"] { seed.insert("Chapter", ["title": title, "book": book]) }
    for name in ["a", "b"] {
      book.mutableSetValue(forKey: "tags").add(seed.insert("Tag", ["name": name]))
    }
    try seed.save()
    parent = stack.context()
    child = stack.context(policy, parent: parent)
  }

  func grandchild() -> ManagedObjectContext { stack.context(parent: child) }

  func stored(_ entity: String, _ key: String) throws -> [String] {
    try stack.context().strings(entity, key)
  }
}

extension ManagedObject {
  fileprivate func text(_ key: String) -> String? { value(forKey: key) as? String }

  fileprivate func titles(_ key: String) -> [String] {
    ((value(forKey: key) as? NSOrderedSet)?.array ?? []).compactMap {
      ($0 as? ManagedObject)?.text("title")
    }
  }

  fileprivate func names(_ key: String) -> [String] {
    (value(forKey: key) as? Set<ManagedObject> ?? []).compactMap { $0.text("name") }.sorted()
  }
}

extension ManagedObjectContext {
  /// Saves, and waits until the parent's queue is done with what that began: the test's thread is
  /// about to use the parent, too.
  fileprivate func saveAndSettle() throws {
    defer { parent?.performAndWait {} }
    try save()
  }
}

@Suite("A child context")
struct ChildContextTests {
  @Test(arguments: Backend.allCases)
  func readsWhatItsParentHasUnsaved(_ backend: Backend) throws {
    let family = try Family(backend)
    try family.parent.one("Book").setValue("unsaved", forKey: "title")
    family.parent.insert("Tag", ["name": "new"])
    family.parent.delete(try family.parent.one("Tag", "name == 'a'"))
    #expect(try family.child.one("Book").text("title") == "unsaved")
    #expect(try family.child.strings("Tag", "name").sorted() == ["b", "new"])
    #expect(try family.child.one("Book").names("tags") == ["b"])
    let request = FetchRequest<ManagedObject>(entityName: "Tag")
    #expect(try family.child.count(for: request) == 2)
  }

  @Test(arguments: Backend.allCases)
  func savesIntoItsParentOnly(_ backend: Backend) throws {
    let family = try Family(backend)
    try family.child.one("Book").setValue("child", forKey: "title")
    let new = family.child.insert("Tag", ["name": "new"])
    family.child.delete(try family.child.one("Tag", "name == 'a'"))
    #expect(try family.parent.one("Book").text("title") == "t")
    try family.child.saveAndSettle()
    #expect(!family.child.hasChanges)
    #expect(family.parent.hasChanges)
    #expect(family.parent.insertedObjects.count == 1)
    #expect(family.parent.deletedObjects.count == 1)
    #expect(family.parent.updatedObjects.contains(try family.parent.one("Book")))
    #expect(try family.stored("Book", "title") == ["t"])
    #expect(new.objectID.isTemporaryID)
    try family.parent.save()
    #expect(try family.stored("Book", "title") == ["child"])
    #expect(try family.stored("Tag", "name") == ["b", "new"])
  }

  @Test(arguments: Backend.allCases)
  func newObjectsGetTheirIdentifiersFromTheStore(_ backend: Backend) throws {
    let family = try Family(backend)
    let grandchild = family.grandchild()
    let shelf = grandchild.insert("Shelf", ["name": "new"])
    let book = grandchild.insert("Book", ["title": "new", "shelf": shelf])
    let temporary = book.objectID
    try grandchild.saveAndSettle()
    try family.child.saveAndSettle()
    #expect(book.objectID.isTemporaryID)
    try family.parent.save()
    #expect(grandchild.registeredObject(for: temporary) === book)
    #expect(!book.objectID.isTemporaryID)
    #expect(family.child.object(with: temporary).objectID == book.objectID)
    #expect(family.parent.object(with: temporary).text("title") == "new")
    // What it saves next goes to the same object.
    book.setValue("newer", forKey: "title")
    for context in [grandchild, family.child, family.parent] { try context.saveAndSettle() }
    #expect(try family.stored("Book", "title").sorted() == ["newer", "t"])
    #expect(try family.stack.context().one("Shelf", "name == 'new'").value(forKey: "items") != nil)
  }

  @Test(arguments: Backend.allCases)
  func permanentIdentifiersCanBeObtainedBefore(_ backend: Backend) throws {
    let family = try Family(backend)
    let tag = family.child.insert("Tag", ["name": "new"])
    try family.child.obtainPermanentIDs(for: [tag])
    let id = tag.objectID
    #expect(!id.isTemporaryID)
    try family.child.saveAndSettle()
    #expect(family.parent.object(with: id).text("name") == "new")
    try family.parent.save()
    #expect(try family.stack.context().existingObject(with: id).text("name") == "new")
  }

  @Test(arguments: Backend.allCases)
  func relationshipsOfAllKindsGoUp(_ backend: Backend) throws {
    let family = try Family(backend)
    let grandchild = family.grandchild()
    let book = try grandchild.one("Book")
    book.mutableOrderedSetValue(forKey: "chapters").moveObjects(at: IndexSet(integer: 2), to: 0)
    grandchild.insert("Chapter", ["title": "4", "book": book])
    let tags = book.mutableSetValue(forKey: "tags")
    tags.remove(try grandchild.one("Tag", "name == 'a'"))
    tags.add(grandchild.insert("Tag", ["name": "c"]))
    book.setValue(grandchild.insert("Cover", ["colour": "red"]), forKey: "cover")
    book.setValue(nil, forKey: "shelf")
    for context in [grandchild, family.child, family.parent] {
      try context.saveAndSettle()
      let seen = try context.one("Book")
      #expect(seen.titles("chapters") == ["3", "1", "2", "4"])
    }
    for context in [family.stack.context(), family.parent, family.child, grandchild] {
      let book = try context.one("Book")
      #expect(book.titles("chapters") == ["3", "1", "2", "4"])
      #expect(book.names("tags") == ["b", "c"])
      #expect(book.value(forKeyPath: "cover.colour") as? String == "red")
      #expect(book.value(forKey: "shelf") == nil)
      #expect((try context.one("Shelf").value(forKey: "items") as? NSSet)?.count == 0)
    }
  }

  @Test(arguments: Backend.allCases)
  func rollbackAndResetTouchNobodyElse(_ backend: Backend) throws {
    let family = try Family(backend)
    try family.parent.one("Book").setValue("parent", forKey: "title")
    let book = try family.child.one("Book")
    book.setValue("child", forKey: "title")
    family.child.rollback()
    #expect(!family.child.hasChanges)
    #expect(book.text("title") == "parent")
    family.child.insert("Tag")
    family.child.reset()
    #expect(family.child.registeredObjects.isEmpty)
    #expect(family.parent.hasChanges)
    #expect(try family.child.one("Book").text("title") == "parent")
  }

  @Test(arguments: Backend.allCases)
  func staysAsItReadUntilRefreshed(_ backend: Backend) throws {
    let family = try Family(backend)
    let book = try family.child.one("Book")
    #expect(book.text("title") == "t")
    try family.parent.one("Book").setValuesForKeys(["title": "parent", "pages": 2])
    #expect(book.text("title") == "t")
    book.setValue("child", forKey: "title")
    family.child.refresh(book, mergeChanges: true)
    #expect(book.text("title") == "child")
    #expect(book.value(forKey: "pages") as? Int == 2)
    family.child.refresh(book, mergeChanges: false)
    #expect(book.text("title") == "parent")
    #expect(!family.child.hasChanges)
  }

  @Test("The last save of a property wins in the parent", arguments: Backend.allCases)
  func siblingsMeetInTheParent(_ backend: Backend) throws {
    let family = try Family(backend)
    let sibling = family.stack.context(parent: family.parent)
    for (context, title) in [(family.child, "first"), (sibling, "second")] {
      try context.one("Book").setValue(title, forKey: "title")
    }
    try sibling.one("Book").setValue(9, forKey: "pages")
    try family.child.saveAndSettle()
    try sibling.saveAndSettle()
    try family.parent.save()
    #expect(try family.stored("Book", "title") == ["second"])
    #expect(try family.stack.context().one("Book").value(forKey: "pages") as? Int == 9)
  }

  @Test(
    "An object that is gone from the parent is a conflict", arguments: Backend.allCases,
    MergePolicyType.allCases)
  func changedHereDeletedInTheParent(_ backend: Backend, _ policy: MergePolicyType) throws {
    let family = try Family(backend, MergePolicy(merge: policy))
    let tag = try family.child.one("Tag", "name == 'a'")
    tag.setValue("changed", forKey: "name")
    family.parent.delete(try family.parent.one("Tag", "name == 'a'"))
    switch policy {
    case .errorMergePolicyType:
      let error = try #require(throws: CoreDataError.self) { try family.child.saveAndSettle() }
      #expect(error.code == .managedObjectMerge)
      #expect((error.conflictList.first as? MergeConflict)?.sourceObject === tag)
      #expect(tag.hasChanges)
    case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
      try family.child.saveAndSettle()
      try family.parent.save()
      #expect(try family.stored("Tag", "name").sorted() == ["b", "changed"])
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      try family.child.saveAndSettle()
      try family.parent.save()
      #expect(try family.stored("Tag", "name") == ["b"])
      #expect(tag.managedObjectContext == nil)
    }
  }

  @Test(arguments: Backend.allCases)
  func aConflictWithTheStoreIsTheParents(_ backend: Backend) throws {
    let family = try Family(backend)
    try family.child.one("Book").setValue("child", forKey: "title")
    let other = family.stack.context()
    // Held, so that the parent knows what it has read.
    let held = try family.parent.one("Book")
    #expect(held.text("title") == "t")
    try other.one("Book").setValue("other", forKey: "title")
    try other.save()
    try family.child.saveAndSettle()
    let error = try #require(throws: CoreDataError.self) { try family.parent.save() }
    #expect(error.code == .managedObjectMerge)
    family.parent.mergePolicy = .mergeByPropertyObjectTrump
    try family.parent.save()
    #expect(try family.stored("Book", "title") == ["child"])
  }

  @Test(arguments: Backend.allCases)
  func deleteRulesActInTheChild(_ backend: Backend) throws {
    let family = try Family(backend, .error) { entities in
      for (entity, name) in [("Shelf", "items"), ("Book", "chapters")] {
        let property = entities[entity]?.ownProperties.first { $0.name == name }
        (property as? RelationshipDescription)?.deleteRule = .cascade
      }
    }
    family.child.delete(try family.child.one("Shelf"))
    try family.child.saveAndSettle()
    #expect(try family.child.all("Item").isEmpty)
    #expect(family.parent.deletedObjects.count == 5)
    try family.parent.save()
    #expect(try family.stored("Chapter", "title").isEmpty)
    #expect(try family.stored("Tag", "name") == ["a", "b"])
  }

  @Test(arguments: Backend.allCases)
  func whatIsDeletedAsNewLeavesNoTrace(_ backend: Backend) throws {
    let family = try Family(backend)
    let tag = family.child.insert("Tag", ["name": "new"])
    try family.child.saveAndSettle()
    family.child.delete(tag)
    try family.child.saveAndSettle()
    #expect(family.parent.insertedObjects.isEmpty)
    #expect(family.parent.deletedObjects.isEmpty)
    #expect(!family.parent.hasChanges)
  }

  @Test(arguments: Backend.allCases)
  func validatesBeforeItSaves(_ backend: Backend) throws {
    let family = try Family(backend)
    family.child.insert("Tag")
    let error = try #require(throws: CoreDataError.self) { try family.child.saveAndSettle() }
    #expect(error.code == .validationMissingMandatoryProperty)
    #expect(!family.parent.hasChanges)
  }

  @Test func aParentNeedsAQueue() throws {
    let stack = try AppStack(.memory, try LibraryModel.make())
    let confined = ManagedObjectContext(coordinator: stack.coordinator)
    let child = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let error = try #require(throws: CoreDataError.self) {
      try ExceptionTrap.catching { child.parent = confined }
    }
    #expect(error.reason.hasPrefix("Parent NSManagedObjectContext must use either"))
  }
}
