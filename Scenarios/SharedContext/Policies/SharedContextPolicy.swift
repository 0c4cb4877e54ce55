import CoreData

/// Answers questions about the app's contexts.
class SharedContextPolicy: NSEntityMigrationPolicy {
  private typealias Context = NSManagedObjectContext

  @objc func answer(_ question: String, in manager: NSMigrationManager) -> String {
    AppStore.model = manager.destinationModel
    do { return try answer(question) } catch { return "\(error)" }
  }

  private func answer(_ question: String) throws -> String {
    switch question {
    case "one coordinator": return oneCoordinator()
    case "contexts": return contexts()
    case "unreadable": return unreadable()
    case "confined": return try confined()
    case "conflicts": return try conflicts()
    case "follows": return try follows()
    case "ignores": return try ignores()
    case "same turn": return try sameTurn()
    case "unsaved": return try unsaved()
    case "local edits": return try localEdits()
    case "migration": return try migration()
    default: return "what is \(question)?"
    }
  }

  // MARK: Contexts and turns

  /// The app's contexts, with no events in the store.
  private func emptied() throws -> (shared: NSManagedObjectContext, writer: NSManagedObjectContext)
  {
    let shared = Context.sharedContext!
    let writer = Context.context(with: .privateQueueConcurrencyType)!
    try writer.performAndWait {
      for event in Event.all(in: writer) { writer.delete(event) }
      try writer.save()
    }
    nextTurn { shared.reset() }
    return (shared, writer)
  }

