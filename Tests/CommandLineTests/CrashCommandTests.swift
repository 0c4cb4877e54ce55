import Foundation
import TestSupport
import Testing

/// `heavyweight crash` keeps quiet about a migration that keeps its promises, and finds one that doesn't.
@Suite(.serialized, .tags(.process), .tiered)
struct CrashCommandTests {
  private static let plain = """
    scenario: A library grows
    models:
      v1: { Book: { title: string, cover: data(external)? } }
      v2: { Book: { title: string, cover: data(external)?, pages: int16 = 0 } }
    seed: { Book: { .count: 2, title: { words: 1 }, cover: { bytes: 150000 } } }
    chain:
      - v1 -> v2
    expect:
      - count: { Book: 2 }

    """

  private func folder(_ scenario: String, policy: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(scenario, to: "Library.scenario.yaml")
    if let policy { try folder.write(policy, to: "Start.swift") }
    return folder
  }

  private func crash(
    _ folder: TemporaryFolder, _ options: String
  ) throws -> Tool.Result {
    let words = options.split(separator: " ").map(String.init)
    return try Tool.run(["crash", "Library.scenario.yaml"] + words, in: folder)
  }

  private func json(_ result: Tool.Result) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  // MARK: Promises kept

  @Test func aMigrationThatKeepsItsPromisesEndsWith0() throws {
    let result = try crash(folder(Self.plain), "--at every 4")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasPrefix("✓ Library.scenario.yaml, from v1, in place: "))
    #expect(result.output.contains("every promise was kept"))
    for fault in ["kill", "eio", "enospc", "short"] {
      #expect(result.output.contains("\n    \(fault) "), "\(fault)")
    }
  }

  @Test func aResultOfItsOwnLeavesTheSource() throws {
    let result = try crash(
      folder(Self.plain + "destination: New.sqlite\n"), "--at every 6 --faults kill,eio")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("from v1, into New.sqlite: "))
  }

  @Test func pointsAreTheSameFromRunToRunAndOneCanBePlayedAgain() throws {
    let folder = try folder(Self.plain)
    let all = try json(crash(folder, "--at 1 --faults kill --json"))
    let again = try json(crash(folder, "--at 2 --faults eio --json"))
    func points(_ report: [String: Any]) -> NSArray? {
      (report["scenarios"] as? [[String: Any]])?.first?["points"] as? NSArray
    }
    #expect(points(all) == points(again))
    let plays = (again["scenarios"] as? [[String: Any]])?.first?["plays"] as? [[String: Any]]
    #expect(plays?.count == 1)
    #expect(plays?.first?["point"] as? Int == 2)
  }

  @Test func theReportForMachinesFollowsItsSchema() throws {
    let file = URL(filePath: #filePath).appending(path: "../../../docs/crash.schema.json")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file.standardizedFileURL))
        as? [String: Any])
    let result = try crash(folder(Self.plain), "--at every 30 --json")
    #expect(result.status == 0)
    let unknown = SchemaCheck(schema).problems(try json(result))
    #expect(unknown == [])
  }

  @Test func aSkippedScenarioIsNotPlayed() throws {
    let result = try crash(folder(Self.plain + "skip: waits for the new server\n"), "--at 1")
    #expect(result.status == 5, "\(result)")
    #expect(
      result.errors.contains("Library.scenario.yaml: it is skipped: waits for the new server"))
  }

  // MARK: Promises broken

  private static let app = """
    scenario: An app's own manager
    models:
      v1: { Note: { text: string } }
      v2: { Note: { text: string, title: string? } }
    policies: { module: App, sources: Start.swift }
    seed: { Note: [{ text: one }] }
    chain:
      - v1 -> v2:
          NoteToNote:
            source: Note
            destination: Note
            policy: App.StartPolicy
            attributes: { text: $source.text }
    expect:
      - count: { Note: 1 }

    """

  /// A policy that removes the store it reads as soon as it may.
  @Test func aPolicyThatRemovesItsSourceIsFound() throws {
    let policy = """
      import CoreData

      final class StartPolicy: NSEntityMigrationPolicy {
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          let store = manager.sourceContext.persistentStoreCoordinator!.persistentStores.first!
          try FileManager.default.removeItem(at: store.url!)
        }
      }
      """
    let folder = try folder(Self.app, policy: policy)
    let result = try crash(folder, "--by engine --faults kill,eio")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("promise   the result is the old state or the whole new one"))
    let again = try #require(
      result.output.firstMatch(of: /again     heavyweight crash Library.scenario.yaml (.*)\n/))
    #expect(try crash(folder, String(again.1)).status == 1)
  }

  /// The objects are the same, what the app keeps in the metadata isn't.
  @Test func metadataThatTheNextStartMakesOtherwiseIsFound() throws {
    let policy = """
      import CoreData

      final class StartPolicy: NSEntityMigrationPolicy {
        override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
          let mark = NSTemporaryDirectory() + "begun"
          let isFirst = !FileManager.default.fileExists(atPath: mark)
          FileManager.default.createFile(atPath: mark, contents: nil)
          let coordinator = manager.destinationContext.persistentStoreCoordinator!
          let store = coordinator.persistentStores.first!
          var metadata = coordinator.metadata(for: store)
          metadata["start"] = isFirst ? "first" : "second"
          coordinator.setMetadata(metadata, for: store)
        }
      }
      """
    let result = try crash(folder(Self.app, policy: policy), "--by engine --faults kill")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("found     start: second instead of first"))
  }

  /// An app that makes its own store at its first start, and migrates it at the next.
  private func manager(_ replacement: String) -> String {
    """
    import CoreData

    final class StartPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try Start(old: manager.sourceModel, new: manager.destinationModel).run()
      }
    }

    struct Start {
      let old: NSManagedObjectModel
      let new: NSManagedObjectModel
      let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("App")
      var store: URL { folder.appendingPathComponent("Notes.sqlite") }
      var made: URL { folder.appendingPathComponent("Made.sqlite") }
      let files = FileManager.default

      func run() throws {
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        if !files.fileExists(atPath: store.path) { try begin() }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSSQLiteStoreType, at: store, options: nil)
        if new.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return }
        try coordinator.destroyPersistentStore(at: made, ofType: NSSQLiteStoreType, options: nil)
        let mapping = try NSMappingModel.inferredMappingModel(
          forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
          from: store, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
          toDestinationURL: made, destinationType: NSSQLiteStoreType, destinationOptions: nil)
        \(replacement)
      }

      private var coordinator: NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: old)
      }

      /// What there is of an earlier version: whole when it has its name.
      private func begin() throws {
        let first = folder.appendingPathComponent("First.sqlite")
        try coordinator.destroyPersistentStore(at: first, ofType: NSSQLiteStoreType, options: nil)
        let coordinator = self.coordinator
        let store = try coordinator.addPersistentStore(
          ofType: NSSQLiteStoreType, configurationName: nil, at: first, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
          let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
          note.setValue("kept for years", forKey: "text")
          try context.save()
        }
        try coordinator.remove(store)
        try files.moveItem(at: first, to: self.store)
      }
    }
    """
  }

  /// Between the two calls there is no store.
  @Test func aManagerThatRemovesTheOldStoreBeforeTheNewOneIsInPlaceIsFound() throws {
    let careless = manager(
      "try files.removeItem(at: store); try files.moveItem(at: made, to: store)")
    let result = try crash(folder(Self.app, policy: careless), "--by app --faults kill,eio")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("tmp/App/Notes.sqlite: the old store or a whole new one"))
    #expect(result.output.contains("there is no store"))
    #expect(result.output.contains("rename tmp/App/Made.sqlite to tmp/App/Notes.sqlite"))
  }

  /// What is copied there, or written, is nothing that faults are made at.
  @Test(arguments: [
    "try files.removeItem(at: store); try files.copyItem(at: made, to: store)",
    "try files.removeItem(at: store); try Data(contentsOf: made).write(to: store)",
    "try files.moveItem(at: store, to: folder.appendingPathComponent(UUID().uuidString)); try files.copyItem(at: made, to: store)",
  ])
  func aManagerThatCopiesTheNewStoreIntoAFreedPlaceIsFound(_ replacement: String) throws {
    let result = try crash(
      folder(Self.app, policy: manager(replacement)), "--by app --faults kill")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("kill: the process is killed right after it"), "\(result)")
    #expect(result.output.contains("there is no store"), "\(result)")
  }

  @Test func aStoreThatTheAppRemovesInTheEndIsntJudged() throws {
    let tidy = manager(
      "try files.removeItem(at: store); try files.moveItem(at: made, to: store); try files.removeItem(at: folder)"
    )
    let result = try crash(folder(Self.app, policy: tidy), "--by app --faults kill")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("not judged: what becomes of tmp/App/Notes.sqlite"), "\(result)")
    #expect(result.output.contains("every promise that can be judged was kept"), "\(result)")
  }

  @Test func aManagerThatReplacesTheOldStoreByOneRenameIsNot() throws {
    let careful = manager(
      """
      try coordinator.replacePersistentStore(
            at: store, destinationOptions: nil, withPersistentStoreFrom: made, sourceOptions: nil,
            ofType: NSSQLiteStoreType)
          try coordinator.destroyPersistentStore(at: made, ofType: NSSQLiteStoreType, options: nil)
      """)
    let result = try crash(
      folder(Self.app, policy: careful), "--by app,engine --faults kill")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("the app "), "\(result)")
    #expect(result.output.contains("not where it writes with Data"))
  }

  /// A handler works on a copy here, and on a device probably on the store itself.
  @Test func whatAHandlerSavesTwiceIsntJudged() throws {
    let handler = """
      import CoreData
      func twoSaves(_ manager: NSStagedMigrationManager, _ stage: NSCustomMigrationStage) throws {
        let context = manager.container!.newBackgroundContext()
        try context.performAndWait {
          for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
            context.delete(note)
          }
          try context.save()
          NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            .setValue("new", forKey: "text")
          try context.save()
        }
      }
      """
    let staged = """
      scenario: A handler deletes in one save and inserts in the next
      models:
        v1: { Note: { text: string } }
        v2: { Note: { text: string, title: string? } }
      policies: { module: App, sources: Start.swift }
      seed: { Note: [{ text: one }] }
      chain: [{ v1 -> v2: { .stages: [{ v1 -> v2: { did: App.twoSaves, label: two saves } }] } }]
      expect: [{ count: { Note: 1 } }]

      """
    let result = try crash(folder(staged, policy: handler), "--faults fsync")
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.contains(
        "not judged: what a fault between two saves of a stage's handler leaves behind; "),
      "\(result)")
    #expect(result.output.contains("every promise that can be judged was kept"), "\(result)")
  }

  // MARK: Arguments

  @Test func wrongArgumentsEndWith2() throws {
    let folder = try folder(Self.plain)
    for options in ["--at 0", "--at some", "--at every", "--faults boom", "--by us", "--start v9"] {
      #expect(try crash(folder, options).status == 2, "\(options)")
    }
    let beyond = try crash(folder, "--at 100000")
    #expect(beyond.status == 2)
    #expect(beyond.output.contains("there are only "))
  }

  @Test func aMigrationThatFailsByItselfEndsWith2() throws {
    let failing = Self.plain.replacing("pages: int16 = 0", with: "pages: int16")
    let result = try crash(folder(failing), "")
    #expect(result.status == 2)
    #expect(result.output.contains("fails without any fault"))
  }

  @Test func helpTeaches() throws {
    let result = try Tool.run(["crash", "--help"], in: folder(Self.plain))
    for text in ["EXAMPLES", "EXIT STATUS", "--at", "--faults", "--by", "halfway", "fsync"] {
      #expect(result.output.contains(text), "\(text)")
    }
  }
}
