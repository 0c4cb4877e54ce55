/// A scenario whose names and values fit its models: ready to run.
package struct CheckedScenario: Sendable {
  package let scenario: Scenario
  package let models: VersionedModels
  /// The versions to start from, in the order of the runs.
  package let starts: [String]
  /// The first derived attribute of a version that is passed, as in `'v2', whose Order.total is derived`.
  private(set) var derivedAttribute: String?

  package init(scenario: Scenario, models: VersionedModels, starts: [String]) {
    self.scenario = scenario
    self.models = models
    self.starts = starts
    derivedAttribute = findDerivedAttribute()
  }

  /// Reads and checks a scenario file.
  /// - Parameter path: The path to show in messages; the file's own by default.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func load(
    contentsOf url: URL, shownAs path: String? = nil, kinds: [any ExpectationKind.Type]
  ) throws -> Self {
    let file = try SourceFile(contentsOf: url, shownAs: path)
    return try check(ScenarioReader.read(file, in: url.deletingLastPathComponent(), kinds: kinds))
  }

  /// Loads the models of a scenario and checks everything in it against them.
  package static func check(_ scenario: Scenario) throws -> Self {
    let collector = DiagnosticCollector()
    let models = ModelLoader(folder: scenario.folder, collector: collector).load(scenario.models)
    // With broken models every name would be reported as unknown.
    try collector.throwIfAny()
    let scenario = ModelHome.completed(scenario.spelledOut(models, collector), models)
    let checker = ScenarioChecker(scenario: scenario, models: models, collector: collector)
    let starts = checker.checkAll()
    try collector.throwIfAny()
    let checked = Self(scenario: scenario, models: models, starts: starts)
    if checked.backends.isEmpty {
      collector.report(
        "'backends' leaves nothing to play: \(checked.notes.joined())", at: scenario.title.place)
      try collector.throwIfAny()
    }
    return checked
  }
}

extension CheckedScenario {
  /// The steps that lead from a start to the end of the chain.
  package func steps(from start: String) -> [ChainStep] { scenario.steps(from: start) }

  /// The version at the end of the chain.
  package func finalVersion(from start: String) -> String {
    scenario.chain.last?.hop.value.destination ?? start
  }

  /// The version at the end of a run: that of the last release that was started, else the chain's.
  package func versionAtEnd(from start: String) -> String {
    scenario.laterReleases.compactMap(\.versions.last?.value).last ?? finalVersion(from: start)
  }

  /// What is in the store at a start.
  package func seed(for start: String) -> Seed? { scenario.seed(for: start) }

  /// The model of a version that the scenario was checked to have.
  package func model(_ version: String) throws -> ManagedObjectModel {
    guard let model = models[version] else {
      throw Diagnostics([Diagnostic(file: scenario.file.path, "there is no version '\(version)'")])
    }
    return model
  }
}

extension Scenario {
  /// The releases of the app that are started after the chain.
  var laterReleases: [Action.Release] {
    then.compactMap { if case .start(let release) = $0.kind { release } else { nil } }
  }

  /// The seed of a start: its own, else the one without a version.
  func seed(for start: String) -> Seed? {
    seeds.first { $0.version?.value == start } ?? seeds.first { $0.version == nil }
  }
}
