/// Migrates a copy of one store, as `heavyweight migrate` does.
package struct StoreMigration {
  private let store: URL
  /// Nil for a migration in memory, whose result is forgotten.
  private let output: URL?
  private let routes: any RouteFinder
  /// What reports call the output, if it is made elsewhere first.
  var shownOutput: URL?
  /// Measures the parts of each step, if somebody wants to know.
  var meter: ResourceMeter?
  /// Whether values that are lost in the store, since their files are missing, become nil in the result.
  var allowsLostValues = false
  /// Whether the report has the steps' plans.
  var explainsSteps = false
  /// Told what the store is, before its first step.
  var didFindRoute: (StoreRoute) -> Void = { _ in }
  private let kept = KeptStores()

  /// The first and the last store in memory, kept as long as the migration: to free a million rows, one
  /// by one, is no part of it.
  private final class KeptStores { var all: [PersistentStore] = [] }

  /// - Parameters:
  ///   - store: The store to migrate; its files stay as they are, byte for byte.
  ///   - output: Where the result goes; nothing may be there. The result is there whole or not at
  ///     all, whatever happens.
  package init(of store: URL, to output: URL, by routes: any RouteFinder) {
    self.store = store
    self.output = output
    self.routes = routes
  }

  /// A migration whose stores are all in memory, only to see how it goes; `store` is read first.
  init(inMemoryOf store: URL, by routes: any RouteFinder) {
    self.store = store
    output = nil
    self.routes = routes
  }

  /// Called before each step with its name, how many are done, and of how many.
  package typealias Progress = (_ step: String, _ done: Int, _ total: Int) -> Void

  /// Runs the migration. One that fails is a result, too: the report says why.
  /// - Throws: What is wrong with the arguments: ``Diagnostics`` about the output, `CoreDataError`
  ///   about a store that is missing or damaged, another error about one without the files of its large
  ///   values.
  package func run(willRun: Progress = { _, _, _ in }) throws -> StoreMigrationReport {
    let began = ContinuousClock.now
    if let output { try Self.preparePlace(of: output) }
    var report = StoreMigrationReport(
      store: store.relativePath, output: output.map { (shownOutput ?? $0).relativePath } ?? "memory"
    )
    report.began = began
    do {
      let route = try routes.route(forStoreAt: store)
      try run(route, into: &report, telling: willRun)
    } catch let error as CoreDataError where error.code == .migrationMissingSourceModel {
      report.failure = ChainFailure(error: error, place: .init())
    }
    report.isResultThere =
      report.failure.map { PersistentStoreFiles.isAboutNewStoreInPlace($0.error) } ?? false
    report.seconds = (ContinuousClock.now - report.began).seconds
    return report
  }

  // MARK: Steps

  private func run(
    _ route: MigrationRoute, into report: inout StoreMigrationReport, telling willRun: Progress
  ) throws {
    report.route = StoreRoute(
      versions: route.versions, configuration: route.configuration, target: route.target,
      isFromStoreModel: route.isFromStoreModel)
    didFindRoute(report.route)
    report.unusedMappings = route.unusedMappings
    if let refusal = route.refusal {
      report.failure = ChainFailure(error: refusal, place: .init())
      return
    }
    let source = try SQLiteStore.openReadOnly(at: store, model: route.source)
    defer { source.closeUnchanged() }
    // While the store is open: a migration in memory closes it. A copy has all of it.
    let ignored = route.chain.steps.isEmpty ? [] : try source.ignoredSchema()
    report.after = nil
    if route.chain.steps.isEmpty {
      // What a step reads, a copy takes as it is.
      try source.findLostValues()
      try requireValues(of: source)
      report.before = try EntityCounts(of: source)
      if let output { try copy(to: output) }
      report.after = report.before
    } else if let output {
      var factory = SQLiteStoreFactory(destination: output)
      factory.requiresFreePlace = true
      try migrate(source, by: route.chain, into: factory, report: &report, telling: willRun)
      report.leftBehind = try source.rowsBesideTheModel()
    } else {
      try migrateInMemory(source, by: route.chain, into: &report, telling: willRun)
    }
    report.findings = source.findings.map(\.description) + ignored.map(\.description)
    // What is measured is the migration.
    guard let output, meter == nil else { return }
    do {
      report.findings += try damage(of: source, report)
      guard report.failure == nil, let last = route.chain.steps.last else { return }
      let result = try SQLiteStore.openReadOnly(at: output, model: last.destinationModel)
      defer { try? result.close() }
      report.findings += try damage(of: result, report)
        .filter { !report.findings.contains($0) }.map { "the result, \($0)" }
    } catch {
      report.findings.append("a store can't be looked at: \(error)")
    }
  }

  /// What is wrong with a store's rows that SQL carries over, or drops, without a word; not looked for in large stores.
  private func damage(of store: SQLiteStore, _ report: StoreMigrationReport) throws -> [String] {
    if report.before?.total ?? 0 > MigrateJob.mostObjects { return [] }
    return try store.unnoticedDamage().map(\.text)
  }

  /// What it takes to have the source in memory isn't the migration's.
  private func migrateInMemory(
    _ file: SQLiteStore, by chain: MigrationChain, into report: inout StoreMigrationReport,
    telling willRun: Progress
  ) throws {
    let source = try InMemoryStore.copying(file)
    try requireValues(of: file)
    kept.all.append(source)
    try file.close()
    report.began = .now
    report.usedBefore = .now
    ProcessUse.forgetPeak()
    try migrate(source, by: chain, into: InMemoryStoreFactory(), report: &report, telling: willRun)
  }

  private func migrate(
    _ source: PersistentStore, by chain: MigrationChain, into stores: any StoreFactory,
    report: inout StoreMigrationReport, telling willRun: Progress
  ) throws {
    var before: EntityCounts?
    var counts: EntityCounts?
    var executed: [ExecutedStep] = []
    let steps = chain.steps
    willRun(steps[0].name, 0, steps.count)
    var quick = chain
    quick.observesEveryStep = false
    quick.meter = meter
    var total = 0
    // Counting takes a look at every page; the first step may have had it on the way.
    func noteSource(_ step: StepReport?) throws {
      guard before == nil else { return }
      let known = try EntityCounts(of: source, known: step?.sourceCounts ?? [:])
      (before, counts, total) = (known, known, known.total)
    }
    let (result, outcome) = quick.run(from: source, into: stores) { step, store in
      meter?.finishStep(isPassedThrough: step.isPassedThrough)
      try requireValues(of: source)
      try noteSource(step)
      if !step.isPassedThrough {
        counts = try EntityCounts(of: store, madeBy: step) ?? EntityCounts(of: store)
      }
      let made = step.isPassedThrough ? step.madeCount : counts?.total ?? 0
      executed.append(
        ExecutedStep(
          step, sourceCount: total, destinationCount: made, explains: explainsSteps))
      total = made
      if executed.count < steps.count {
        willRun(steps[executed.count].name, executed.count, steps.count)
      }
    }
    if let failure = outcome.failure {
      try requireValues(of: source, after: failure)
      if failure.error.isAboutDamage(of: store) { throw failure.error }
      try noteSource(nil)
      if executed.count < outcome.steps.count, let step = outcome.steps.last {
        executed.append(
          ExecutedStep(
            step, sourceCount: total, destinationCount: nil, explains: explainsSteps))
      }
      if let last = executed.indices.last { executed[last].errorText = failure.shortText }
      report.failure = failure
    } else {
      report.after = counts
    }
    report.before = before
    report.steps = executed
    guard let output else {
      kept.all += [result].compactMap(\.self)
      return
    }
    do { try PersistentStoreFiles(output).whenInPlace { try result?.close() } } catch {
      report.failure = ChainFailure(error: error, place: .init())
    }
  }

  /// Large values that aren't there must not become nil unnoticed: mostly their folder was forgotten, and
  /// another copy of the store has them.
  /// - Parameter failure: What else the migration ended with, which is told, too.
  private func requireValues(
    of source: PersistentStore, after failure: ChainFailure? = nil
  ) throws {
    guard !allowsLostValues, let file = source as? SQLiteStore,
      let error = CoreDataError.lostValues(file.findings, in: store)
    else { return }
    // It may be what ended the chain.
    throw LostValues(error: error, failure: failure?.error is LostValues ? nil : failure)
  }

  /// The result of a store that needs no step. It gets its name last, by one rename.
  private func copy(to output: URL) throws {
    let copy = try PersistentStoreFiles(output).makeTemporaryNeighbour()
    do {
      try PersistentStoreFiles(store).copy(to: copy)
      try PersistentStoreFiles(output).replace(by: copy, onlyIfFree: true)
    } catch {
      // The first error is the one to tell; the next call removes what stays.
      try? copy.remove()
      throw error
    }
  }
}

