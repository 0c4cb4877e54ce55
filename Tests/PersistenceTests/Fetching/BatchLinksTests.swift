import TestSupport
import Testing

@testable import Persistence

extension Stack {
  /// The stored chapters of a book, in order.
  fileprivate func chapters(of title: String) throws -> [String?] {
    let book = try #require(try freshContext().all("Book", "title == '\(title)'").first)
    let relationship = try #require(book.entity.relationship(named: "chapters"))
    return book.destinations(of: relationship).map { $0.value(forKey: "title") as? String }
  }
}

@Suite("Links that batches set and take away")
struct BatchLinksTests {
  // MARK: Who is given

  /// The new owner's version stays, so that whoever has read it isn't told, and saves its own order.
  @Test(arguments: Backend.allCases)
  func membersGivenByABatchAreTheLast(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let books = ["x", "y"].map { stack.insert("Book", ["title": $0]) }
    for (title, book) in [("a", 0), ("b", 1), ("c", 1)] {
      stack.insert("Chapter", ["title": title, "book": books[book]])
    }
    try stack.context.save()
    let update = BatchUpdateRequest(entityName: "Chapter")
    update.predicate = try Predicate.parse("title != 'b'")
    update.propertiesToUpdate = ["book": books[1]]
    try stack.context.execute(update)
    #expect(try stack.chapters(of: "y") == ["b", "c", "a"])
    stack.insert("Chapter", ["title": "d", "book": books[1]])
    try stack.context.save()
    #expect(try stack.chapters(of: "y") == ["b", "c", "d", "a"])
  }

  /// A value that has to be unique is given row by row, others by a statement.
  @Test(arguments: Backend.allCases)
  func membersOfSeveralBatchesComeInTheirOrder(_ backend: Backend) throws {
    let model = try LibraryModel.make { $0["Chapter"]?.uniquenessConstraints = [["title"]] }
    let stack = try Stack(backend, model)
    let books = ["x", "y"].map { stack.insert("Book", ["title": $0]) }
    for (title, book) in [("a", 0), ("b", 1), ("c", 1), ("d", 0)] {
      stack.insert("Chapter", ["title": title, "book": books[book]])
    }
    try stack.context.save()
    func give(_ title: String, named name: String? = nil, to book: ManagedObject) throws {
      let update = BatchUpdateRequest(entityName: "Chapter")
      update.predicate = try Predicate.parse("title == '\(title)'")
      update.propertiesToUpdate = ["book": book]
      if let name { update.propertiesToUpdate?["title"] = name }
      try stack.context.execute(update)
    }
    let insertion = BatchInsertRequest(
      entityName: "Chapter", objects: [["title": "e", "book": books[1]]])
    try stack.context.execute(insertion)
    try give("d", named: "D", to: books[1])
    try give("a", to: books[1])
    #expect(try stack.chapters(of: "y") == ["b", "c", "e", "D", "a"])
    // Who stays keeps its place, and who comes back is the last.
    try give("b", named: "B", to: books[1])
    try give("c", named: "C", to: books[0])
    try give("C", named: "c", to: books[1])
    #expect(try stack.chapters(of: "y") == ["B", "e", "D", "a", "c"])
    #expect(try stack.chapters(of: "x") == [])
  }

  /// As in a file that others wrote: these are in the order of their keys.
  @Test func membersWithoutAPlaceInTheOrderComeBeforeThoseOfABatch() throws {
    let stack = try Stack(.sqlite, try LibraryModel.make())
    let books = ["x", "y"].map { stack.insert("Book", ["title": $0]) }
    for (title, book) in [("a", 0), ("b", 1), ("c", 1)] {
      stack.insert("Chapter", ["title": title, "book": books[book]])
    }
    try stack.context.save()
    try (stack.store as? SQLiteStore)?.database.run("UPDATE ZCHAPTER SET Z_FOK_BOOK = NULL")
    let update = BatchUpdateRequest(entityName: "Chapter")
    update.predicate = try Predicate.parse("title == 'a'")
    update.propertiesToUpdate = ["book": books[1]]
    try stack.context.execute(update)
    #expect(try stack.chapters(of: "y") == ["b", "c", "a"])
  }

