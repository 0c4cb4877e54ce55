/// Finds a scenario's names in its models and reads its values, and reports everything that is wrong.
package struct ScenarioChecker {
  package let scenario: Scenario
  package let models: VersionedModels
  package let collector: DiagnosticCollector
  /// The store whose version says where the run starts, if it does.
  let foundStore: FoundStore?
  /// The version that a later release of the app brought, while its steps are checked.
  var released: String?
  /// The versions that runs start from, once they are known.
  private(set) var starts: [String] = []

  init(scenario: Scenario, models: VersionedModels, collector: DiagnosticCollector) {
    self.scenario = scenario
    self.models = models
    self.collector = collector
    foundStore = FoundStore(of: scenario, among: models)
  }

  /// - Returns: The scenario, of use only where nothing was reported.
  mutating func resolveAll() -> CheckedScenario {
    let mappings = resolveChain()
    starts = checkStarts()
    checkPolicies()
    if let device = scenario.device { checkFile(device) }
    var names = LocalNames()
    var seeds: [String: ResolvedSeed] = [:]
    for seed in scenario.seeds {
      seeds.merge(resolve(seed, starts: starts, into: &names)) { first, _ in first }
    }
    checkDefaults()
    let expectations = scenario.expectations.map { resolve($0, names: names) }
    var later = self
    let actions = scenario.then.map { later.resolve($0, names: &names) }
    checkLastChange()
    for expectation in scenario.expectations {
      expectation.check.checkReach(
        by: self, from: starts.filter(expectation.isWanted), at: expectation.place)
    }
    checkReach(from: starts)
    return CheckedScenario(
      scenario: scenario, models: models, starts: starts, seeds: seeds, mappings: mappings,
      expectations: expectations, actions: actions)
  }

  /// The versions that expectations without `at`, and steps, are about: one, unless several starts stay
  /// where they are.
  var finalVersions: [String] {
    if let version = released ?? scenario.chain.last?.ends.value.destination { return [version] }
    return starts
  }

  // MARK: Versions

  /// The model of a version, or a report that there is none.
  package func model(_ version: Located<String>) -> ManagedObjectModel? {
    if let model = models[version.value] { return model }
    if let problem = models.unreadable[version.value] {
      collector.report("\(problem)", at: version.place)
      return nil
    }
    collector.report(
      "there is no version", unknown: version, among: models.names, called: "versions")
    return nil
  }

  /// The models at both ends of a step.
  package func models(of ends: Located<StepEnds>) -> (
    source: ManagedObjectModel, destination: ManagedObjectModel
  )? {
    let source = model(Located(ends.value.source, at: ends.place))
    let destination = model(Located(ends.value.destination, at: ends.place))
    guard let source, let destination else { return nil }
    return (source, destination)
  }

  // MARK: Policies

  private func checkPolicies() {
    checkModuleNames()
    for module in scenario.policies.flatMap({ $0.stubs + [$0] }) {
      for source in module.sources where !source.value.contains("*") {
        checkFile(source)
      }
    }
  }

  /// A module is compiled once. Stubs that several modules name alike are the same.
  private func checkModuleNames() {
    var stubs: [String: PolicyModule] = [:]
    var modules: Set<String> = []
    for module in scenario.policies {
      for stub in module.stubs {
        let name = stub.name.value
        if ["CoreData", "Foundation"].contains(name) {
          collector.report("\(name) is available, and needs no stub", at: stub.name.place)
        }
        let files = stub.sources.map(\.value)
        if modules.contains(name) || stubs[name].map({ $0.sources.map(\.value) != files }) == true {
          collector.report("the module '\(name)' is given twice", at: stub.name.place)
        }
        stubs[name] = stub
      }
      let name = module.name.value
      if stubs[name] != nil || !modules.insert(name).inserted {
        collector.report("the module '\(name)' is given twice", at: module.name.place)
      }
    }
  }

  /// Reports a file that isn't there, or is none: reading a pipe would never end.
  func checkFile(_ path: Located<String>) {
    _ = collector.isFile(path, in: scenario.folder)
  }
}

extension DiagnosticCollector {
  /// Whether there is a file beside a scenario; if not, that is reported.
  func isFile(_ path: Located<String>, in folder: URL) -> Bool {
    switch FileKind(of: folder.resolving(path.value)) {
    case .file: return true
    case .missing:
      report(
        Diagnostic(
          "there is no file '\(path.value)' beside the scenario", at: path.place,
          isMissingFile: true))
    case .folder: report("'\(path.value)' is a folder, not a file", at: path.place)
    case .other: report("'\(path.value)' isn't an ordinary file", at: path.place)
    }
    return false
  }
}
