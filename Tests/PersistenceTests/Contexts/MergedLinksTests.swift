import Persistence
import TestSupport
import Testing

/// Books with chapters in order, and covers: links that several contexts change.
private struct Books {
  let stack: AppStack

  init(
    _ backend: Backend, _ change: ([String: EntityDescription]) -> Void = { _ in }
  ) throws {
    stack = try AppStack(backend, try LibraryModel.make(change))
    let seed = stack.context()
    for title in ["x", "y"] { seed.insert("Book", ["title": title]) }
    seed.insert("Chapter", ["title": "a", "book": try seed.one("Book", "title == 'x'")])
    try seed.save()
  }

  func context(
    _ policy: MergePolicy = .error, parent: ManagedObjectContext? = nil
  ) -> ManagedObjectContext { stack.context(policy, parent: parent) }

  /// The stored chapters of each book, and the book of each chapter.
  func stored() throws -> String {
    let context = stack.context()
    let books = try context.all("Book").map { book in
      "\(book.value(forKey: "title") ?? "nil"):\(book.chapterTitles)"
    }
    let chapters = try context.all("Chapter").map { chapter in
      "\(chapter.value(forKey: "title") ?? "nil")>\(chapter.value(forKeyPath: "book.title") ?? "nil")"
    }
    return (books + chapters).joined(separator: " ")
  }
}

extension ManagedObjectContext {
  fileprivate func book(_ title: String) throws -> ManagedObject {
    try one("Book", "title == '\(title)'")
  }

  fileprivate func chapter(_ title: String) throws -> ManagedObject {
    try one("Chapter", "title == '\(title)'")
  }
}

extension ManagedObject {
  fileprivate var chapterTitles: String {
    let chapters = value(forKey: "chapters") as? NSOrderedSet
    return (chapters ?? []).compactMap { ($0 as? ManagedObject)?.value(forKey: "title") as? String }
      .joined()
  }
}

@Suite("Links that several contexts change")
struct MergedLinksTests {
  @Test("Members read before an object's row are read again with it", arguments: Backend.allCases)
  func membersAreNeverOlderThanTheRow(_ backend: Backend) throws {
    let books = try Books(backend)
    let (first, second) = (books.context(.mergeByPropertyObjectTrump), books.context())
    let book = first.object(with: try first.book("y").objectID)
    first.refreshAllObjects()
    #expect(book.isFault)
    // A child asks for the members without needing the row.
    let child = books.context(parent: first)
    #expect(child.object(with: book.objectID).chapterTitles == "")
    #expect(book.isFault)
    try second.chapter("a").setValue(try second.book("y"), forKey: "book")
    try second.save()
    first.insert("Chapter", ["title": "b", "book": book])
    try first.save()
    #expect(book.chapterTitles == "ab")
    #expect(try books.stored() == "x: y:ab a>y b>y")
  }

  @Test(
    "A link that is kept against others' is known at both ends", arguments: Backend.allCases)
  func aKeptLinkIsWrittenAtBothEnds(_ backend: Backend) throws {
    let books = try Books(backend)
    let (first, second) = (books.context(), books.context(.overwrite))
    try second.chapter("a").setValue("a", forKey: "title")
    second.insert("Chapter", ["title": "b", "book": try second.book("x")])
    try first.chapter("a").setValue(try first.book("y"), forKey: "book")
    try first.save()
    try second.save()
    #expect(try second.book("x").chapterTitles == "ba")
    #expect(try second.book("y").chapterTitles == "")
    #expect(try books.stored() == "x:ba y: a>x b>x")
  }

