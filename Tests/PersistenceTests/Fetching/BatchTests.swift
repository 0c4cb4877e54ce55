import Persistence
import TestSupport
import Testing

@Suite("Batch requests")
struct BatchTests {
  @Test(arguments: Backend.allCases)
  func insertFromDictionariesAndHandlers(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let shelf = stack.insert("Shelf", ["name": "left"])
    try stack.context.save()
    let plain = BatchInsertRequest(
      entityName: "Book", objects: [["title": "a", "shelf": shelf], ["title": "b", "pages": 3]])
    plain.resultType = .objectIDs
    let ids = try #require(
      (try stack.context.execute(plain) as? BatchInsertResult)?.result as? [ManagedObjectID])
    #expect(ids.map(\.primaryKey) == [1, 2])
    var number = 0
    let dictionaries = BatchInsertRequest(entityName: "Book") { (row: NSMutableDictionary) in
      number += 1
      row.setObject("d\(number)", forKey: "title")
      return number > 2
    }
    dictionaries.resultType = .count
    #expect(try result(dictionaries, stack) as? Int == 2)
    var objects = 0
    let handled = BatchInsertRequest(entityName: "Book") { (book: ManagedObject) in
      objects += 1
      book.setValue("o\(objects)", forKey: "title")
      return objects > 1
    }
    #expect(try result(handled, stack) as? Bool == true)
    let context = stack.freshContext()
    #expect(try context.strings("Book", "title") == ["a", "b", "d1", "d2", "o1"])
    #expect(try context.strings("Book", "title", "shelf.name == 'left'") == ["a"])
    #expect(!stack.context.hasChanges)
  }

  @Test(arguments: Backend.allCases)
  func insertNothingWhenOneRowIsWrong(_ backend: Backend) throws {
    let model = try LibraryModel.make { $0["Tag"]?.uniquenessConstraints = [["name"]] }
    let stack = try Stack(backend, model)
    for rows in [
      [["name": "a"], ["colour": "red"]], [["name": "a"], ["name": 7]],
      [["name": "a"], ["name": "a"]], [["name": "a", "items": []]],
    ] as [[[String: Any]]] {
      #expect(throws: CoreDataError.self, "\(rows)") {
        try stack.context.execute(BatchInsertRequest(entityName: "Tag", objects: rows))
      }
    }
    #expect(try stack.freshContext().all("Tag").isEmpty)
  }

  @Test(arguments: Backend.allCases)
  func updateByConstantsAndExpressions(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let held = try stack.context.all("Item")
    let request = BatchUpdateRequest(entityName: "Item")
    request.predicate = try Predicate.parse("pages > 10")
    request.propertiesToUpdate = [
      "pages": try Expression.parse("pages + 5"), "title": "changed", "shelf": NSNull(),
    ]
    request.resultType = .count
    #expect(try result(request, stack) as? Int == 2)
    let context = stack.freshContext()
    let items = try context.all("Item")
    #expect(items.map { $0.value(forKey: "pages") as? Int } == [10, 25, 35, nil])
    #expect(items.map { $0.value(forKey: "title") as? String } == ["a", "changed", "changed", "d"])
    #expect(try context.all("Item", "shelf != nil").count == 1)
    // A context that read the rows before can't overwrite them unseen.
    held[1].setValue("mine", forKey: "title")
    #expect(throws: CoreDataError.self) { try stack.context.save() }
    request.propertiesToUpdate = ["isbn": "1"]
    #expect(throws: CoreDataError.self) { try stack.context.execute(request) }
  }

  @Test(arguments: Backend.allCases)
  func deleteByTheDeleteRules(_ backend: Backend) throws {
    let model = try LibraryModel.make { entities in
      let chapters = entities["Book"]?.ownProperties.first { $0.name == "chapters" }
      (chapters as? RelationshipDescription)?.deleteRule = .cascade
    }
    let stack = try Stack(backend, model)
    let shelf = stack.insert("Shelf", ["name": "left"])
    let tag = stack.insert("Tag", ["name": "red"])
    for number in 0..<4 {
      let book = stack.insert("Book", ["title": "b\(number)", "pages": number])
      book.setValue(shelf, forKey: "shelf")
      book.setValue(NSSet(array: [tag]), forKey: "tags")
      book.setValue(
        NSOrderedSet(array: [stack.insert("Chapter", ["title": "c\(number)"])]), forKey: "chapters")
    }
    try stack.context.save()
    let fetch = FetchRequest<any FetchRequestResult>(entityName: "Item")
    fetch.predicate = try Predicate.parse("pages >= 2")
    let request = BatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .objectIDs
    let ids = try #require(try result(request, stack) as? [ManagedObjectID])
    #expect(ids.map(\.primaryKey) == [3, 4])
    let context = stack.freshContext()
    #expect(try context.strings("Chapter", "title") == ["c0", "c1"])
    let left = try #require(try context.all("Shelf").first)
    #expect((left.value(forKey: "items") as? NSSet)?.count == 2)
    let red = try #require(try context.all("Tag").first)
    #expect((red.value(forKey: "items") as? NSSet)?.count == 2)
    let rest = BatchDeleteRequest(objectIDs: try context.all("Book").map(\.objectID))
    rest.resultType = .count
    #expect(try result(rest, stack) as? Int == 2)
    #expect(try stack.freshContext().all("Item").isEmpty)
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

  private func result(_ request: PersistentStoreRequest, _ stack: Stack) throws -> Any? {
    try (stack.context.execute(request) as? BatchResult)?.result
  }
}
