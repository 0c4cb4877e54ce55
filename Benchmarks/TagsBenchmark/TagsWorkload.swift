import Commands
import Foundation

/// A store of events with comma-separated tags, ready to be migrated again and again.
final class TagsWorkload: @unchecked Sendable {
  private let eventCount: Int
  private let backend: Backend
  private let folder: URL
  private let migration: ScenarioMigration
  private let source: PersistentStore
  private var result: PersistentStore?

  init(eventCount: Int, backend: Backend) async throws {
    self.eventCount = eventCount
    self.backend = backend
    let scenario = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios/Tags/Tags.scenario.yaml").standardizedFileURL
    migration = try await ScenarioMigration(
      CheckedScenario.load(contentsOf: scenario), compiler: PolicyCompiler(optimizes: true))
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    source = try Self.makeSource(
      backend, try migration.model("v1.1"), at: folder.appending(path: "source.sqlite"),
      eventCount: eventCount)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  // MARK: Seeding

  private static func makeSource(
    _ backend: Backend, _ model: ManagedObjectModel, at url: URL, eventCount: Int
  ) throws -> PersistentStore {
    switch backend {
    case .memory:
      let store = InMemoryStore(model: model)
      try seed(store, eventCount: eventCount)
      return store
    case .sqlite:
      let store = try SQLiteStore.create(at: url, model: model)
      try store.beginBulk()
      try seed(store, eventCount: eventCount)
      try store.endBulk()
      try store.checkpointAndClose()
      return try SQLiteStore.openReadOnly(at: url, model: model)
    }
  }

  private static func seed(_ store: PersistentStore, eventCount: Int) throws {
    let context = context(on: store)
    for number in 0..<eventCount {
      let values: [String: Value] = [
        "timestamp": .date(Date(timeIntervalSinceReferenceDate: Double(number))),
        "latitude": .double(Double(number % 90)),
        "longitude": .double(Double(number % 180)),
        "tags": .string(tags(of: number).joined(separator: ",")),
      ]
      let event = EntityDescription.insertNewObject(forEntityName: "Event", into: context)
      for (key, value) in values { try event.setTypedValue(value, forKey: key) }
    }
    try context.save()
  }

  private static let tagCount = 2000

  /// Three tags of two thousand; one has a stray blank, and an empty piece follows it.
  private static func tags(of event: Int) -> [String] {
    let numbers = [event &* 7919, event &* 104_729 + 1, event].map { $0 % tagCount }
    return ["tag\(numbers[0])", " tag\(numbers[1])", "", "tag\(numbers[2])"]
  }

  private static func context(on store: PersistentStore) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator)
  }

  // MARK: Migrating

  /// Runs the chain into a fresh store.
  /// - Returns: Seconds.
  func migrate() throws -> Double {
    try discardResult()
    let began = ContinuousClock.now
    let (store, report) = try migration.chain(from: "v1.1").run(from: source, into: factory)
    let duration = ContinuousClock.now - began
    if let failure = report.failure { throw failure }
    result = store
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }

  private var factory: any StoreFactory {
    switch backend {
    case .memory: InMemoryStoreFactory()
    case .sqlite: SQLiteStoreFactory(destination: resultURL)
    }
  }

  private var resultURL: URL { folder.appending(path: "result.sqlite") }

  private func discardResult() throws {
    try result?.close()
    result = nil
    if backend == .sqlite { try PersistentStoreFiles(resultURL).remove() }
  }

  /// - Throws: When the result isn't what the events ask for.
  func check() throws {
    guard let result else { throw WrongResult(text: "nothing") }
    let context = Self.context(on: result)
    let counts = try ["Event", "Tag"].map {
      try context.count(for: FetchRequest<ManagedObject>(entityName: $0))
    }
    let pieces = (0..<eventCount).flatMap(Self.tags)
    let names = Set(pieces.map { $0.trimmingCharacters(in: .whitespaces) }).subtracting([""])
    guard counts == [eventCount, names.count] else {
      throw WrongResult(text: "\(counts) events and tags; expected \([eventCount, names.count])")
    }
  }
}

struct WrongResult: Error, CustomStringConvertible {
  let text: String
  var description: String { "the migration gave " + text }
}
