/// What `heavyweight migrate` does beside printing, in whatever process.
package struct MigrateJob: IsolatedJob {
  let store: String
  let output: String
  let origin: MigrateSession.Origin
  /// Whether there is a report in JSON, too.
  let isForMachines: Bool
  /// Whether it says more of each step than is needed.
  let isVerbose: Bool
  /// Whether it says what the migration used of the machine.
  let tellsUsage: Bool
  /// Whether all stores are in memory and nothing is written to `output`.
  let isInMemory: Bool
  /// Whether values whose files are missing become nil.
  var allowsLostValues = false
  /// Whether the report says what objects have in them.
  var showsValues = false
  /// Whether a store that fits no version is migrated from its own model.
  var takesStoreModel = false
  /// Whether it only says what a device would do in the store's own file.
  var isExplained = false
  /// The colours of the process that prints the report; nil for none.
  let styleMark: String?
  /// Where the result is made, if another process puts it in its place.
  var workplace: String?
  /// What time it is for the migration, with chance that begins in the same way each time; nil for the machine's.
  var fixedTime: Date?

  /// Whether nobody wants the result itself.
  var isTrial: Bool { fixedTime != nil }

  package struct Answer: Codable {
    /// What a person reads; nil where there was nothing to report on.
    var text: Data?
    /// The same as JSON, where that is wanted.
    var report: Data?
    /// What was passed over, or wrong.
    var remarks: [String] = []
    /// What the report says, for machines that know nothing of migrations.
    var findings: [ToldFinding] = []
    var sections: [PageSection] = []
    var outcome: Outcome?
    var status: ExitStatus
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    var remarks: [String] = []
    do {
      let (routes, notes) = try await routes()
      remarks = notes
      if isExplained { return try explanation(by: routes, remarks) }
      let report = try withSurroundings { try migrate(by: routes, tell) }
      return try answer(report, remarks)
    } catch {
      let end = ExitStatus.of(error)
      return Answer(remarks: remarks + [end.text], status: end.status)
    }
  }

  private func withSurroundings<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let fixedTime else { return try body() }
    let surroundings = Surroundings(time: fixedTime) { Chance(state: 1) }
    return try Surroundings.$own.withValue(surroundings, operation: body)
  }

  private func migrate(
    by routes: any RouteFinder, _ tell: (JobProgress) -> Void
  ) throws -> StoreMigrationReport {
    let place = URL(fileURLWithPath: workplace ?? output)
    let source = URL(fileURLWithPath: store)
    var migration =
      isInMemory
      ? StoreMigration(inMemoryOf: source, by: routes)
      : StoreMigration(of: source, to: place, by: routes)
    let meter = ResourceMeter(result: isInMemory ? nil : place)
    migration.shownOutput = URL(fileURLWithPath: output)
    migration.allowsLostValues = allowsLostValues
    migration.explainsSteps = isVerbose
    if tellsUsage { migration.meter = meter }
    var route: StoreRoute?
    migration.didFindRoute = { route = $0 }
    var report = try migration.run {
      tell(JobProgress(step: $0, done: $1, total: $2, route: route))
    }
    if tellsUsage {
      report.usage = withExtendedLifetime(migration) { MigrationUsage(report, meter) }
    }
    return report
  }

  private func explanation(by routes: any RouteFinder, _ remarks: [String]) throws -> Answer {
    let explanation = try InPlaceExplanation(of: URL(fileURLWithPath: store), by: routes)
    return Answer(
      text: Data(explanation.text(style: TextStyle(mark: styleMark)).utf8), remarks: remarks,
      status: explanation.hasObstacle ? .failed : .passed)
  }

  func answer(_ report: StoreMigrationReport, _ remarks: [String] = []) throws -> Answer {
    var report = report
    if !showsValues, let error = report.failure?.error as? CoreDataError {
      report.failure?.error = error.withoutValues
    }
    if case .files(let files, _, _, _) = origin { report.models = files.models.relativePath }
    let text = report.text(style: TextStyle(mark: styleMark), isVerbose: isVerbose)
    let status = PassedOverStores.settled(report.exitStatus)
    var json = report.json
    json["exitStatus"] = status.rawValue
    return Answer(
      text: Data(text.utf8), report: isForMachines ? try json.machineReport() : nil,
      remarks: remarks,
      findings: report.told, sections: report.sections, outcome: Outcome(report),
      status: status)
  }

  // MARK: The routes

  /// Stores may be large, and times are to be those of an app's release.
  private var compiler: PolicyCompiler { PolicyCompiler(optimizes: true) }

  /// Where the route comes from, and what was passed over in making it.
  private func routes() async throws -> (routes: any RouteFinder, notes: [String]) {
    switch origin {
    case .files(let files, let target, let path, let allowsUnused):
      var routes = try await ModelRouteFinder(
        files, to: target, path: path, allowsUnusedMappings: allowsUnused, compiler: compiler)
      routes.takesStoreModel = takesStoreModel
      return (routes, routes.notes + (path == .stepwise ? routes.mappings.orderNotes : []))
    case .scenario(let file):
      return (try await ScenarioMigration(try Self.scenario(file), compiler: compiler), [])
    }
  }

  private static func scenario(_ file: String) throws -> CheckedScenario {
    try CheckedScenario.load(at: ScenarioAddress(file))
  }

  /// What the migration reads.
  /// - Throws: When a folder can't be searched.
  func filesForSandbox() throws -> SandboxFiles {
    var files: SandboxFiles
    switch origin {
    case .files(let given, _, _, _): files = try given.filesForSandbox()
    case .scenario(let file): files = try Self.scenario(file).filesForSandbox()
    }
    try files.readNamedStore(URL(fileURLWithPath: store))
    return files
  }

  /// Compiles the policies, if there are any, without loading them.
  /// - Returns: The folders of their sources; nil where the migration runs no policies.
  /// - Throws: What is wrong in the files, as making the plan does.
  func preparePolicies() async throws -> Set<String>? {
    switch origin {
    case .files(let files, let target, _, _):
      // A model that isn't there is known at once, and compiling takes seconds.
      let found = try ModelRouteFinder.policies(of: files, to: target)
      guard let module = found.module, !found.sources.isEmpty else { return nil }
      do {
        try await compiler.prepare(found.sources, module: module, stubs: files.stubs)
      } catch  where files.policies.isEmpty {
        // Nobody asked for just these files: what is wrong with one is told when its policies are needed.
        _ = await compiler.prepareSound(of: found, stubs: files.stubs, after: error)
      }
      return found.folders
    case .scenario(let file):
      let scenario = try Self.scenario(file)
      if scenario.scenario.policies.isEmpty { return nil }
      try await PolicyLoader(compiler, for: scenario).prepare(scenario.scenario.policies)
      return scenario.policyFolders
    }
  }
}
