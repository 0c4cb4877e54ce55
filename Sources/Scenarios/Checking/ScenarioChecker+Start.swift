// The versions that runs start from.

extension ScenarioChecker {
  /// - Returns: The versions to start from, in the order of the runs.
  func checkStarts() -> [String] {
    for start in scenario.starts where model(start) != nil && !versionsOnChain.isEmpty {
      if !versionsOnChain.contains(start.value) && !expectsMissingModel {
        collector.report(
          "the chain doesn't pass", unknown: start, among: Set(versionsOnChain),
          called: "its versions")
      }
    }
    if !scenario.starts.isEmpty { return scenario.starts.map(\.value) }
    let isAboutAnotherStore =
      expectsMissingModel || expectsFailure(.persistentStoreIncompatibleVersionHash)
    if let foundStore, !isAboutAnotherStore {
      if let start = start(of: foundStore) { return [start] }
      collector.report(problem(with: foundStore), at: foundStore.path.place)
    }
    if let first = scenario.chain.first { return [first.ends.value.source] }
    if !models.orderProblems.isEmpty {
      collector.report(
        "it isn't certain which version is the first: \(models.orderProblems.joined(separator: "; ")); "
          + "name it with 'start', or all in their order with 'models: { xcode: …, versions: […] }'",
        at: scenario.title.place)
    }
    return [models.names.first].compactMap { $0 }
  }

  private var versionsOnChain: [String] {
    scenario.chain.flatMap(\.versions)
  }

  /// Whether the scenario is about a store of a version that the app doesn't have.
  var expectsMissingModel: Bool { expectsFailure(.migrationMissingSourceModel) }

  private func expectsFailure(_ code: CoreDataErrorCode) -> Bool {
    scenario.expectations.contains {
      $0.check.expectedFailure?.code?.value == code.rawValue
    }
  }
}

// MARK: - The version of a store

/// A store that a scenario starts from, and what its version hashes say.
struct FoundStore {
  let path: Located<String>
  let metadata: [String: Any]
  /// The versions it fits; several when they are equal to Core Data.
  let versions: [String]

  /// The only store of a scenario that doesn't say where to start; nil where it can't be read, which
  /// is the run's failure.
  init?(of scenario: Scenario, among models: VersionedModels) {
    guard scenario.starts.isEmpty, scenario.seeds.count == 1, let seed = scenario.seeds.first,
      seed.version == nil, case .store(let path) = seed.content,
      case .file = FileKind(of: scenario.folder.resolving(path.value)),
      let metadata = try? SQLiteStore.metadata(at: scenario.folder.resolving(path.value))
    else { return nil }
    self.path = path
    self.metadata = metadata
    versions = models.names(fitting: metadata)
  }
}

extension ScenarioChecker {
  /// Where the chain takes up the store; of versions that are equal to Core Data the first there.
  func start(of store: FoundStore) -> String? {
    if versionsOnChain.isEmpty { return store.versions.first }
    return versionsOnChain.first(where: store.versions.contains)
  }

  private func problem(with store: FoundStore) -> String {
    if let version = store.versions.first {
      let chain = versionsOnChain.first.map { "; it begins with '\($0)'" } ?? ""
      return "the store is of version '\(version)', which the chain doesn't pass\(chain)"
    }
    let found = ModelIdentification(
      ofStoreWith: store.metadata, cachedModel: nil, among: models.names.compactMap { models[$0] })
    if let part = found.best, let version = models.name(of: part.model), let of = part.configuration
    {
      return
        "the store holds only the configuration '\(of)' of '\(version)', which no scenario can "
        + "start from; `heavyweight migrate` takes such stores"
    }
    guard let nearest = found.nearest, let name = models.name(of: nearest.model) else {
      return "the store matches none of the versions; it has none of their entities"
    }
    let text =
      "the store matches none of the versions; the nearest is '\(name)', which differs in: "
      + nearest.entities.joined(separator: ", ")
    // A fault of the machine is noted, and ends the command.
    guard let own = try? OwnModel(ofStoreAt: scenario.folder.resolving(store.path.value)) else {
      return text
    }
    let way =
      own.model == nil
      ? ""
      : "; take the store as a version to start with, as in 'models: { old: \(store.path.value), … }'"
    return "\(text). \(own)\(way)"
  }
}
