import TestSupport
import Testing

@testable import Persistence

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

  // MARK: In SQL

  @Test func updateAndDeleteManyRowsByAFewStatements() throws {
    let stack = try Stack(.sqlite, try LibraryModel.make())
    let store = try #require(stack.store as? SQLiteStore)
    let rows = (0..<500).map { ["title": "b\($0)", "pages": $0] as [String: Any] }
    try stack.context.execute(BatchInsertRequest(entityName: "Book", objects: rows))
    let update = BatchUpdateRequest(entityName: "Item")
    update.predicate = try Predicate.parse("pages >= 100")
    update.propertiesToUpdate = ["pages": Expression(format: "pages + 1"), "title": "many"]
    update.resultType = .count
    var before = store.database.activity.statements
    #expect(try result(update, stack) as? Int == 400)
    #expect(store.database.activity.statements - before < 5)
    let fetch = FetchRequest<any FetchRequestResult>(entityName: "Item")
    fetch.predicate = try Predicate.parse("title == 'many'")
    let deletion = BatchDeleteRequest(fetchRequest: fetch)
    deletion.resultType = .count
    before = store.database.activity.statements
    #expect(try result(deletion, stack) as? Int == 400)
    #expect(store.database.activity.statements - before < 40)
    #expect(try stack.freshContext().all("Book").count == 100)
    #expect(try store.integrityCheck() == [])
  }

  /// Random batches over random objects leave both stores with the same content, or are refused by
  /// both.
  @Test(.tags(.random), .tiered) func memoryAndSQLiteAgree() throws {
    let environment = ProcessInfo.processInfo.environment
    let first = environment["HEAVYWEIGHT_SEED"].flatMap(UInt64.init)
    var changed = 0
    for round in 0..<150 {
      let seed = first.map { $0 &+ UInt64(round) } ?? UInt64.random(in: .min ... .max)
      let sides = try Backend.allCases.map { backend -> (Stack, [ManagedObject]) in
        let stack = try Stack(backend, try RandomRows.model())
        stack.context.unsupportedFetches = .evaluatedInMemory
        return (stack, try RandomRows(seed: seed).objects(in: stack).objects)
      }
      var random = RandomSource(seed: seed)
      var format = RandomFormat(seed: seed)
      for step in 0..<4 {
        let predicate = format.ownCondition()
        let kind = Int.random(in: 0..<8, using: &random)
        let outcomes = try sides.map { stack, objects -> String in
          let request = try Self.request(kind, predicate, stack, objects)
          let result = (try? stack.context.execute(request) as? BatchResult)?.result
          return "\(result ?? "refused")\n\(try Self.content(of: stack))"
        }
        #expect(
          outcomes[0] == outcomes[1],
          "HEAVYWEIGHT_SEED=\(seed), step \(step): \(kind) where \(predicate)")
        if outcomes[0] != outcomes[1] { return }
        if !outcomes[0].hasPrefix("refused") { changed += 1 }
      }
    }
    #expect(changed > 300, "\(changed) were carried out")
  }

  private static func request(
    _ kind: Int, _ predicate: String, _ stack: Stack, _ objects: [ManagedObject]
  ) throws -> PersistentStoreRequest {
    let update = BatchUpdateRequest(entityName: kind % 2 == 0 ? "Person" : "Employee")
    update.predicate = try Predicate.parse(predicate)
    update.resultType = .count
    let city = stack.context.object(with: objects[0].objectID)
    switch kind {
    case 0: update.propertiesToUpdate = ["age": Expression(format: "number + 1"), "nick": "x"]
    case 1: update.propertiesToUpdate = ["name": Expression(format: "uppercase(nick)")]
    case 2: update.propertiesToUpdate = ["city": city, "vip": true, "fee": Decimal(7)]
    case 3: update.propertiesToUpdate = ["city": NSNull(), "born": Date(timeIntervalSince1970: 9)]
    case 4: update.propertiesToUpdate = ["name": Expression(format: "city.name"), "height": 2]
    default:
      let entity = ["Person", "Employee", "Person"][kind - 5]
      let fetch = FetchRequest<any FetchRequestResult>(entityName: entity)
      fetch.predicate = update.predicate
      if kind == 7 { fetch.fetchLimit = 2 }
      let deletion = BatchDeleteRequest(fetchRequest: fetch)
      deletion.resultType = .count
      return deletion
    }
    return update
  }

  /// Everything in a store, by the numbers of the objects.
  private static func content(of stack: Stack) throws -> String {
    let context = stack.freshContext()
    let entities = ["Person", "Pet", "City", "Tag"]
    let objects = try entities.flatMap { try context.all($0) }
    return try objects.map { object in
      let values = try object.entity.attributes.map { attribute in
        let value = try object.typedValue(forKey: attribute.name)
        // 0 and -0 are one number, of which SQLite keeps 0.
        let shown = value.doubleValue == 0 ? "0" : value.notation ?? "nil"
        return "\(attribute.name)=\(shown)"
      }
      let links = object.entity.relationships.map { relationship in
        let ids = object.destinations(of: relationship).map { "\($0.objectID.primaryKey)" }
        let one = object.destination(of: relationship).map { "\($0.objectID.primaryKey)" }
        let keys = relationship.isToMany ? ids.sorted().joined(separator: ",") : one ?? "nil"
        return "\(relationship.name)=\(keys)"
      }
      return
        "\(object.entity.name) \(values.joined(separator: " ")) \(links.joined(separator: " "))"
    }.joined(separator: "\n")
  }

  // MARK: Objects that are there already

  @Test(arguments: Backend.allCases, MergePolicyType.allCases)
  func insertionsMeetObjectsThatAreThereByTheMergePolicy(
    _ backend: Backend, _ policy: MergePolicyType
  ) throws {
    let model = try LibraryModel.make { $0["Item"]?.uniquenessConstraints = [["title"]] }
    let stack = try Stack(backend, model)
    stack.insert("Book", ["title": "a", "pages": 1, "isbn": "old"])
    try stack.context.save()
    stack.context.mergePolicy = MergePolicy(merge: policy)
    let request = BatchInsertRequest(
      entityName: "Book",
      objects: [
        ["title": "a", "pages": 2], ["title": "b", "pages": 3], ["title": "b", "isbn": "new"],
      ])
    request.resultType = .objectIDs
    let ids = try? result(request, stack) as? [ManagedObjectID]
    let books = try stack.freshContext().all("Book").map { book in
      ["title", "pages", "isbn"].map { book.value(forKey: $0).map { "\($0)" } ?? "-" }.joined(
        separator: " ")
    }
    switch policy {
    case .errorMergePolicyType:
      #expect(ids == nil)
      #expect(books == ["a 1 old"])
    case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
      #expect(ids?.map(\.primaryKey) == [2])
      #expect(books == ["a 1 old", "b 3 -"])
    case .mergeByPropertyObjectTrumpMergePolicyType:
      #expect(ids?.map(\.primaryKey) == [1, 2])
      #expect(books == ["a 2 old", "b 3 new"])
    case .overwriteMergePolicyType:
      #expect(ids?.map(\.primaryKey) == [1, 2])
      #expect(books == ["a 2 -", "b - new"])
    }
  }

  // MARK: Contexts

  @Test(arguments: Backend.allCases)
  func aChildsBatchReachesTheStore(_ backend: Backend) throws {
    let stack = try Stack(backend, try LibraryModel.make())
    let parent = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
    let child = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try child.performAndWait {
      _ = try child.execute(BatchInsertRequest(entityName: "Shelf", objects: [["name": "a"]]))
    }
    #expect(try stack.freshContext().strings("Shelf", "name") == ["a"])
  }

  @Test(arguments: Backend.allCases)
  func contextsLearnOfABatchByItsIdentifiers(_ backend: Backend) throws {
    let stack = try Stack.withBooks(backend)
    let held = try stack.context.all("Item")
    let update = BatchUpdateRequest(entityName: "Item")
    update.propertiesToUpdate = ["title": "new"]
    update.resultType = .objectIDs
    let ids = try #require(try result(update, stack) as? [ManagedObjectID])
    #expect(held.map { $0.value(forKey: "title") as? String } == ["a", "b", "c", "d"])
    ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue: ids],
      into: [stack.context])
    #expect(held.allSatisfy { $0.value(forKey: "title") as? String == "new" })
    held[0].setValue("saved", forKey: "title")
    try stack.context.save()
    let all = FetchRequest<any FetchRequestResult>(entityName: "Item")
    let deletion = BatchDeleteRequest(fetchRequest: all)
    deletion.resultType = .objectIDs
    let gone = try #require(try result(deletion, stack) as? [ManagedObjectID])
    ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [ManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue: gone],
      into: [stack.context])
    #expect(held.allSatisfy(\.isDeleted) && stack.context.hasChanges)
    try stack.context.save()
    #expect(held.allSatisfy { $0.managedObjectContext == nil })
    #expect(!stack.context.hasChanges)
  }

  private func result(_ request: PersistentStoreRequest, _ stack: Stack) throws -> Any? {
    try (stack.context.execute(request) as? BatchResult)?.result
  }
}
