extension MigrationStep {
  /// The step as the scenario writes it.
  /// - Throws: ``Diagnostics`` for a stage's handler that isn't among the policies' functions.
  package init(_ step: ChainStep, in scenario: CheckedScenario, _ policies: any PolicyProvider)
    throws
  {
    let own = step.ends.value
    let made = step.madeFor?.value ?? own
    let ends = try (scenario.model(made.source), scenario.model(made.destination))
    var mappings = try scenario.mappings(of: step).map {
      try $0.candidate(from: ends.0, to: ends.1)
    }
    if let mutation = scenario.mutation {
      try mutation.apply(to: &mappings, of: own, madeFor: made, in: scenario)
    }
    self.init(
      from: try scenario.model(own.source), to: try scenario.model(own.destination),
      mappings: mappings, name: own.description)
    infersMapping = step.infersMapping
    hasModelsInCode = scenario.scenario.hasModelsInCode
    migratesRemovedRoots = scenario.scenario.targetOS?.migratesRemovedRoots
    secondPass = step.secondPass
    let models = scenario.models
    modelName = { models.name(of: $0) ?? "\($0)" }
    way = try Self.way(of: step, in: scenario, policies)
    if let notation = scenario.scenario.manager(of: step), step.stages == nil {
      try setUp(notation, of: policies)
    }
    // None of them runs, but a device may come upon them.
    if case .staged = way { self.mappings = scenario.mappingsBesideModels }
  }

  private static func way(
    of step: ChainStep, in scenario: CheckedScenario, _ policies: any PolicyProvider
  ) throws -> Way {
    // A stage's handler that isn't there is told of in any case.
    let stages = try step.stages.map { notation in
      guard let name = notation.factory else {
        return try StagedMigrationManager(notation, in: scenario, policies)
      }
      return try scenario.stagedManager(name, for: step.ends.value, among: policies)
    }
    if !step.migratesAutomatically { return .notAllowed }
    if let stages { return .staged(stages) }
    if step.isDirect { return .direct }
    return .opening
  }

  /// Has the app's own migration manager run the step.
  /// - Throws: ``Diagnostics`` for a class that isn't there, or can't be used in a step.
  package mutating func setUp(
    _ notation: ManagerNotation, of policies: any PolicyProvider
  ) throws {
    let own = try notation.className.map { try policies.manager(named: $0) }
    manager = ManagerSetup(make: own?.make, userInfo: try notation.userInfo)
    // A subclass makes objects of an inferred mapping, too.
    let isInPlace = own == nil && notation.usesStoreSpecificMigrationManager
    switch way {
    case .opening, .stepwise: way = .manager(usesStoreSpecificMigrationManager: isInPlace)
    case .staged, .manager, .direct, .notAllowed: break
    }
  }
}

extension PolicyProvider {
  fileprivate func manager(named name: Located<String>) throws -> MigrationManagerClass {
    func refusal(_ text: String) -> Diagnostics { Diagnostics(text, at: name.place) }
    guard let found = managers[name.value] else {
      let hint = Spelling.hint(for: name.value, among: Array(managers.keys), called: "managers")
      throw refusal(
        "among the policies there is no class '\(name.value)' that is a migration manager and has "
          + "init(sourceModel:destinationModel:)\(hint)")
    }
    guard let method = found.ownMigration else { return found }
    throw refusal(
      "'\(name.value)' migrates by its own \(method), which a step of a chain doesn't call; such a class can be tried "
        + "by the app's own code only: see docs/names.md")
  }
}

extension CheckedScenario {
  /// The app's own manager, made of the two versions of a step, or of all from the one to the other.
  fileprivate func stagedManager(
    _ name: Located<String>, for ends: StepEnds, among policies: any PolicyProvider
  ) throws -> StagedMigrationManager {
    func refusal(_ text: String) -> Diagnostics { Diagnostics(text, at: name.place) }
    guard let maker = policies.stagedManagers[name.value] else {
      let hint = Spelling.hint(
        for: name.value, among: Array(policies.stagedManagers.keys), called: "such functions")
      throw refusal(
        "there is no function '\(name.value)' that makes a staged migration manager, of references to models or of "
          + "nothing\(hint)")
    }
    let names = models.names
    let first = names.firstIndex(of: scenario.chain.first?.ends.value.source ?? ends.source) ?? 0
    let last = names.firstIndex(of: ends.destination) ?? names.count - 1
    let all = first <= last ? Array(names[first...last]) : []
    let wanted = [[], [ends.source, ends.destination], all].first { $0.count == maker.modelCount }
    guard let wanted else {
      throw refusal(
        "'\(name.value)' takes \(maker.modelCount) models, and from '\(ends.source)' to '\(ends.destination)' there are "
          + "\(all.count)")
    }
    return try ExceptionTrap.catching { try maker.make(try wanted.map { try model($0) }) }
  }
}

extension StagedMigrationManager {
  /// The stages as the scenario writes them.
  convenience init(
    _ notation: StagesNotation, in scenario: CheckedScenario, _ policies: any PolicyProvider
  ) throws {
    self.init(try notation.stages.map { try MigrationStage.make($0, in: scenario, policies) })
    visitsEachVersion = notation.passesEachVersion
    modelsOnTheWay = try notation.stages.flatMap(\.versions).map { try scenario.model($0.value) }
  }
}

extension MigrationStage {
  fileprivate static func make(
    _ notation: StageNotation, in scenario: CheckedScenario, _ policies: any PolicyProvider
  ) throws -> MigrationStage {
    switch notation {
    case .lightweight(let versions):
      return LightweightMigrationStage(
        try versions.map { try scenario.model($0.value).versionChecksum })
    case .custom(let custom):
      let stage = CustomMigrationStage(
        migratingFrom: .init(try scenario.model(custom.ends.value.source)),
        to: .init(try scenario.model(custom.ends.value.destination)))
      stage.label = custom.label
      stage.willMigrateHandler = try custom.will.map { try handler($0, policies) }
      stage.didMigrateHandler = try custom.did.map { try handler($0, policies) }
      return stage
    }
  }

  private static func handler(
    _ name: Located<String>, _ policies: any PolicyProvider
  ) throws -> CustomMigrationStage.Handler {
    if let handler = policies.stageHandler(named: name.value) { return handler }
    let hint = Spelling.hint(
      for: name.value, among: policies.stageHandlerNames, called: "functions for stages")
    throw Diagnostics(
      "there is no function '\(name.value)' that takes a staged migration manager and a custom "
        + "stage\(hint)", at: name.place)
  }
}

extension ManagedObjectModelReference {
  fileprivate convenience init(_ model: ManagedObjectModel) {
    self.init(model: model, versionChecksum: model.versionChecksum)
  }
}
