/// What a smoke test reads: a model, its mapping models and the policies that they name.
///
/// Sendable unchecked: its mapping models are read alone.
struct SmokeFiles: @unchecked Sendable {
  let model: VersionedModel
  let mappings: MappingFolder
  let policies: StepPolicies
  /// What `check` finds in them, with what was accepted.
  let check: ModelCheckReport
  let target: ManagedObjectModel
  /// How the app goes, where the project file says it.
  let way: MigrationWay?

  /// - Throws: What is wrong in the files.
  init(_ files: MigrationFiles, to target: String?) throws {
    let input = try files.input()
    (model, mappings) = (input.model, input.mappings)
    way = ProjectFile.migration(ofModelAt: files.models)
    self.target =
      if let target {
        try model.requireVersion(target, of: "--to")
      } else {
        try model.requiredCurrentVersion()
      }
    // Without a file for one of its steps the test would be of something else; it may say the order, too.
    try mappings.checkUnreadable(
      for: model, among: Self.versions(of: model, upTo: self.target), passesOverUnnamed: false)
    if let refusal = model.order.refusal(through: model.versions.map(\.shownName)) {
      throw Diagnostics(file: model.url.relativePath, "\(refusal)")
    }
    let classes = mappings.candidates.policyClasses.filter { !$0.isEmpty }
    policies = try StepPolicies(
      of: classes, given: files.policies, module: files.module, stubs: files.stubs,
      below: ModelHome(ofModelAt: files.models).folder)
    try files.stubs.requirePolicies(policies.sources)
    check = try ModelCheck(model, mappings: mappings).run()
  }

  /// The versions up to the last, the oldest first.
  var versions: [ManagedObjectModel] { Self.versions(of: model, upTo: target) }

  private static func versions(
    of model: VersionedModel, upTo target: ManagedObjectModel
  ) -> [ManagedObjectModel] {
    let end = model.versions.firstIndex { $0 === target } ?? model.versions.count - 1
    return Array(model.versions[...end])
  }

  var steps: [(source: ManagedObjectModel, destination: ManagedObjectModel)] {
    Array(zip(versions, versions.dropFirst()))
  }

  /// The files that run in a step, or would if it could be told which.
  func fitting(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> [PlacedMapping] {
    mappings.running(from: source, to: destination)
  }

  /// The files that run in a step: all that fit where each covers other entities, else the first.
  func running(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) -> [PlacedMapping] {
    let fitting = fitting(source, destination)
    return overlap(source, destination) == nil ? fitting : Array(fitting.prefix(1))
  }

  /// Why the files that fit a step can't run together; nil where they can.
  func overlap(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel
  ) -> CoreDataError? {
    let step = MigrationStep(
      from: source, to: destination, mappings: fitting(source, destination).compactMap(\.candidate))
    guard step.mappings.count > 1 else { return nil }
    do {
      _ = try step.chooseMapping()
      return nil
    } catch { return error as? CoreDataError }
  }

  /// - Parameter takesOne: Whether Core Data takes it by itself, by one mapping file of those that fit.
  func step(
    _ source: ManagedObjectModel, _ destination: ManagedObjectModel,
    takingOne takesOne: Bool = false
  ) -> SmokeScenario.Step {
    let running =
      takesOne
      ? mappings.running(from: source, to: destination, takingOne: true)
      : running(source, destination)
    return SmokeScenario.Step(
      source: source.shownName, destination: destination.shownName,
      mappings: running.map(\.file.url))
  }

  /// A scenario of steps, without rows.
  func scenario(_ steps: [SmokeScenario.Step]) -> SmokeScenario {
    var scenario = SmokeScenario(model: model.url, rows: [], steps: steps)
    let files = Set(steps.flatMap(\.mappings))
    let own = mappings.mappings.filter { files.contains($0.file.url) }.compactMap(\.candidate)
    guard own.policyClasses.contains(where: { !$0.isEmpty }), let module = policies.module else {
      return scenario
    }
    scenario.policies = policies.sources
    scenario.module = module
    scenario.stubs = Dictionary(
      policies.stubs.modules.map { ($0.name, $0.files) }, uniquingKeysWith: { $0 + $1 })
    return scenario
  }
}