extension StepReport {
  /// How many objects a lightweight step made.
  fileprivate var madeCount: Int {
    runs.flatMap(\.entityMappings).reduce(0) { $0 + $1.destinationCount }
  }
}

/// Why values can't be read that would be nil in the result.
private struct LostValues: Error, CustomStringConvertible {
  let error: CoreDataError
  /// What the migration ended with before it was noticed. A value that is lost may be why one was missing later.
  let failure: ChainFailure?

  var description: String {
    guard let failure else { return "\(error)" }
    let lines = "\(failure)".split(separator: "\n").map { "  \($0)" }
    return (["\(error)", "The migration failed, too, perhaps because of that:"] + lines)
      .joined(separator: "\n")
  }
}

extension CoreDataError {
  /// What is said of values that can't be read and would be nil in the result; nil where there are none.
  fileprivate static func lostValues(_ findings: [StoreFinding], in store: URL) -> CoreDataError? {
    let lost = findings.filter { $0.lostValue != nil }
    guard let first = lost.first, let reason = first.lostValue else { return nil }
    let others = lost.count - 1
    let more = others > 0 ? "; \(others.counted("other value")) can't be read either" : ""
    return CoreDataError(
      .persistentStoreOperation, reason + more,
      advice:
        "copy the folder .<store>_SUPPORT together with the store; or let what can't be read become "
        + "nil: --allow-lost-values"
    ).at(
      entity: first.entity, property: first.property, object: first.object, file: store.path)
  }
}

extension StoreFinding {
  /// Why a value that the store had can't be read by anybody; nil for what a device reads as nil, too.
  fileprivate var lostValue: String? {
    switch kind {
    case .missingExternalFile(let name): "The file of a large value is missing: \(name)"
    case .unknownExternalTag: "A large value doesn't say where its data is"
    case .danglingKeys, .foreignEntityNumber: nil
    }
  }
}

extension Error {
  /// Whether a store that can't be read is behind it.
  fileprivate func isAboutDamage(of store: URL) -> Bool {
    guard let error = self as? CoreDataError else { return false }
    let codes: Set<CoreDataErrorCode> = [
      .fileReadCorruptFile, .fileReadNoSuchFile, .sqlite, .persistentStoreOpen,
      .persistentStoreIncompatibleSchema, .persistentStoreOperation,
    ]
    if error.place.file == store.path, codes.contains(error.code) { return true }
    return error.underlying?.isAboutDamage(of: store) ?? false
  }
}
