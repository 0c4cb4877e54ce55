/// A scenario whose names and values fit its models: ready to run.
///
/// All that it says of objects was found in the models and read once: entities and properties as
/// descriptions, values by their types, predicates and expressions parsed.
package struct CheckedScenario: Sendable {
  /// The scenario as its file states it.
  package private(set) var scenario: Scenario
  package let models: VersionedModels
  /// The versions to start from, in the order of the runs.
  package let starts: [String]
  /// By start, what is in the store.
  private(set) var seeds: [String: ResolvedSeed]
  /// By step of the chain, its mapping models.
  let mappings: [[ResolvedMapping]]
  package let expectations: [ResolvedExpectation]
  /// What is done after the chain.
  package let actions: [ResolvedAction]
  /// The first derived attribute of a version that is passed, as in `'v2', whose Order.total is derived`.
  private(set) var derivedAttribute: String?
  /// The deliberate fault that was made in it; nil for a scenario as it is.
  package internal(set) var mutation: Mutation?
  /// The models as they were before a fault was made in one.
  package internal(set) var modelsBeforeMutation: VersionedModels?

  init(
    scenario: Scenario, models: VersionedModels, starts: [String], seeds: [String: ResolvedSeed],
    mappings: [[ResolvedMapping]], expectations: [ResolvedExpectation], actions: [ResolvedAction]
  ) {
    self.scenario = scenario
    self.models = models
    self.starts = starts
    self.seeds = seeds
    self.mappings = mappings
    self.expectations = expectations
    self.actions = actions
    derivedAttribute = findDerivedAttribute()
  }

  /// Reads and checks the scenarios of a file.
  /// - Parameters:
  ///   - path: The path to show in messages; the file's own by default.
  ///   - number: Which one of the file's scenarios; nil for all.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func loadAll(
    contentsOf url: URL, shownAs path: String? = nil, number: Int? = nil
  ) throws -> [Self] {
    let file = try SourceFile(contentsOf: url, shownAs: path)
    return try checkAll(
      ScenarioReader.readAll(file, in: url.deletingLastPathComponent(), number: number))
  }

  /// Reads and checks the scenarios at an address: one, or all of a file.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func loadAll(at address: ScenarioAddress) throws -> [Self] {
    try loadAll(
      contentsOf: URL(fileURLWithPath: address.path), shownAs: address.path,
      number: address.number)
  }

  /// Reads and checks the only scenario at an address.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it; also when
  ///   the file has several and the address names none.
  package static func load(at address: ScenarioAddress) throws -> Self {
    try load(
      contentsOf: URL(fileURLWithPath: address.path), shownAs: address.path,
      number: address.number)
  }

  /// Checks the scenarios of a file; what is wrong with several is told once.
  package static func checkAll(_ scenarios: [Scenario]) throws -> [Self] {
    var checked: [Self] = []
    var wrong: [(document: Int, row: TableRow?, diagnostics: [Diagnostic])] = []
    for scenario in scenarios {
      do {
        checked.append(try check(scenario))
        wrong.append((scenario.document, scenario.row, []))
      } catch let problems as Diagnostics {
        wrong.append((scenario.document, scenario.row, problems.all))
      }
    }
    if wrong.contains(where: { !$0.diagnostics.isEmpty }) { throw Diagnostics(of: wrong) }
    return checked
  }

  /// Reads and checks a file's only scenario, or the one of a number.
  /// - Parameters:
  ///   - path: The path to show in messages; the file's own by default.
  ///   - folder: What paths in it are relative to; the file's own folder by default.
  /// - Throws: ``Diagnostics`` with everything that is wrong in the file, or missing beside it.
  package static func load(
    contentsOf url: URL, shownAs path: String? = nil, number: Int? = nil, pathsIn folder: URL? = nil
  ) throws -> Self {
    if let number { return try loadAll(contentsOf: url, shownAs: path, number: number)[0] }
    let file = try SourceFile(contentsOf: url, shownAs: path)
    let home = url.deletingLastPathComponent()
    var checked = try check(ScenarioReader.read(file, in: folder ?? home))
    if folder != nil { checked.scenario.elsewhere = url }
    return checked
  }

  /// Loads the models of a scenario and checks everything in it against them.
  package static func check(_ scenario: Scenario) throws -> Self {
    let models = ModelHome.ordered(try scenario.loadModels(), for: scenario)
    let collector = DiagnosticCollector()
    let whole = EveryVersion(scenario: scenario, models: models, collector: collector).spelledOut()
    let scenario = ModelHome.completed(whole.spelledOut(models, collector), models)
    var checker = ScenarioChecker(scenario: scenario, models: models, collector: collector)
    let checked = checker.resolveAll()
    try collector.throwIfAny()
    checked.reportSharedTables(to: collector)
    try collector.throwIfAny()
    if checked.backends.isEmpty {
      collector.report(
        "'backends' leaves nothing to run: \(checked.notes.joined())", at: scenario.title.place)
      try collector.throwIfAny()
    }
    return checked
  }
}

