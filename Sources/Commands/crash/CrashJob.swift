/// What a process does for `heavyweight crash`: it makes the store, or migrates it, with a fault at one point
/// or without any.
package struct CrashJob: IsolatedJob {
  enum Task: Codable, Sendable {
    /// Make the store that the migration starts from.
    case prepare
    /// Migrate and list the points.
    case count
    /// Migrate with a fault.
    case harm(at: Int, FileFault)
    /// Migrate as an app does at its next start.
    case retry

    /// Whether the process is to end with it, as an app's does: what it holds is free then.
    var isHarm: Bool {
      if case .harm = self { true } else { false }
    }
  }

  let scenario: RequestedScenario
  let start: String
  let folder: CrashFolder
  let task: Task
  /// Where compiled policies are.
  let policyFolder: URL?

  package struct Answer: Codable {
    /// Why the migration failed; nil where it didn't.
    var failure: Failure?
    var points: [FilePoint] = []
    /// What kept it from being begun.
    var problem: String?

    /// The error that an app would get.
    struct Failure: Codable, Equatable {
      let domain: String
      let code: Int
      let reason: String
      let text: String
      /// Whether it says that the new store is in its place all the same.
      let saysItIsDone: Bool

      init(_ error: any Error) {
        let known = error as NSError
        domain = known.domain
        code = known.code
        reason = error.reasonText
        text = "\(error)"
        saysItIsDone = PersistentStoreFiles.isAboutNewStoreInPlace(error)
      }
    }
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    setenv("TMPDIR", folder.temporary.path, 1)
    do {
      let scenario = try scenario.load()
      if case .prepare = task {
        try prepare(scenario)
        return Answer()
      }
      let plan = try await ScenarioMigration(
        scenario, compiler: PolicyCompiler(cacheDirectory: policyFolder))
      return try scenario.withSurroundings { try migrate(plan) }
    } catch {
      return Answer(problem: "\(error)")
    }
  }

  private func prepare(_ scenario: CheckedScenario) throws {
    guard case .store(let path) = scenario.seed(for: start)?.content else {
      try scenario.makeStore(at: folder.source, start: start)
      return
    }
    let copy = PersistentStoreFiles(folder.source)
    try PersistentStoreFiles(scenario.scenario.folder.resolving(path.value)).copy(to: copy)
    try copy.mergeJournals()
  }

  // MARK: Migrating

  /// A report on points that nobody sees would say that all is well.
  private func requireSight() throws {
    let plan = FaultPlan(countingIn: folder.root)
    let probe = folder.root.appending(path: "probe")
    try plan.watch {
      try FileManager.default.createDirectory(at: probe, withIntermediateDirectories: false)
      try FileManager.default.removeItem(at: probe)
    }
    guard plan.points.contains(where: { $0.caller == .app }) else {
      throw Diagnostics(
        file: scenario.shownPath, "this build can't observe an app's file operations")
    }
  }

  private func migrate(_ migration: ScenarioMigration) throws -> Answer {
    let isCounting = if case .count = task { true } else { false }
    if isCounting { try requireSight() }
    let plan = faultPlan
    plan?.tell(CrashEvidence.witness(in: folder.evidence))
    plan?.tell(ofFault: folder.note)
    let failure = try watch(plan) { try CrashMigration(migration, in: folder, fault: plan).run() }
    return Answer(
      failure: failure.map(Answer.Failure.init), points: isCounting ? plan?.points ?? [] : [])
  }

  private func watch<Result>(_ plan: FaultPlan?, _ body: () throws -> Result) rethrows -> Result {
    guard let plan else { return try body() }
    return try plan.watch(body)
  }

  private var faultPlan: FaultPlan? {
    switch task {
    case .prepare: nil
    // What an app's code makes at the next start is right for its stores, too.
    case .count, .retry: FaultPlan(countingIn: folder.play)
    case .harm(let number, let fault): FaultPlan(in: folder.play, at: number, fault)
    }
  }
}

/// The migration of a scenario's store as an app does it at its start: nothing if the store has the newest
/// version, else all steps from its own.
private final class CrashMigration: StepMeter {
  private let migration: ScenarioMigration
  private let source: URL
  private let destination: URL
  private let plan: FaultPlan?
  private var step = ""

  init(_ migration: ScenarioMigration, in folder: CrashFolder, fault plan: FaultPlan?) {
    self.migration = migration
    self.plan = plan
    source = folder.source
    destination = migration.scenario.crashDestination(in: folder)
  }

  /// - Returns: The error with which it failed.
  func run() throws -> (any Error)? {
    enter("examining the store")
    do {
      let current = PersistentStoreFiles(destination).exist ? destination : source
      let route = try migration.route(forStoreWith: SQLiteStore.metadata(at: current))
      if route.chain.steps.isEmpty { return try open(current, route.source) }
      let store = try SQLiteStore.openReadOnly(at: current, model: route.source)
      defer { store.closeUnchanged() }
      return try run(route.chain, from: store)
    } catch {
      return error
    }
  }

  /// Opens a store that has the newest version, for what an app does then.
  private func open(_ url: URL, _ model: ManagedObjectModel) throws -> (any Error)? {
    try SQLiteStore.open(at: url, model: model).close()
    return nil
  }

  private func run(_ chain: MigrationChain, from source: PersistentStore) throws -> (any Error)? {
    var chain = chain
    chain.meter = self
    var names = chain.steps.map(\.name)
    func next() {
      step = names.isEmpty ? "" : names.removeFirst()
      enter(step.isEmpty ? "moving the result into place" : step)
    }
    next()
    let (store, report) = chain.run(
      from: source, into: SQLiteStoreFactory(destination: destination)
    ) { _, _ in next() }
    try PersistentStoreFiles(destination).whenInPlace { try store?.close() }
    return report.failure?.error
  }

  // MARK: Where it is

  private func enter(_ part: String) { plan?.enter(part) }

  func begin(_ part: StepPart) { enter("\(step), \(part.text)") }

  func end(_ part: StepPart) { enter(step) }
}

extension StepPart {
  /// What the migration does then.
  fileprivate var text: String {
    switch self {
    case .instances: "first pass"
    case .relationships: "second pass"
    case .validation: "validation"
    case .save: "saving"
    case .sql: "filling the new store"
    case .sync: "making it durable"
    }
  }
}

extension CheckedScenario {
  /// Where the result of the migration belongs: in the old store's place, unless the scenario has another.
  func crashDestination(in folder: CrashFolder) -> URL {
    scenario.destination.map { folder.play.appending(path: $0.value) } ?? folder.source
  }
}
