import Synchronization

/// One call of `heavyweight compare`: migrates stores by the files of two commits, and compares what came out.
struct CommitSession {
  /// What of an app's files the migrations are made of, as paths that both commits have.
  struct Paths: Sendable {
    package var models: String
    package var mappings: [String] = []
    package var policies: [String] = []
    package var module: String?
    package var stubs: [StubFile] = []
    package var order: GivenOrder?
    package var target: String?
    package var path = ModelRouteFinder.Path.stepwise
  }

  let command: CompareCommand
  /// By store: each may be of another of the project's models.
  let allPaths: [Paths]
  /// For the store at hand.
  var paths: Paths

  private var isConfined: Bool { command.confinement.sandbox }

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    PrivateFolder.becomeUsual()
    if isConfined { try Sandbox.check() }
    // Two migrations that a full disk ends would count as alike.
    let report = try await MachineFaultWatch.judging { try await compare() }
    Interruption.sayAtTheEnd(nil)
    return try command.reports.outputs.publish(report, findings: report.told)
  }

  private func compare() async throws -> CommitReport {
    _ = try IdentityRules(arguments: command.comparison.identity)
    for store in command.stores { _ = try SQLiteStore.metadata(at: URL(fileURLWithPath: store)) }
    let old = try await AppCheckout(command.old)
    defer { old.remove() }
    let new = try await AppCheckout(command.new)
    defer { new.remove() }
    for paths in allPaths { try with(paths).requirePoliciesForStubs(Both(old, new)) }
    let progress = ProgressLine()
    defer { progress.clear() }
    let report = Mutex(
      CommitReport(
        old: side(old), new: side(new), storeCount: command.stores.count, comparisons: []))
    command.reports.outputs.tellAtTheEnd { report.withLock(\.self) }
    for (place, store) in command.stores.enumerated() {
      progress.show(store, done: place, total: command.stores.count)
      let comparison = try await with(allPaths[place]).compare(store, Both(old, new))
      report.withLock { $0.comparisons.append(comparison) }
    }
    return report.withLock(\.self)
  }

  private func side(_ checkout: AppCheckout) -> CommitReport.Side {
    .init(name: checkout.name, commit: checkout.commit, shownName: checkout.shownName)
  }

  private func with(_ paths: Paths) -> CommitSession {
    CommitSession(command: command, allPaths: allPaths, paths: paths)
  }

  // MARK: One store

  private func compare(_ store: String, _ apps: Both<AppCheckout>) async throws -> CommitComparison
  {
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    // One time for both: what they make of it is the same.
    let now = Date()
    let results = Both("old.sqlite", "new.sqlite").map { folder.appending(path: $0) }
    let sides = Both(
      try await migrate(store, by: apps.a, to: results.a, at: now),
      try await migrate(store, by: apps.b, to: results.b, at: now))
    for finding in (sides.a.findings + sides.b.findings).uniqued() {
      Console.complain("\(store): \(finding)")
    }
    // Two that a limit ended would count as alike, whatever they would have come to.
    if sides.a.failure?.isOfLimit == true, sides.b.failure?.isOfLimit == true {
      throw CommandProblem(
        description: "\(store): both migrations exceeded a limit, so there is nothing to compare; "
          + "allow more with --timeout or --memory")
    }
    guard sides.a.failure == nil, sides.b.failure == nil else {
      return CommitComparison(
        store: store, sides: sides, differences: nil, onlyIn: Both([], []))
    }
    var differences = try DiffSession(
      stores: results.map(\.path),
      models: [try apps.a.file(paths.models).path, try apps.b.file(paths.models).path],
      identity: command.comparison.identity, options: command.comparison.options
    ).compare()
    differences.stores = Both(
      differences.stores.a.named("old"), differences.stores.b.named("new"))
    let names = Both(
      try names(in: results.a, of: apps.a), try names(in: results.b, of: apps.b))
    func only(_ own: [String: String], _ other: [String: String]) -> [String] {
      own.compactMap { name, type in
        other[name] == type ? nil : other[name] == nil ? name : "\(name): \(type)"
      }.sorted()
    }
    return CommitComparison(
      store: store, sides: sides, differences: differences,
      onlyIn: Both(only(names.a, names.b), only(names.b, names.a)))
  }

  /// Either side may have the policies that the stubs are for.
  private func requirePoliciesForStubs(_ apps: Both<AppCheckout>) throws {
    if paths.stubs.isEmpty { return }
    let sources = try [apps.a, apps.b].flatMap { app -> [URL] in
      do {
        return try ModelRouteFinder.policies(of: files(of: app), to: paths.target).sources
      } catch {
        throw CommandProblem(description: "\(app.shownName): \(error)")
      }
    }
    try paths.stubs.requirePolicies(sources)
  }

  private func files(of app: AppCheckout) throws -> MigrationFiles {
    var files = MigrationFiles(
      models: try app.file(paths.models), mappings: try app.files(paths.mappings),
      policies: try app.files(paths.policies), module: paths.module, stubs: paths.stubs,
      order: paths.order)
    files.root = app.place
    return files
  }

  /// The entities and properties of a result, with their types.
  private func names(in result: URL, of app: AppCheckout) throws -> [String: String] {
    let models = try StoreModel.loadCandidates(orStoreAt: app.file(paths.models))
    let store = try ComparedStore(result.path, models: models).store
    defer { store.closeUnchanged() }
    return store.model.entities.reduce(into: [:]) { names, entity in
      names[entity.name] = ""
      for attribute in entity.attributes.flatMap(\.withElements) {
        let transformer =
          attribute.attributeType == .transformable ? "(\(attribute.storedTransformerName))" : ""
        names["\(entity.name).\(attribute.path)"] = attribute.attributeType.notation + transformer
      }
      for relationship in entity.relationships {
        let destination = relationship.destinationEntityName
        names["\(entity.name).\(relationship.name)"] =
          (relationship.isToMany ? "[\(destination)]" : "\(destination)")
          + (relationship.isOrdered ? " ordered" : "")
      }
    }
  }

  private func migrate(_ store: String, by app: AppCheckout, to result: URL, at now: Date)
    async throws -> CommitMigration
  {
    let origin = MigrateSession.Origin.files(
      try files(of: app), target: paths.target, path: paths.path,
      allowsUnusedMappings: true)
    var job = MigrateJob(
      store: store, output: result.path, origin: origin, isForMachines: true, isVerbose: false,
      tellsUsage: false, isInMemory: false, styleMark: nil)
    job.fixedTime = now
    // Both commits meet the same store.
    job.allowsLostValues = true
    let sources: Set<String>?
    do {
      if isConfined { _ = try job.filesForSandbox() }
      sources = try await job.preparePolicies()
    } catch {
      if let fault = MachineFault(error) { throw fault }
      throw CommandProblem(description: "\(app.shownName): \(error)")
    }
    let answer =
      sources == nil && !isConfined
      ? await job.perform(tell: { _ in })
      : try await performApart(job, compiling: sources ?? [], by: app)
    guard let report = answer.report else {
      // Nobody knows the folder that a commit's files are in.
      let remarks = answer.remarks.map { $0.replacing("\(app.root.path)/", with: "") }
      throw CommandProblem(
        description: (["\(app.shownName):"] + remarks).joined(separator: "\n"))
    }
    let migration: CommitMigration = try ProcessAnswer.decode(report)
    return migration
  }

  private func performApart(_ job: MigrateJob, compiling sources: Set<String>, by app: AppCheckout)
    async throws -> MigrateJob.Answer
  {
    let folder = URL(fileURLWithPath: job.output).deletingLastPathComponent()
    let isolation = JobIsolation(
      limits: command.limits.limits, policySources: sources,
      confinement: isConfined ? (try job.filesForSandbox(), [folder]) : nil
    ) { PersistentStoreFiles(URL(fileURLWithPath: job.output)).removeLeftovers() }
    let (outcome, _) = try await isolation.perform(job, as: CommandJob.migrate(job)) { _ in }
    switch outcome {
    case .answered(let answer): return answer
    case .died(let death):
      var report = StoreMigrationReport(store: job.store, output: job.output)
      var place = CoreDataError.Place()
      place.entityMapping = death.entityMapping
      place.object = death.object
      report.failure = ChainFailure(error: death, place: place)
      return MigrateJob.Answer(report: try report.json.machineReport(), status: report.exitStatus)
    }
  }
}

extension StoreDifferences.Store {
  /// The same store under another name; both commits may have its version, under one name.
  fileprivate func named(_ name: String) -> StoreDifferences.Store {
    .init(
      name: name, versions: versions.uniqued(), modelOrigin: modelOrigin, identifier: identifier,
      findings: findings)
  }
}
