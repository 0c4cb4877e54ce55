import Migration
import Testing

/// Every kind of change that Apple's guide to lightweight migration names, and those it doesn't.
@Suite struct InferenceTableTests {
  /// The ways a lightweight migration runs; all must come to the same.
  private static let ways: [(Backend, MigrationMethod)] = [
    (.memory, .inPlace), (.memory, .manager), (.sqlite, .inPlace), (.sqlite, .manager),
  ]

  @Test(arguments: InferenceRow.attributes) func attributes(_ row: InferenceRow) throws {
    try check(row)
  }

  @Test(arguments: InferenceRow.entities) func entities(_ row: InferenceRow) throws {
    try check(row)
  }

  @Test(arguments: InferenceRow.relationships) func relationships(_ row: InferenceRow) throws {
    try check(row)
  }

  private func check(_ row: InferenceRow) throws {
    let old = try ManagedObjectModel(entities: row.old.map(notated), name: "v1")
    let new = try ManagedObjectModel(entities: row.new.map(notated), name: "v2")
    if case .isNoChange = row.outcome {
      #expect(old.entityVersionHashesByName == new.entityVersionHashesByName)
      return
    }
    #expect(old.entityVersionHashesByName != new.entityVersionHashesByName)
    for (backend, method) in Self.ways { try check(row, old, new, backend, method) }
  }

  private func check(
    _ row: InferenceRow, _ old: ManagedObjectModel, _ new: ManagedObjectModel, _ backend: Backend,
    _ method: MigrationMethod
  ) throws {
    let stage = try Stage(backend, old, seed: row.seed)
    let before = try dump(stage.source)
    var chain = MigrationChain(steps: [MigrationStep(from: old, to: new)])
    chain.lightweightMethod = method
    let (store, report) = chain.run(from: stage.source, into: backend.stores(in: stage.folder))
    let way: Comment = "\(backend), \(method.rawValue)"
    switch row.outcome {
    case .isNoChange: break
    case .gives(let expected):
      #expect(report.failure == nil, way)
      #expect(try store.map(dump) == expected, way)
      #expect(report.steps.first?.choice?.kind == .inferred, way)
      let found = report.steps.first?.runs.map(\.method)
      // Without SQL there is only the manager, whatever is asked for.
      #expect(found == [backend == .sqlite && row.isSetBased ? method : .manager], way)
    case .fails(let code, let reason, let cause):
      let error = try #require(report.failure?.error as? CoreDataError, way)
      check(error, code, reason, cause, way)
      #expect(stage.otherFiles == [], way)
    }
    #expect(try dump(stage.source) == before, way)
  }

  /// What can't be inferred is 134140 for whoever opens the store, with the cause behind it.
  private func check(
    _ error: CoreDataError, _ code: Int, _ reason: String, _ cause: Int?, _ way: Comment
  ) {
    var error = error
    if code == 134190, let underlying = error.underlying as? CoreDataError {
      #expect(error.code.rawValue == 134140, way)
      #expect(error.reason == "Can't find or automatically infer mapping model for migration", way)
      error = underlying
      #expect((error as NSError).userInfo["entity"] is String, way)
      #expect((error as NSError).userInfo["reason"] as? String == reason, way)
    }
    #expect(error.code.rawValue == code, way)
    #expect(error.reason == reason, way)
    #expect((error.underlying as? CoreDataError)?.code.rawValue == cause, way)
  }
}