  @Test("Who gains an object that is made again is saved with it", arguments: Backend.allCases)
  func anOwnerIsSavedWithAnObjectMadeAgain(_ backend: Backend) throws {
    let books = try Books(backend)
    let (first, second) = (
      books.context(.mergeByPropertyObjectTrump), books.context(.mergeByPropertyObjectTrump)
    )
    try first.chapter("a").setValue("again", forKey: "title")
    let book = try second.book("x")
    second.delete(try second.chapter("a"))
    try second.save()
    try first.save()
    #expect(try books.stored() == "x:again y: again>x")
    // The second context knows of no chapters any more.
    second.insert("Chapter", ["title": "b", "book": book])
    try second.save()
    #expect(try books.stored() == "x:againb y: again>x b>x")
  }

  @Test("Objects that are made again together keep their links", arguments: Backend.allCases)
  func objectsMadeAgainTogetherKeepTheirLinks(_ backend: Backend) throws {
    let books = try Books(backend) { entities in
      let chapters = entities["Book"]?.ownProperties.first { $0.name == "chapters" }
      (chapters as? RelationshipDescription)?.deleteRule = .cascade
    }
    let (first, second) = (books.context(.overwrite), books.context())
    try first.chapter("a").setValue("b", forKey: "title")
    let book = try first.book("x")
    book.setValue("z", forKey: "title")
    second.delete(try second.book("x"))
    try second.save()
    #expect(try books.stored() == "y:")
    try first.save()
    #expect(book.chapterTitles == "b")
    #expect(try books.stored() == "z:b y: b>z")
  }

  @Test(
    "What two contexts make again is as the one that saves first has it",
    arguments: Backend.allCases)
  func whatOthersMadeAgainIsSettledFirst(_ backend: Backend) throws {
    let again = try CoverMadeAgain(Books(backend))
    let second = again.second
    try second.book("x").setValue("p", forKey: "title")
    try again.deleteAndMakeAgain()
    try second.save()
    try again.expectStoredLink()
  }

