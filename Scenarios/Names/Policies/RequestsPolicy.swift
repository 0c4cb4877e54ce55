import CoreData

extension NSManagedObjectContext {
  func all<T: NSManagedObject>(_ type: T.Type) throws -> [T] {
    let request = T.fetchRequest() as! NSFetchRequest<T>
    return try fetch(request)
  }

  func make<T: NSManagedObject>(_ type: T.Type) -> T { T(context: self) }

  /// Runs a block in whatever way it is told to.
  func run(_ way: (() -> Void) -> Void) -> String {
    var result = "not performed"
    way { result = "performed" }
    return result
  }
}

final class RequestsPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do {
      let context = try Books.context()
      if question == "asynchronous" { return try asynchronous(context) }
      if question == "coordinator" { return try byCoordinator(context) }
      if question == "function" { return context.run(context.performAndWait) }
      return try context.performAndWait { try answer(question, context) }
    } catch {
      return "\(error)"
    }
  }

  private func answer(_ question: String, _ context: NSManagedObjectContext) throws -> String {
    let books = NSFetchRequest<Book>(entityName: "Book")
    switch question {
    case "delete":
      let request = NSBatchDeleteRequest(
        fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book"))
      request.resultType = .resultTypeCount
      let result = try context.execute(request) as? NSBatchDeleteResult
      return "\(result?.result as? Int ?? -1)"
    case "delete identifiers":
      let held = try context.fetch(books)
      let request = NSBatchDeleteRequest(fetchRequest: Book.fetchRequest())
      request.resultType = .resultTypeObjectIDs
      let result = try context.execute(request) as! NSBatchDeleteResult
      let ids = result.result as? [NSManagedObjectID] ?? []
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
      let left = held.filter { $0.managedObjectContext === context && !$0.isDeleted }
      return "\(ids.count) \(try context.count(for: books)) \(left.count)"
    case "update":
      // Held, so that it is in the context with its old title.
      let held = try context.fetch(books)
      let titles = held.compactMap(\.title).count
      let request = NSBatchUpdateRequest(entityName: "Book")
      request.predicate = NSPredicate(format: "pages > 250")
      request.propertiesToUpdate = ["title": "Long"]
      request.resultType = .updatedObjectsCountResultType
      let result = try context.execute(request) as? NSBatchUpdateResult
      context.reset()
      let new = try context.fetch(books).compactMap(\.title).sorted().joined(separator: " ")
      return withExtendedLifetime(held) { "\(titles) \(result?.result as? Int ?? -1) \(new)" }
    case "insert":
      let request = NSBatchInsertRequest(
        entityName: "Book", objects: [["title": "A"], ["title": "B"]])
      request.resultType = .count
      let result = try context.execute(request) as? NSBatchInsertResult
      return "\(result?.result as? Int ?? -1) \(try context.count(for: books))"
    case "insert dictionaries":
      var left = 1
      _ = try context.execute(
        NSBatchInsertRequest(
          entity: Book.entity(in: context),
          dictionaryHandler: { dictionary in
            left -= 1
            dictionary["title"] = "New"
            return left < 0
          }))
      let new = try context.fetch(books).count { $0.title == "New" }
      return "\(new) \(try context.count(for: books))"
    case "insert objects":
      var left = 1
      _ = try context.execute(
        NSBatchInsertRequest(
          entity: Book.entity(in: context),
          managedObjectHandler: { object in
            left -= 1
            (object as! Book).title = "New"
            return left < 0
          }))
      books.predicate = NSPredicate(format: "pages == nil")
      return "\(try context.fetch(books)[0].title ?? "none") "
        + "\(try context.count(for: NSFetchRequest<Book>(entityName: "Book")))"
    case "expression":
      let sum = NSExpressionDescription()
      sum.name = "sum"
      sum.expression = NSExpression(
        forFunction: "sum:", arguments: [NSExpression(forKeyPath: \Book.pages)])
      sum.expressionResultType = .integer64AttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Book")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [sum]
      return "\(try context.fetch(request).first?["sum"] as? Int ?? -1)"
    case "distinct":
      let type: NSFetchRequestResultType = [.managedObjectIDResultType]
      return "\(type.rawValue)"
    case "execute": return "\(try books.execute().count)"
    case "cast":
      let request = Book.fetchRequest() as NSFetchRequest<NSFetchRequestResult>
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let typed = request as! NSFetchRequest<Book>
      typed.fetchLimit = 2
      let anything = typed as! NSFetchRequest<NSFetchRequestResult>
      let plain = typed as? NSFetchRequest<NSManagedObject>
      let copy = typed.copy() as! NSFetchRequest<Book>
      copy.fetchLimit = 0
      let titles =
        try context.fetch(typed).compactMap(\.title)
        + (try context.fetch(anything) as NSArray).compactMap { ($0 as? Book)?.title }
      return "\(titles.joined(separator: ", ")); \(try context.fetch(copy).count), "
        + (plain === typed && request.fetchLimit == 2 ? "the same" : "another")
    case "generated": return "\(try context.fetch(Book.fetchRequest()).count)"
    case "generic":
      let made: [NSManagedObject] = [context.make(Book.self), context.make(Author.self)]
      return made.map { $0.entity.name ?? "none" }.joined(separator: " ")
    case "history":
      let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: Date())
      let result = try context.execute(deletion) as? NSPersistentHistoryResult
      let deleted = result?.result as? Bool == true ? "deleted" : "kept"
      let token: NSPersistentHistoryToken? = nil
      do {
        _ = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        return deleted + ", fetched"
      } catch { return deleted + ", fetching \((error as NSError).code)" }
    case "undo":
      context.undoManager = nil
      context.undoManager?.beginUndoGrouping()
      context.undo()
      return context.undoManager == nil ? "nil" : "some"
    case "stores": return try stores(context)
    default: return "what is \(question)?"
    }
  }

  private func asynchronous(_ context: NSManagedObjectContext) throws -> String {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var count = -1
    let request = NSAsynchronousFetchRequest(
      fetchRequest: NSFetchRequest<Book>(entityName: "Book")
    ) { result in
      count = result.finalResult?.count ?? -1
      done.signal()
    }
    try context.performAndWait { _ = try context.execute(request) }
    done.wait()
    return "\(count)"
  }

  private func byCoordinator(_ context: NSManagedObjectContext) throws -> String {
    let coordinator = context.persistentStoreCoordinator!
    let count = coordinator.performAndWait { coordinator.persistentStores.count }
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
    ids.resultType = .managedObjectIDResultType
    let result = try coordinator.execute(ids, with: context) as? [NSManagedObjectID]
    return "\(count) \(result?.count ?? -1)"
  }

  private func stores(_ context: NSManagedObjectContext) throws -> String {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Books.model)
    var told: [String] = []
    var notes = 0
    let token = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
    ) { note in
      notes += 1
      if note.userInfo?[NSAddedPersistentStoresKey] != nil { told.append("\(notes) added") }
      if note.userInfo?[NSRemovedPersistentStoresKey] != nil { told.append("\(notes) removed") }
    }
    let store = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try coordinator.remove(store)
    NotificationCenter.default.removeObserver(token)
    return told.joined(separator: " ")
  }
}

extension Book {
  static func entity(in context: NSManagedObjectContext) -> NSEntityDescription {
    NSEntityDescription.entity(forEntityName: "Book", in: context)!
  }
}