extension CheckedScenario {
  /// The steps that lead from a start to the end of the chain.
  package func steps(from start: String) -> [ChainStep] { scenario.steps(from: start) }

  /// Those that have to be executed: between equal versions, a step that nobody wrote is none.
  func stepsToExecute(from start: String) -> [ChainStep] {
    steps(from: start).filter { step in
      scenario.route == nil
        || models[step.ends.value.source]?.entityVersionHashesByName
          != models[step.ends.value.destination]?.entityVersionHashesByName
    }
  }

  /// The version at the end of the chain.
  package func finalVersion(from start: String) -> String {
    scenario.chain.last?.ends.value.destination ?? start
  }

  /// The version at the end of a run: that of the last release that was started, else the chain's.
  package func versionAtEnd(from start: String) -> String {
    scenario.laterReleases.compactMap(\.versions.last?.value).last ?? finalVersion(from: start)
  }

  /// What is in the store at a start; nil where it is empty.
  package func seed(for start: String) -> ResolvedSeed? { seeds[start] }

  /// The mapping models of a step of the chain; none for one that isn't of the chain.
  package func mappings(of step: ChainStep) -> [ResolvedMapping] {
    let places = scenario.chain.indices.filter { scenario.chain[$0].isSameStep(as: step) }
    // The steps of a direct chain stand at one place, and lead to one version.
    let index = places.first { scenario.chain[$0].ends.value == step.ends.value } ?? places.first
    return index.map { mappings[$0] } ?? []
  }

  /// The scenario with about `count` objects made by rule in each seed, in the seed's proportions.
  /// Rows written by hand, extremes and violations stay as many as they are.
  /// - Throws: ``Diagnostics`` for rules that so many objects can't follow.
  package func scaled(to count: Int) throws -> CheckedScenario {
    let collector = DiagnosticCollector()
    let scaled = CheckedScenario(
      scenario: scenario.scaled(to: count), models: models, starts: starts,
      seeds: Dictionary(
        uniqueKeysWithValues: seeds.map { start, seed in
          (start, scaledSeed(seed, from: start, to: count, collector: collector))
        }), mappings: mappings, expectations: expectations, actions: actions)
    try collector.throwIfAny()
    return scaled
  }

  private func scaledSeed(
    _ seed: ResolvedSeed, from start: String, to count: Int, collector: DiagnosticCollector
  ) -> ResolvedSeed {
    guard seed.plan != nil, let model = models[start],
      let written = scenario.seed(for: start)?.scaled(to: count)
    else { return seed }
    let plan = SeedPlan(
      written, beside: seed.rows, version: start, model: model, collector: collector)
    return ResolvedSeed(content: .rows(seed.rows, plan), isValidated: seed.isValidated)
  }

  /// The model of a version that the scenario was checked to have.
  package func model(_ version: String) throws -> ManagedObjectModel {
    guard let model = models[version] else {
      throw Diagnostics(file: scenario.file.path, "there is no version '\(version)'")
    }
    return model
  }
}

extension Scenario {
  /// Loads the models of all versions.
  /// - Throws: ``Diagnostics`` for those that are wrong, or aren't there. With broken models every name would
  ///   be reported as unknown.
  package func loadModels() throws -> VersionedModels {
    let collector = DiagnosticCollector()
    let loader = ModelLoader(folder: folder, collector: collector)
    let models = loader.load(self.models)
    for case .inline(let versions, let place) in unusedModels where !versions.isEmpty {
      _ = loader.load(.inline(versions, place: place))
    }
    try collector.throwIfAny()
    return models
  }

  /// The releases of the app that are started after the chain.
  var laterReleases: [Action.Release] {
    then.compactMap { if case .start(let release) = $0.kind { release } else { nil } }
  }

  /// The seed of a start: its own, else the one without a version.
  package func seed(for start: String) -> Seed? {
    seeds.first { $0.version?.value == start } ?? seeds.first { $0.version == nil }
  }
}
