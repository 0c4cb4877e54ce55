import Migration
import TestSupport

/// Plays one case in all ways there are, and says what doesn't agree.
struct ProofRun {
  let example: ProofCase
  let models: [ManagedObjectModel]
  let folder: URL

  init(_ example: ProofCase, in folder: URL) throws {
    self.example = example
    self.folder = folder
    models = try example.models.enumerated().map { try $0.element.make(named: "v\($0.offset + 1)") }
  }

  /// What a chain ends with.
  private enum Outcome: Equatable {
    case content(ProofContent)
    case error(String)
  }

  /// What is wrong; nil when nothing is.
  func problem() throws -> String? {
    let memory = try Source(.memory, self)
    let sqlite = try Source(.sqlite, self)
    defer { try? sqlite.store.close() }
    let all = Array(models.indices)
    let inPlace = try outcome(of: sqlite, through: all, by: .inPlace, keeping: "in-place")
    let others = [
      ("memory", try outcome(of: memory, through: all, by: .inPlace)),
      ("memory by a manager", try outcome(of: memory, through: all, by: .manager)),
      ("a manager", try outcome(of: sqlite, through: all, by: .manager, keeping: "manager")),
    ]
    for (name, other) in others {
      if let difference = Self.difference(inPlace, other) {
        return "in place and \(name) differ: \(difference)"
      }
    }
    let together = try outcome(of: sqlite, through: all, by: .inPlace) { chain in
      chain.observesEveryStep = false
      chain.recordsOrigins = false
    }
    let single = try outcome(of: sqlite, through: all, by: .inPlace) { $0.recordsOrigins = false }
    if let difference = Self.difference(together, single) {
      return "steps run together and one by one differ: \(difference)"
    }
    return try mappedProblem(sqlite) ?? mappedProblem(memory) ?? writtenProblem(memory, sqlite)
      ?? directProblem(memory, sqlite, stepwise: inPlace)
      ?? secondRunProblem()
  }

  /// The same steps with mapping models, as SQL or from row to row, and by a manager that keeps hardly any
  /// new objects in memory.
  private func mappedProblem(_ source: Source) throws -> String? {
    let all = Array(models.indices)
    func outcome(asSQL: Bool) throws -> Outcome {
      try SpillLimits.$current.withValue(SpillLimits(kept: 1, waiting: 2)) {
        try SecondThread.$current.withValue(.always) {
          try self.outcome(of: source, through: all, by: .inPlace) { chain in
            chain.usesSetBasedPlans = asSQL
            chain.steps = chain.steps.map { $0.mapped() }
          }
        }
      }
    }
    return Self.difference(try outcome(asSQL: true), try outcome(asSQL: false)).map {
      "mapping models by sets and by a manager differ (\(source.backend)): \($0)"
    }
  }

  /// The same steps with mapping models as people write them.
  private func writtenProblem(_ memory: Source, _ sqlite: Source) throws -> String? {
    var mappings = ProofMappings(seed: example.mappingSeed)
    let written = zip(models, models.dropFirst()).map { source, destination in
      try? mappings.mapping(from: source, to: destination)
    }
    var differs = false
    func outcome(_ source: Source, asSQL: Bool) throws -> Outcome {
      try self.outcome(of: source, through: Array(models.indices), by: .inPlace) { chain in
        chain.usesSetBasedPlans = asSQL
        for (index, mapping) in written.enumerated() {
          chain.steps[index].mappings =
            mapping.map { [MappingCandidate(name: "written", model: $0)] } ?? []
        }
      } seeing: {
        differs = $0.steps.contains { !$0.sqlDifferences.isEmpty }
      }
    }
    let bySets = try outcome(sqlite, asSQL: true)
    if let difference = Self.difference(bySets, try outcome(sqlite, asSQL: false)) {
      return "written mapping models by sets and by a manager differ: \(difference)"
    }
    if differs { return nil }
    return Self.difference(bySets, try outcome(memory, asSQL: false)).map {
      "written mapping models in SQLite and in memory differ: \($0)"
    }
  }

  private func directProblem(
    _ memory: Source, _ sqlite: Source, stepwise: Outcome
  ) throws -> String? {
    if models.count < 3 { return nil }
    let ends = [0, models.count - 1]
    let direct = try outcome(of: sqlite, through: ends, by: .inPlace, keeping: "direct")
    if let difference = Self.difference(
      direct, try outcome(of: memory, through: ends, by: .inPlace))
    {
      return "direct in place and direct in memory differ: \(difference)"
    }
    guard example.isComposable, case .content = direct, case .content = stepwise else { return nil }
    return Self.difference(stepwise, direct).map { "stepwise and direct differ: \($0)" }
  }

