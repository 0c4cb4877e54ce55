import CoreData

/// Tries out what saves of contexts come to.
final class SavingPolicy: TrialPolicy {
  override func answered(_ question: String) throws -> String {
    switch question {
    case "new duplicates, object trump":
      return try newDuplicates(NSMergePolicy.mergeByPropertyObjectTrump)
    case "new duplicates, store trump":
      return try newDuplicates(NSMergePolicy.mergeByPropertyStoreTrump)
    case "new duplicates, overwrite": return try newDuplicates(NSMergePolicy.overwrite)
    case "new duplicates, rollback": return try newDuplicates(NSMergePolicy.rollback)
    case "deleted by others, object trump":
      return try deletedByOthers(NSMergePolicy.mergeByPropertyObjectTrump)
    case "deleted by others, store trump":
      return try deletedByOthers(NSMergePolicy.mergeByPropertyStoreTrump)
    case "will save": return try willSave()
    case "another coordinator": return try anotherCoordinator()
    case "aggregates in memory": return try aggregatesInMemory()
    default: return try super.answered(question)
    }
  }

  /// Two new books of one title, with different notes.
  private func newDuplicates(_ policy: NSMergePolicy) throws -> String {
    let book = book()
    book.uniquenessConstraints = [["title"]]
    let coordinator = try coordinator(model(book), at: place())
    let context = context(coordinator)
    try context.performAndWait {
      context.mergePolicy = policy
      for note in ["first", "second"] {
        insert("Book", ["title": "Emma", "note": note], into: context)
        // So their keys follow the order in which they were inserted.
        try context.obtainPermanentIDs(for: Array(context.insertedObjects))
      }
      try context.save()
    }
    return try values("note", of: "Book", coordinator)
  }

  private func deletedByOthers(_ policy: NSMergePolicy) throws -> String {
    let coordinator = try coordinator(model(book()), at: place())
    try save(coordinator, "Book", ["title": "Emma", "note": "old"])
    let mine = context(coordinator)
    try mine.performAndWait {
      mine.mergePolicy = policy
      try all("Book", in: mine).first?.setValue("changed", forKey: "note")
    }
    let others = context(coordinator)
    try others.performAndWait {
      for book in try all("Book", in: others) { others.delete(book) }
      try others.save()
    }
    try mine.performAndWait { try mine.save() }
    return try values("note", of: "Book", coordinator)
  }

  /// An observer that changes the object, as it hears that a save begins.
  private func willSave() throws -> String {
    let book = book()
    book.managedObjectClassName = NSStringFromClass(TellingBook.self)
    let context = try context(coordinator(model(book), at: nil))
    TellingBook.told = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextWillSave, object: context, queue: nil
    ) { _ in
      TellingBook.told.append("observer")
      for book in context.insertedObjects { book.setValue("changed", forKey: "note") }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try context.performAndWait {
      insert("Book", ["title": "Emma", "note": "old"], into: context)
      try context.save()
    }
    return TellingBook.told.joined(separator: ", ")
  }

  /// An object that was read before another coordinator changed it, which is told by its notification.
  private func anotherCoordinator() throws -> String {
    let model = model(book())
    let url = place()
    let coordinators = try [coordinator(model, at: url), coordinator(model, at: url)]
    try save(coordinators[0], "Book", ["title": "Emma", "note": "old"])
    let mine = context(coordinators[0])
    let read = try mine.performAndWait { try all("Book", in: mine) }
    func notes() -> String {
      return read.map { "\($0.value(forKey: "note") ?? "nil")" }.joined(separator: ", ")
    }
    let before = mine.performAndWait(notes)
    let others = context(coordinators[1])
    let heard = Heard()
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: others, queue: nil
    ) { heard.notification = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try others.performAndWait {
      try all("Book", in: others).first?.setValue("new", forKey: "note")
      try others.save()
    }
    return mine.performAndWait {
      if let notification = heard.notification {
        mine.mergeChanges(fromContextDidSave: notification)
      }
      return "\(before), then \(notes())"
    }
  }

  private func aggregatesInMemory() throws -> String {
    let coordinator = try coordinator(model(book()), at: nil)
    try save(coordinator, "Book", ["title": "Emma"])
    try save(coordinator, "Book", ["title": "Maus"])
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
    count.expressionResultType = .integer64AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [count]
    let context = context(coordinator)
    return try context.performAndWait {
      try context.fetch(request).map { "\($0["count"] ?? "nil")" }.joined(separator: ", ")
    }
  }
}

private final class Heard {
  var notification: Notification?
}

/// Tells when a save begins.
@objc(TellingBook)
final class TellingBook: NSManagedObject {
  static var told: [String] = []

  override func willSave() {
    super.willSave()
    TellingBook.told.append("object")
  }
}
