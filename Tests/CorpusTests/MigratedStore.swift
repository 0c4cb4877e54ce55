import Migration
import TestSupport
import Testing

/// The two kinds of store that a chain can write.
enum ResultKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, sqlite

  var testDescription: String { rawValue }

  func factory(in folder: TemporaryFolder) -> any StoreFactory {
    switch self {
    case .memory: InMemoryStoreFactory()
    case .sqlite: SQLiteStoreFactory(destination: folder.url.appending(path: "Result.sqlite"))
    }
  }
}

/// A chain that has run on a store of the corpus.
struct MigratedStore {
  let store: PersistentStore
  let report: ChainReport
  let context: ManagedObjectContext

  /// Runs steps on the store at `source`, and sees that this changes no byte of it.
  init(
    _ source: URL, _ steps: [MigrationStep], policies: any PolicyProvider = PolicyRegistry(),
    to kind: ResultKind, in folder: TemporaryFolder, method: MigrationMethod = .inPlace
  ) throws {
    let before = try Data(contentsOf: source)
    let model = try #require(steps.first?.sourceModel)
    let original = try SQLiteStore.openReadOnly(at: source, model: model)
    var chain = MigrationChain(steps: steps, policies: policies)
    chain.recordsOrigins = true
    chain.lightweightMethod = method
    let (store, report) = chain.run(from: original, into: kind.factory(in: folder))
    if let failure = report.failure { throw failure }
    try original.close()
    try #expect(Data(contentsOf: source) == before, "the source was changed")
    #expect(Self.neighbours(of: source).isEmpty, "files were left beside the source")
    self.store = try #require(store)
    self.report = report
    let coordinator = PersistentStoreCoordinator(managedObjectModel: self.store.model)
    coordinator.add(self.store)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  private static func neighbours(of url: URL) -> [String] {
    ["-wal", "-shm", "-journal"].map { url.path + $0 }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  func objects(_ entity: String) throws -> [ManagedObject] {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity))
  }

  /// Closes an SQLite store and has others look at it: SQLite itself, and the checker of Core Data's
  /// layout, which takes `model`, an `.xcdatamodel` folder.
  func checkFile(model: URL) throws {
    guard let url = store.url else { return }
    try store.close()
    let integrity = try SQLiteShell(database: url).text("PRAGMA integrity_check")
    #expect(integrity == "ok\n")
    let output = try FormatChecker.output(["--strict", "--rows", model.path, url.path])
    #expect(output.hasSuffix("1 of 1 stores pass\n"), "\(output)")
  }
}