  @Test(
    "Who others linked with an object that they made again keeps the link",
    arguments: Backend.allCases)
  func linksOfWhatOthersMadeAgainStay(_ backend: Backend) throws {
    let again = try CoverMadeAgain(Books(backend))
    let (second, cover, book) = (again.second, again.cover, again.book)
    // Changed, though it is as it was: it takes from others what they save.
    let known = try second.book("x")
    known.setValue("x", forKey: "title")
    try again.deleteAndMakeAgain()
    ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        ManagedObjectContext.NotificationKey.insertedObjects.rawValue: [cover.objectID],
        ManagedObjectContext.NotificationKey.updatedObjects.rawValue: [book.objectID],
      ], into: [second])
    try second.save()
    #expect(known.value(forKeyPath: "cover.colour") as? String == "red")
    try again.expectStoredLink()
  }

  @Test("Links of what is given up for a constraint end at both ends", arguments: Backend.allCases)
  func linksOfUpdatesGivenUpForAConstraint(_ backend: Backend) throws {
    let books = try Books(backend) { $0["Item"]?.uniquenessConstraints = [["title"]] }
    let (first, second) = (books.context(.rollback), books.context())
    let book = try first.book("x")
    let cover = first.insert("Cover", ["colour": "red", "book": book])
    book.setValue("taken", forKey: "title")
    second.insert("Book", ["title": "taken"])
    try second.save()
    try first.save()
    #expect(book.value(forKey: "cover") == nil)
    #expect(cover.value(forKey: "book") == nil)
    let stored = books.context()
    #expect(try stored.one("Cover", "colour == 'red'").value(forKey: "book") == nil)
    #expect(try stored.book("x").value(forKey: "cover") == nil)
  }

  @Test("A child's links stay when its parent was saved meanwhile", arguments: Backend.allCases)
  func identifiersChangeBehindLinks(_ backend: Backend) throws {
    let books = try Books(backend)
    let parent = books.context()
    let child = books.context(parent: parent)
    let book = child.insert("Book", ["title": "z"])
    let chapter = child.insert("Chapter", ["title": "b", "book": book])
    try child.save()
    try parent.save()
    chapter.setValue("c", forKey: "title")
    child.refreshAllObjects()
    #expect(chapter.changedValues().keys.sorted() == ["title"])
    #expect(!book.hasChanges)
    book.setValue(NSOrderedSet(), forKey: "chapters")
    try child.save()
    try parent.save()
    let stored = try books.stored()
    #expect(stored == "x:a y: z: a>x c>nil")
  }

  @Test(
    "An unsaved object of the parent is the same for a child after the parent's save",
    arguments: Backend.allCases)
  func aChildsObjectsFollowTheirIdentifiers(_ backend: Backend) throws {
    let books = try Books(backend)
    let parent = books.context()
    let child = books.context(parent: parent)
    let book = parent.insert("Book", ["title": "z"])
    let chapter = parent.insert("Chapter", ["title": "b", "book": book])
    let known = try child.existingObject(with: chapter.objectID)
    let reached = try #require(known.value(forKey: "book") as? ManagedObject)
    try parent.save()
    #expect(try child.existingObject(with: chapter.objectID) === known)
    #expect(child.object(with: book.objectID) === reached)
    #expect(known.objectID == chapter.objectID && reached.objectID == book.objectID)
    known.setValue("c", forKey: "title")
    try child.save()
    try parent.save()
    #expect(try books.stored() == "x:a y: z:c a>x c>z")
  }

  @Test(
    "What a child makes again is new in a parent that has it as a fault",
    arguments: Backend.allCases
  )
  func aChildMakesAFaultOfItsParentAgain(_ backend: Backend) throws {
    let books = try Books(backend)
    let (parent, other) = (books.context(), books.context())
    let child = books.context(.overwrite, parent: parent)
    let chapter = try parent.chapter("a")
    try child.chapter("a").setValue(try child.book("y"), forKey: "book")
    parent.refreshAllObjects()
    other.delete(try other.chapter("a"))
    try other.save()
    try child.save()
    #expect(chapter.isInserted && !chapter.isDeleted)
    #expect(chapter.value(forKey: "title") as? String == "a")
    try parent.save()
    #expect(try books.stored() == "x: y:a a>y")
  }

  @Test(
    "A new object that a child takes back from its parent's deletion is linked at both ends",
    arguments: Backend.allCases)
  func aNewObjectTakenBackIsLinkedAtBothEnds(_ backend: Backend) throws {
    let books = try Books(backend)
    let parent = books.context()
    let child = books.context(.overwrite, parent: parent)
    let (book, cover) = (parent.insert("Book", ["title": "z"]), parent.insert("Cover"))
    try parent.obtainPermanentIDs(for: [book, cover])
    let (own, ownCover) = (child.object(with: book.objectID), child.object(with: cover.objectID))
    own.setValue(ownCover, forKey: "cover")
    try child.save()
    ownCover.setValue("red", forKey: "colour")
    own.setValue(1, forKey: "pages")
    parent.delete(cover)
    parent.processPendingChanges()
    #expect(book.value(forKey: "cover") == nil)
    try child.save()
    #expect(cover.value(forKey: "book") as? ManagedObject === book)
    #expect(book.value(forKey: "cover") as? ManagedObject === cover)
    try parent.save()
    let stored = try books.context().one("Cover")
    #expect(stored.value(forKeyPath: "book.title") as? String == "z")
    #expect(stored.value(forKeyPath: "book.cover") as? ManagedObject === stored)
  }

  // MARK: The delete rule of no action

  private func booksWithoutAction(_ backend: Backend) throws -> Books {
    let books = try Books(backend) { entities in
      for property in entities.values.flatMap(\.ownProperties) {
        (property as? RelationshipDescription)?.deleteRule = .noAction
      }
    }
    let seed = books.context()
    seed.insert("Tag", ["name": "red"])
    try seed.save()
    return books
  }

  @Test(
    "Nothing is linked with an object that is deleted by the same save", arguments: Backend.allCases
  )
  func whatIsDeletedIsNotLinked(_ backend: Backend) throws {
    let books = try booksWithoutAction(backend)
    let (first, second) = (books.context(), books.context())
    let known = try second.one("Tag")
    let (book, tag) = (try first.book("x"), try first.one("Tag"))
    book.mutableSetValue(forKey: "tags").add(tag)
    first.delete(tag)
    try first.save()
    #expect((known.value(forKey: "items") as? NSSet)?.count == 0)
    #expect((try books.context().book("x").value(forKey: "tags") as? NSSet)?.count == 0)
  }

  @Test(
    "Who still has an object as a member when a child makes it again is linked with it",
    arguments: Backend.allCases)
  func staleMembersOfWhatAChildMakesAgain(_ backend: Backend) throws {
    let books = try booksWithoutAction(backend)
    let first = books.context()
    let child = books.context(.overwrite, parent: first)
    try child.chapter("a").setValue("b", forKey: "title")
    let book = try first.book("x")
    #expect(book.chapterTitles == "a")
    first.delete(try first.chapter("a"))
    try first.save()
    try child.save()
    try first.save()
    #expect(try books.stored() == "x:b y: b>x")
  }

  @Test(
    "An object that was deleted and made again is no member again", arguments: Backend.allCases)
  func noMemberAfterADeletion(_ backend: Backend) throws {
    let books = try booksWithoutAction(backend)
    let (first, second, third) = (books.context(), books.context(.overwrite), books.context())
    let tag = try second.one("Tag")
    tag.setValue("blue", forKey: "name")
    try third.book("x").setValue(NSSet(object: try third.one("Tag")), forKey: "tags")
    try third.save()
    first.delete(try first.one("Tag"))
    try first.save()
    try second.save()
    let stored = books.context()
    #expect((try stored.one("Tag", "name == 'blue'").value(forKey: "items") as? NSSet)?.count == 0)
    #expect((try stored.book("x").value(forKey: "tags") as? NSSet)?.count == 0)
  }

  @Test("A deletion that is given up takes its new links along", arguments: Backend.allCases)
  func linksOfADeletionThatIsGivenUp(_ backend: Backend) throws {
    let books = try booksWithoutAction(backend)
    let (first, second) = (books.context(), books.context(.rollback))
    let (book, tag) = (try second.book("x"), try second.one("Tag"))
    tag.mutableSetValue(forKey: "items").add(book)
    second.delete(tag)
    try first.one("Tag").setValue("blue", forKey: "name")
    try first.save()
    try second.save()
    #expect((book.value(forKey: "tags") as? NSSet)?.count == 0)
    let stored = books.context()
    #expect((try stored.one("Tag", "name == 'blue'").value(forKey: "items") as? NSSet)?.count == 0)
  }
}

/// A cover that a third context deletes, and two others make again: one by its child, the other with a
/// book.
private struct CoverMadeAgain {
  let books: Books
  let (first, second, third): (ManagedObjectContext, ManagedObjectContext, ManagedObjectContext)
  let child: ManagedObjectContext
  let cover: ManagedObject
  let book: ManagedObject

  init(_ books: Books) throws {
    self.books = books
    (first, second, third) = (
      books.context(.overwrite), books.context(.rollback), books.context()
    )
    third.insert("Cover", ["colour": "red"])
    try third.save()
    (cover, book) = (try first.one("Cover"), try first.book("x"))
    child = books.context(.overwrite, parent: second)
    child.object(with: cover.objectID).setValue("blue", forKey: "colour")
  }

  /// Leaves the second context's changes to be saved.
  func deleteAndMakeAgain() throws {
    third.delete(try third.one("Cover"))
    try third.save()
    try child.save()
    cover.setValue(book, forKey: "book")
    try first.save()
  }

  func expectStoredLink() throws {
    let stored = books.context()
    #expect(try stored.one("Cover").value(forKeyPath: "book.title") as? String == "x")
    #expect(try stored.book("x").value(forKeyPath: "cover.colour") as? String == "red")
  }
}