  /// Opening the result as an app does must change nothing any more.
  private func secondRunProblem() throws -> String? {
    let result = folder.appending(path: "in-place.sqlite")
    guard FileManager.default.fileExists(atPath: result.path) else { return nil }
    let before = try Data(contentsOf: result)
    let resources = MigrationResources(MigrationLibrary(models: models))
    let coordinator = PersistentStoreCoordinator(managedObjectModel: models[models.count - 1])
    let store = try coordinator.addPersistentStore(
      type: .sqlite, at: result,
      options: [
        PersistentStore.Option.migratesAutomatically: true,
        PersistentStore.Option.infersMapping: true,
        PersistentStore.Option.migrationResources: resources,
      ])
    try coordinator.remove(store)
    if resources.report != nil { return "a second run migrates again" }
    return try Data(contentsOf: result) == before ? nil : "a second run changes the store"
  }

  private static func difference(_ a: Outcome, _ b: Outcome) -> String? {
    switch (a, b) {
    case (.content(let a), .content(let b)): a.difference(from: b)
    case (.error(let a), .error(let b)): a == b ? nil : "\(a) / \(b)"
    case (.content, .error(let error)): "no error / \(error)"
    case (.error(let error), .content): "\(error) / no error"
    }
  }

  // MARK: Chains

  private func outcome(
    of source: Source, through versions: [Int], by method: MigrationMethod,
    keeping name: String = "scratch", changing change: (inout MigrationChain) -> Void = { _ in },
    seeing see: (ChainReport) -> Void = { _ in }
  ) throws -> Outcome {
    let steps = zip(versions, versions.dropFirst()).map {
      MigrationStep(from: models[$0], to: models[$1])
    }
    var chain = MigrationChain(steps: steps)
    chain.recordsOrigins = true
    chain.lightweightMethod = method
    change(&chain)
    let factory: any StoreFactory =
      source.backend == .memory
      ? InMemoryStoreFactory()
      : SQLiteStoreFactory(destination: folder.appending(path: "\(name).sqlite"))
    let (store, report) = chain.run(from: source.store, into: factory)
    see(report)
    if let failure = report.failure { return .error(Self.text(of: failure)) }
    guard let store else { return .error("no store") }
    let content = try ProofContent(of: store) { key in
      if !chain.recordsOrigins { return "\(key.entity) \(key.primaryKey)" }
      return report.sources(of: key).compactMap { source.names[$0] }.joined(separator: "+")
    }
    try store.close()
    return .content(content)
  }

  private static func text(of failure: ChainFailure) -> String {
    guard let error = failure.error as? CoreDataError else { return "\(failure)" }
    let cause = (error.underlying as? CoreDataError).map { " because \($0.code.rawValue)" } ?? ""
    return "\(error.code.rawValue)\(cause) at \(failure.place.step ?? "?") "
      + "\(error.place.entity ?? "")"
  }

  // MARK: The source

  private struct Source {
    let backend: Backend
    let store: PersistentStore
    /// Rows by the key they have.
    var names: [MigrationOrigins.ObjectKey: String] = [:]

    init(_ backend: Backend, _ run: ProofRun) throws {
      self.backend = backend
      store =
        backend == .memory
        ? InMemoryStore(model: run.models[0])
        : try SQLiteStore.create(
          at: run.folder.appending(path: "source.sqlite"), model: run.models[0])
      let context = ManagedObjectContext(on: store)
      let objects = run.example.rows.map { context.insert($0.entity) }
      for (row, object) in zip(run.example.rows, objects) {
        for (key, value) in row.values { object.setValue(value.boxed, forKey: key) }
      }
      for (row, object) in zip(run.example.rows, objects) {
        for (key, ends) in row.links.sorted(by: { $0.key < $1.key }) {
          object.setLinks(ends.map { objects[$0] }, forKey: key)
        }
      }
      try context.save()
      for (number, object) in objects.enumerated() {
        names[MigrationOrigins.ObjectKey(object.objectID)] = "r\(number)"
      }
    }
  }
}

extension MigrationStep {
  /// The step with a mapping model that says what inference would.
  func mapped() -> MigrationStep {
    let inferred = try? MappingModel.inferredMappingModel(
      forSourceModel: sourceModel, destinationModel: destinationModel)
    var step = self
    step.mappings = inferred.map { [MappingCandidate(name: "mapped", model: $0)] } ?? []
    return step
  }
}

extension ManagedObject {
  fileprivate func setLinks(_ ends: [ManagedObject], forKey key: String) {
    guard let relationship = entity.relationship(named: key) else { return }
    if !relationship.isToMany {
      setValue(ends.first, forKey: key)
    } else if relationship.isOrdered {
      setValue(NSOrderedSet(array: ends), forKey: key)
    } else {
      setValue(Set(ends), forKey: key)
    }
  }
}