  /// Lets the main queue do what waits there, and something after that.
  private func nextTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    try DispatchQueue.main.sync(execute: body)
  }

  private func save(
    _ context: NSManagedObjectContext, _ body: () -> Void
  ) throws {
    try context.performAndWait {
      body()
      try context.save()
    }
  }

  // MARK: Answers

  private func oneCoordinator() -> String {
    let lock = NSLock()
    nonisolated(unsafe) var seen = Set<ObjectIdentifier>()
    DispatchQueue.concurrentPerform(iterations: 100) { _ in
      let coordinator = Context.appCoordinator!
      lock.lock()
      seen.insert(ObjectIdentifier(coordinator))
      lock.unlock()
    }
    return
      "\(seen.count) of 100, opened \(AppStore.openings), shared \(Context.sharedContext === Context.sharedContext)"
  }

  private func contexts() -> String {
    let types: [NSManagedObjectContextConcurrencyType] = [
      .mainQueueConcurrencyType, .privateQueueConcurrencyType,
    ]
    let alike = types.allSatisfy { type in
      guard let context = Context.context(with: type) else { return false }
      return context.concurrencyType == type
        && context.persistentStoreCoordinator === Context.appCoordinator
        && context.mergePolicy as AnyObject === NSMergeByPropertyObjectTrumpMergePolicy as AnyObject
    }
    let first = Context.context(with: .privateQueueConcurrencyType)
    let isNew = first !== Context.context(with: .privateQueueConcurrencyType)
    let isMain = Context.sharedContext?.concurrencyType == .mainQueueConcurrencyType
    return "alike \(alike), new \(isNew), main \(isMain)"
  }

  /// The app's file is no store.
  private func unreadable() -> String {
    do { try Data("no store at all".utf8).write(to: AppStore.url) } catch { return "\(error)" }
    let contexts = [
      Context.sharedContext, Context.context(with: .privateQueueConcurrencyType), Context.context(),
    ]
    return "\(contexts.compactMap { $0 }.count) contexts, opened \(AppStore.openings)"
  }

  private func confined() throws -> String {
    let context = Context.context()!
    _ = Context.context()
    Event.add("Fair", in: context)
    try context.save()
    let reader = Context.context(with: .privateQueueConcurrencyType)!
    return reader.performAndWait { Event.shown(in: reader) }
  }

  /// Two contexts change one event: with the app's policy, and with Core Data's own.
  private func conflicts() throws -> String {
    let (_, first) = try emptied()
    try save(first) { Event.add("Fair", in: first) }
    func change(
      _ second: NSManagedObjectContext, _ early: @escaping (Event) -> Void,
      _ late: @escaping (Event) -> Void
    ) throws -> String {
      let seen = second.performAndWait { () -> Event in
        let event = Event.all(in: second)[0]
        _ = event.name
        return event
      }
      try save(first) { early(Event.all(in: first)[0]) }
      try save(second) { late(seen) }
      let reader = Context.context(with: .privateQueueConcurrencyType)!
      return reader.performAndWait { Event.shown(in: reader) }
    }
    func context() -> NSManagedObjectContext {
      Context.context(with: .privateQueueConcurrencyType)!
    }
    let both = try change(context(), { $0.seats = 20 }, { $0.name = "Dance" })
    let last = try change(context(), { $0.name = "early" }, { $0.name = "late" })
    let strict = context()
    strict.mergePolicy = NSErrorMergePolicy
    do {
      let passed = try change(strict, { $0.name = "early" }, { $0.name = "late" })
      return "no conflict: \(passed)"
    } catch { return "\(both); \(last); \((error as NSError).code)" }
  }

  private func follows() throws -> String {
    let (shared, writer) = try emptied()
    try save(writer) { for name in ["kept", "changed", "deleted"] { Event.add(name, in: writer) } }
    // Held, so that they stay in the shared context.
    let held = nextTurn { Event.all(in: shared) }
    let before = nextTurn { held.map { $0.name! }.joined(separator: " ") }
    try save(writer) {
      Event.named("changed", in: writer).seats = 20
      writer.delete(Event.named("deleted", in: writer))
      Event.add("new", in: writer)
    }
    return nextTurn {
      let seats = held.filter { $0.managedObjectContext === shared && !$0.isDeleted }
        .map { "\($0.seats)" }.joined(separator: " ")
      return "\(before); \(seats); \(Event.shown(in: shared))"
    }
  }

  /// Saves of other coordinators, own saves, and notifications that say nothing.
  private func ignores() throws -> String {
    let (shared, writer) = try emptied()
    let merges = Tally(.NSManagedObjectContextDidMergeChangesObjectIDs, of: shared)
    let saves = Tally(.NSManagedObjectContextDidSave, of: nil)
    let foreign = try AppStore.foreignContext()
    try save(foreign) { Event.add("foreign", in: foreign) }
    try nextTurn {
      Event.add("own", in: shared)
      try shared.save()
    }
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: writer)
    let ignored = nextTurn { "\(saves.count) heard, \(merges.count) merged" }
    try save(writer) { Event.add("other", in: writer) }
    return nextTurn { "\(ignored), then \(merges.count)" }
  }

  /// What the merge changes is told before anything else has its turn.
  private func sameTurn() throws -> String {
    let (shared, writer) = try emptied()
    try save(writer) { Event.add("Fair", in: writer) }
    // Held, so that it stays in the shared context.
    let event = nextTurn { Event.all(in: shared)[0] }
    nonisolated(unsafe) var order: [String] = []
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: shared, queue: nil
    ) { _ in order.append("told of \(event.seats)") }
    defer { NotificationCenter.default.removeObserver(token) }
    try nextTurn {
      // The main queue is busy here: the merge and the turn after it wait, in this order.
      try save(writer) { Event.named("Fair", in: writer).seats = 30 }
      DispatchQueue.main.async { order.append("next turn") }
      order.append("saved")
    }
    return nextTurn { order.joined(separator: ", ") }
  }

  private func unsaved() throws -> String {
    let (shared, writer) = try emptied()
    try save(writer) { Event.add("Fair", in: writer) }
    writer.performAndWait {
      Event.named("Fair", in: writer).seats = 99
      Event.add("Dance", in: writer)
      writer.processPendingChanges()
    }
    let before = nextTurn { Event.shown(in: shared) }
    try save(writer) {}
    return nextTurn { "\(before); \(Event.shown(in: shared))" }
  }

  /// Somebody edits in the shared context, though it is for reading.
  private func localEdits() throws -> String {
    let (shared, writer) = try emptied()
    try save(writer) { Event.add("Fair", in: writer) }
    let event = nextTurn { () -> Event in
      let event = Event.all(in: shared)[0]
      event.name = "local"
      return event
    }
    try save(writer) {
      let event = Event.all(in: writer)[0]
      event.name = "background"
      event.seats = 20
    }
    let merged = nextTurn { "\(event.name!) \(event.seats) \(event.changedValues().keys.sorted())" }
    func stored() -> String {
      let reader = Context.context(with: .privateQueueConcurrencyType)!
      return reader.performAndWait { Event.shown(in: reader) }
    }
    let before = stored()
    try nextTurn { try shared.save() }
    return "\(merged); \(before); \(stored())"
  }

  /// Migrations save, too: by contexts of other coordinators.
  private func migration() throws -> String {
    let (shared, writer) = try emptied()
    let merges = Tally(.NSManagedObjectContextDidMergeChangesObjectIDs, of: shared)
    let saves = Tally(.NSManagedObjectContextDidSave, of: nil)
    let (url, old) = try AppStore.oldStore()
    let handler = saves.count
    let stage = NSCustomMigrationStage(
      migratingFrom: NSManagedObjectModelReference(
        model: old, versionChecksum: old.versionChecksum),
      to: NSManagedObjectModelReference(
        model: AppStore.model, versionChecksum: AppStore.model.versionChecksum))
    stage.didMigrateHandler = { manager, _ in
      let context = manager.container!.newBackgroundContext()
      try context.performAndWait {
        Event.add("by the handler", in: context)
        try context.save()
      }
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AppStore.model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
        NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
      ])
    let migrated = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    migrated.persistentStoreCoordinator = coordinator
    let events = migrated.performAndWait { Event.shown(in: migrated) }
    let quiet = nextTurn {
      "\(saves.count > handler ? "heard" : "unheard"), \(merges.count) merged"
    }
    try save(writer) { Event.add("other", in: writer) }
    return nextTurn {
      "\(events); \(quiet), then \(merges.count): \(Event.shown(in: shared))"
    }
  }
}

/// How often a notification was posted.
final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var posted = 0
  private var token: NSObjectProtocol?

  init(_ name: Notification.Name, of context: NSManagedObjectContext?) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      [weak self] _ in self?.add()
    }
  }

  deinit { if let token = token { NotificationCenter.default.removeObserver(token) } }

  private func add() {
    lock.lock()
    posted += 1
    lock.unlock()
  }

  var count: Int {
    lock.lock()
    defer { lock.unlock() }
    return posted
  }
}

extension AppStore {
  /// A context of another coordinator, over a store of its own.
  static func foreignContext() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// A store of the version before, in which events had no seats, with one event.
  static func oldStore() throws -> (url: URL, model: NSManagedObjectModel) {
    let event = NSEntityDescription()
    event.name = "Event"
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    event.properties = [name]
    let old = NSManagedObjectModel()
    old.entities = [event]
    let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: old)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
        .setValue("old", forKey: "name")
      try context.save()
    }
    try coordinator.remove(store)
    return (url, old)
  }
}
