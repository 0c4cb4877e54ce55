import Migration
import TestSupport
import Testing

/// WooCommerce's 117 versions: stores with objects of every entity go step by step, as far as inference
/// and the one mapping file lead; behind a step that they don't cover a new store goes on.
@Suite(
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct WooCommerceTests {
  private let model: VersionedModel
  private let mapping: MappingCandidate

  init() throws {
    model = try Self.models.get()
    let file = try XcodeMappingFile.load(
      contentsOf: Corpus.url("woocommerce/WooCommerceModelV9toV10.xcmappingmodel"))
    let old = try #require(model.version(named: "Model 9"))
    let new = try #require(model.version(named: "Model 10"))
    mapping = MappingCandidate(
      name: file.name, model: try file.mappingModel(source: old, destination: new))
  }

  private static let models = Result {
    try XcodeModel.load(contentsOf: Corpus.url("woocommerce/WooCommerce.xcdatamodeld"))
  }

  /// The steps that fail, and their codes: the app's mapping file copies whole numbers into a Decimal attribute, which
  /// takes no plain number.
  private static let uncovered = ["Model 9 -> Model 10": 1550]

  /// Those that fail when the store begins with objects of every entity: one more adds an attribute that must have a
  /// value and has no default.
  private static let uncoveredWhenFull = uncovered.merging(["Model 32 -> Model 33": 134110]) { $1 }

  /// A store on its way, on both backends.
  private struct Traveller {
    var memory: PersistentStore
    var file: URL
    /// Where the file is.
    var folder: TemporaryFolder

    init(at version: ManagedObjectModel) throws {
      folder = try TemporaryFolder()
      file = folder.url.appending(path: "Start.sqlite")
      memory = InMemoryStore(model: version)
      let sqlite = try SQLiteStore.create(at: file, model: version)
      try FilledStore.fill(memory)
      try FilledStore.fill(sqlite)
      try sqlite.close()
    }
  }

  private func step(_ index: Int) -> MigrationStep {
    let (old, new) = (model.versions[index], model.versions[index + 1])
    let fits = mapping.model.fits(source: old, destination: new)
    return MigrationStep(from: old, to: new, mappings: fits ? [mapping] : [])
  }

  private func migrateInMemory(
    _ store: PersistentStore, _ step: MigrationStep
  ) throws -> PersistentStore {
    let (result, report) = MigrationChain(steps: [step]).run(
      from: store, into: InMemoryStoreFactory())
    if let failure = report.failure { throw failure }
    return try #require(result)
  }

  // MARK: Tests

  @Test func storesGoStepByStep() throws {
    let checked = Set(Matrix.some(of: Array(0..<model.versions.count - 1), every: 12))
    var traveller = try Traveller(at: model.versions[0])
    var failed: [String: Int] = [:]
    var customSteps: [String] = []
    for index in 0..<model.versions.count - 1 {
      let step = step(index)
      do {
        try take(&traveller, step, isChecked: checked.contains(index))
        if !step.mappings.isEmpty { customSteps.append(step.name) }
      } catch let failure as ChainFailure {
        failed[step.name] = (failure.error as NSError).code
        #expect(throws: ChainFailure.self, "\(step.name)") {
          try migrateInMemory(traveller.memory, step)
        }
        traveller = try Traveller(at: step.destinationModel)
      }
    }
    #expect(failed == Self.uncovered)
    #expect(customSteps == [])
  }

  /// A travelling store has no objects of entities that are newer than its start; here every step begins
  /// with objects of every entity.
  @Test(arguments: Matrix.some(of: Array(0..<116), every: 20))
  func everyStepTakesObjectsOfEveryEntity(at index: Int) throws {
    let step = step(index)
    var traveller = try Traveller(at: step.sourceModel)
    do {
      try take(&traveller, step, isChecked: Matrix.isFull)
      #expect(Self.uncoveredWhenFull[step.name] == nil)
    } catch let failure as ChainFailure {
      #expect(Self.uncoveredWhenFull[step.name] == (failure.error as NSError).code, "\(failure)")
    }
  }

  /// Both backends end alike, and nothing is lost that both versions have.
  private func take(
    _ traveller: inout Traveller, _ step: MigrationStep, isChecked: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let sqlite = try MigratedStore(traveller.file, [step], to: .sqlite, in: folder)
    let memory = try migrateInMemory(traveller.memory, step)
    #expect(
      try ContentComparison.differences(memory, sqlite.store) == [], "\(step.name), backends")
    if step.mappings.isEmpty {
      let source = try SQLiteStore.openReadOnly(at: traveller.file, model: step.sourceModel)
      #expect(try ContentComparison.differences(source, sqlite.store) == [], "\(step.name)")
    }
    if isChecked || !step.mappings.isEmpty { try check(sqlite, step, from: traveller.file) }
    try sqlite.store.close()
    traveller.memory = memory
    traveller.file = try #require(sqlite.store.url)
    traveller.folder = folder
  }

  /// Looks at a step's result with `sqlite3` and the checker of Core Data's layout.
  private func check(_ result: MigratedStore, _ step: MigrationStep, from source: URL) throws {
    if step.mappings.isEmpty {
      let recorded = try RecordedStore(source, model: step.sourceModel)
      var comparison = try InferredComparison(recorded, result.store, result.report)
      try comparison.compare()
      #expect(comparison.counts.objects >= 12)
      #expect(comparison.counts.links > 0)
    }
    let name = try #require(step.destinationModel.name)
    try result.checkFile(model: model.url.appending(path: "\(name).xcdatamodel"))
  }
}
