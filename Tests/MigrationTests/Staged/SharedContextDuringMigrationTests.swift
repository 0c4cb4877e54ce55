import Migration
import TestSupport
import Testing

/// A shared context listens to the saves of all contexts while a store is migrated.
@Suite struct SharedContextDuringMigrationTests {
  private let models: [ManagedObjectModel]
  private let disk: StoreOnDisk
  private let stack: SharedStack

  init() throws {
    models = [
      try model("1", entity("Song", attribute("name"))),
      try model("2", entity("Song", attribute("name"), attribute("mood"))),
    ]
    disk = try StoreOnDisk()
    try disk.make(models[0]) { $0.insert("Song", ["name": "Waltz"]) }
    let model = models[1]
    stack = SharedStack {
      let coordinator = PersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(InMemoryStore(model: model))
      return coordinator
    }
  }

  @Test("S88: a migration's saves are no concern of a shared context")
  func nothingIsMerged() async throws {
    let shared = try #require(stack.sharedContext)
    let merges = Tally(ManagedObjectContext.didMergeChangesObjectIDsNotification, of: shared)
    let saves = Tally(ManagedObjectContext.didSaveObjectsNotification, of: nil)
    let stage = CustomMigrationStage(
      migratingFrom: reference(0), to: reference(1))
    stage.didMigrateHandler = { manager, _ in
      let context = try #require(manager.container).newBackgroundContext()
      try context.performAndWait {
        context.insert("Song", ["name": "new"])
        try context.save()
      }
    }
    let result = try disk.open(
      models[1], migrate: true, infer: true,
      resources: MigrationResources(MigrationLibrary(models: models)),
      staged: StagedMigrationManager([stage]))
    #expect(result.count == 2)
    try await shared.perform { () throws in
      #expect(try shared.fetch(FetchRequest<ManagedObject>(entityName: "Song")).isEmpty)
    }
    #expect(saves.count > 0, "the handler's save was told to everybody")
    #expect(merges.count == 0)
  }

  private func reference(_ index: Int) -> ManagedObjectModelReference {
    ManagedObjectModelReference(
      model: models[index], versionChecksum: models[index].versionChecksum)
  }
}

/// How often a notification was posted.
private final class Tally: @unchecked Sendable {
  private let lock = NSLock()
  private var posted = 0
  private var token: (any NSObjectProtocol)?

  init(_ name: Notification.Name, of context: ManagedObjectContext?) {
    token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
      [weak self] _ in self?.lock.withLock { self?.posted += 1 }
    }
  }

  deinit { token.map(NotificationCenter.default.removeObserver) }

  var count: Int { lock.withLock { posted } }
}