  @Test(arguments: Backend.allCases)
  func removingAMemberThatABatchHasTakenChangesNothing(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let books = ["x", "y"].map { stack.insert("Book", ["title": $0]) }
    let chapter = stack.insert("Chapter", ["title": "a", "book": books[0]])
    try stack.context.save()
    let update = BatchUpdateRequest(entityName: "Chapter")
    update.propertiesToUpdate = ["book": books[1]]
    try stack.context.execute(update)
    ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue: [chapter.objectID]
      ], into: [stack.context])
    books[0].mutableOrderedSetValue(forKey: "chapters").remove(chapter)
    try stack.context.save()
    #expect(chapter.value(forKeyPath: "book.title") as? String == "y")
    #expect(try stack.chapters(of: "x") == [])
    #expect(try stack.chapters(of: "y") == ["a"])
  }

  @Test(arguments: Backend.allCases)
  func anObjectHasTheMembersThatABatchGaveItBeforeItsSave(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    for title in ["a", "b"] { stack.insert("Chapter", ["title": title]) }
    try stack.context.save()
    let book = stack.insert("Book", ["title": "x"])
    try stack.context.obtainPermanentIDs(for: [book])
    for title in ["b", "a"] {
      let update = BatchUpdateRequest(entityName: "Chapter")
      update.predicate = try Predicate.parse("title == '\(title)'")
      update.propertiesToUpdate = ["book": book]
      try stack.context.execute(update)
    }
    try stack.context.save()
    #expect(try stack.chapters(of: "x") == ["b", "a"])
    #expect(try stack.freshContext().all("Chapter", "book.title == 'x'").count == 2)
  }

  // MARK: Who loses

  /// Its row is as it was, but for one side of a link that others keep.
  @Test(arguments: Backend.allCases)
  func whoOnlyLosesMembersHasNoNewVersion(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let (book, tag) = (stack.insert("Book", ["title": "a"]), stack.insert("Tag", ["name": "red"]))
    stack.insert("Chapter", ["title": "c"]).setValue(book, forKey: "book")
    book.setValue(NSSet(object: tag), forKey: "tags")
    try stack.context.save()
    for entity in ["Chapter", "Tag"] {
      let all = FetchRequest<any FetchRequestResult>(entityName: entity)
      try stack.context.execute(BatchDeleteRequest(fetchRequest: all))
    }
    book.setValue("b", forKey: "title")
    try stack.context.save()
    let stored = try #require(try stack.freshContext().all("Book").first)
    #expect(stored.value(forKey: "title") as? String == "b")
    #expect((stored.value(forKey: "chapters") as? NSOrderedSet)?.count == 0)
    #expect((stored.value(forKey: "tags") as? NSSet)?.count == 0)
  }

  @Test(
    "A batch deletion passes over references that lead nowhere", arguments: Backend.allCases,
    [DeleteRule.nullify, .cascade, .deny])
  func deletePassesOverReferencesThatLeadNowhere(_ backend: Backend, _ rule: DeleteRule) throws {
    let model = try LibraryModel.make { entities in
      for (entity, rule) in [("Cover", DeleteRule.noAction), ("Book", rule)] {
        for case let link as RelationshipDescription in entities[entity]?.ownProperties ?? [] {
          link.deleteRule = rule
        }
      }
    }
    let stack = try Stack(backend, model)
    let book = stack.insert("Book", ["title": "a"])
    book.setValue(stack.insert("Cover"), forKey: "cover")
    try stack.context.save()
    // The book's reference stays.
    for entity in ["Cover", "Book"] {
      let all = FetchRequest<any FetchRequestResult>(entityName: entity)
      let deletion = BatchDeleteRequest(fetchRequest: all)
      deletion.resultType = .count
      let result = try stack.context.execute(deletion) as? BatchDeleteResult
      #expect(result?.result as? Int == 1)
    }
    #expect(try stack.freshContext().all("Book").isEmpty)
  }

  @Test("What leads to what is gone isn't deleted with it", arguments: Backend.allCases)
  func aCascadeEndsAtReferencesThatLeadNowhere(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make(Self.cascadeThroughBooks))
    let book = stack.insert("Book", ["title": "x"])
    for title in ["a", "b", "c"] { stack.insert("Chapter", ["title": title]) }
    try stack.context.save()
    let gone = book.objectID
    stack.context.delete(book)
    try stack.context.save()
    let update = BatchUpdateRequest(entityName: "Chapter")
    update.propertiesToUpdate = ["book": gone]
    try stack.context.execute(update)
    let fetch = FetchRequest<any FetchRequestResult>(entityName: "Chapter")
    fetch.predicate = try Predicate.parse("title == 'a'")
    try stack.context.execute(BatchDeleteRequest(fetchRequest: fetch))
    #expect(try stack.freshContext().strings("Chapter", "title") == ["b", "c"])
    let context = stack.freshContext()
    context.shouldDeleteInaccessibleFaults = true
    context.mergePolicy = .overwrite
    context.delete(try #require(try context.all("Chapter", "title == 'b'").first))
    try context.save()
    #expect(try stack.freshContext().strings("Chapter", "title") == ["c"])
  }

  private static func cascadeThroughBooks(_ entities: [String: EntityDescription]) {
    for (entity, name) in [("Book", "chapters"), ("Chapter", "book")] {
      let link = entities[entity]?.ownProperties.first { $0.name == name }
      (link as? RelationshipDescription)?.deleteRule = .cascade
    }
  }

  @Test(arguments: Backend.allCases)
  func areRefusedWhereARequiredReferenceWouldBeLost(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      entities["Chapter"]?.ownProperties.first { $0.name == "book" }?.isOptional = false
      let items = entities["Shelf"]?.ownProperties.first { $0.name == "items" }
      (items as? RelationshipDescription)?.deleteRule = .deny
    }
    let stack = try Stack(backend, model)
    let book = stack.insert("Book", ["title": "a"])
    stack.insert("Chapter", ["title": "c"]).setValue(book, forKey: "book")
    book.setValue(stack.insert("Shelf", ["name": "left"]), forKey: "shelf")
    try stack.context.save()
    func refusal(_ entity: String) throws -> CoreDataError? {
      let all = FetchRequest<any FetchRequestResult>(entityName: entity)
      return #expect(throws: CoreDataError.self) {
        try stack.context.execute(BatchDeleteRequest(fetchRequest: all))
      }
    }
    #expect(
      try refusal("Book")?.reason == "Constraint trigger violation: Batch delete failed due to "
        + "mandatory MTO nullify inverse on Chapter/book")
    #expect(try refusal("Shelf")?.reason == "Items cannot be deleted from items.")
    #expect(try stack.freshContext().all("Book").count == 1)
    let chapters = FetchRequest<any FetchRequestResult>(entityName: "Chapter")
    try stack.context.execute(BatchDeleteRequest(fetchRequest: chapters))
    #expect(try stack.freshContext().all("Chapter").isEmpty)
  }
}
