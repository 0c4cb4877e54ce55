/// The files an app's migrations are made of.
package struct MigrationFiles: Codable, Sendable {
  /// The `.xcdatamodeld`.
  package var models: URL
  /// `.xcmappingmodel`s and folders of them; those for the same step run in this order.
  package var mappings: [URL] = []
  /// The app's policies in Swift.
  package var policies: [URL] = []
  /// The app's module, by which mapping models name the policies.
  package var module: String?
  /// Stand-ins for modules that the policies import.
  package var stubs: [StubFile] = []
  /// The order of the versions, where a person says it.
  package var order: GivenOrder?
  /// Whether the policies beside the model are taken where none are given.
  var findsPolicies = true
  /// The folder in which all of these are, where that isn't the person's own: a commit's, say.
  var root: URL?
}

extension MigrationFiles {
  /// - Throws: As ``ModelInput``'s.
  func input() throws -> ModelInput {
    try ModelInput(models: [models], mappings: mappings, order: order)
  }

  /// What a migration by these files reads.
  /// - Throws: When a folder can't be searched; `SandboxError` for a file that isn't in their project.
  func filesForSandbox() throws -> SandboxFiles {
    let given = stubs.map { URL(fileURLWithPath: $0.path) } + [order?.file].compactMap(\.self)
    // A project file may be anybody's, and the paths in it.
    let named = root == nil ? [ProjectFile.current?.url].compactMap(\.self) : given
    var files = SandboxFiles(
      around: root == nil && named.isEmpty ? [models] + mappings + policies + given : named)
    if let root { files.name(folder: root) }
    try files.readModel(models)
    try files.readMappings(mappings)
    for file in policies + given { try files.read(file) }
    return files
  }
}

/// The way through the versions of an app's model.
package struct ModelRouteFinder: RouteFinder {
  /// Which versions a store passes.
  package enum Path: Codable, Sendable {
    /// Every version between its own and the target.
    case stepwise
    /// None: one step, as Core Data does itself when an app opens the store.
    case direct

    /// The one that was asked for, else the one that the app takes, as the project says.
    init(isDirect: Bool, forModelAt models: URL) {
      self =
        isDirect || ProjectFile.migration(ofModelAt: models) == .automatic ? .direct : .stepwise
    }

    var other: Path { self == .direct ? .stepwise : .direct }
  }

  private(set) var model: VersionedModel
  let target: ManagedObjectModel
  private(set) var path: Path
  /// Whether a store that fits no version is migrated from the model that it keeps of itself.
  var takesStoreModel = false
  let mappings: MappingFolder
  let policies: any PolicyProvider
  /// What was found or passed over without being asked for.
  private(set) var notes: [String] = []
  /// Whether a mapping file may be left out: because somebody says so, or since nobody named it.
  private let allowsUnusedMappings: Bool

  /// Loads models and mapping models, and compiles the policies.
  /// - Parameters:
  ///   - target: The name of the version to end with; nil for the current one.
  ///   - allowsUnusedMappings: Whether a mapping file between the store's version and the target may be
  ///     left out. Otherwise nothing is migrated.
  /// - Throws: `ModelFileError`, `MappingFileError`, ``Diagnostics`` or ``PolicyCompilationError``
  ///   for what is wrong in the files.
  package init(
    _ files: MigrationFiles, to target: String? = nil, path: Path = .stepwise,
    allowsUnusedMappings: Bool = false, compiler: PolicyCompiler = PolicyCompiler()
  ) async throws {
    let input = try files.input()
    model = input.model
    self.target = try Self.target(target, in: input.model)
    self.path = path
    let isGiven = !files.mappings.isEmpty
    // Of those that are only there Core Data passes over what doesn't fit; so do the steps.
    self.allowsUnusedMappings = allowsUnusedMappings || !isGiven
    mappings = input.mappings
    if !self.allowsUnusedMappings { try mappings.checkNamedVersions() }
    notes = model.passedOverNotes + mappings.notes(areGiven: isGiven)
    if target == nil, model.currentVersionIsAssumed {
      notes.append("migrates to \(self.target.shownName), the newest of the stores' versions")
    }
    guard let module = files.module, !files.policies.isEmpty else {
      guard files.findsPolicies else {
        policies = PolicyRegistry()
        return
      }
      let beside = try PoliciesBeside(model, for: mappings)
      notes += beside.notes
      policies = await beside.compiled(by: compiler, stubs: files.stubs)
      return
    }
    policies = try await compiler.library(
      of: files.policies, module: module, stubs: files.stubs)
  }

  /// Loads models and mapping models alone, for who runs nothing.
  /// - Throws: `ModelFileError`, `MappingFileError` or ``Diagnostics`` for what is wrong in the files.
  init(reading files: MigrationFiles, to target: String?) throws {
    let input = try files.input()
    model = input.model
    self.target = try Self.target(target, in: input.model)
    path = .stepwise
    allowsUnusedMappings = true
    mappings = input.mappings
    policies = PolicyRegistry()
  }

  /// The sources of the policies that a migration may run: those that were given, else those beside the
  /// model.
  /// - Throws: What is wrong with the model, the mapping models or the target.
  static func policies(
    of files: MigrationFiles, to target: String?
  ) throws -> StepPolicies {
    let input = try files.input()
    _ = try Self.target(target, in: input.model)
    if files.policies.isEmpty && files.findsPolicies {
      return try PoliciesBeside(input.model, for: input.mappings).found
    }
    return try StepPolicies(
      of: [], given: files.policies, module: files.module, stubs: files.stubs, below: files.models)
  }

  private static func target(
    _ name: String?, in model: VersionedModel
  ) throws -> ManagedObjectModel {
    // What Xcode takes where nothing says so is no ground to change a store on; of stores the newest is known.
    let isKnown = !model.currentVersionIsAssumed || StoreModel.holdsStores(model.url)
    let current = isKnown ? model.currentVersion : nil
    if let found = name.map(model.version(named:)) ?? current { return found }
    if let problem = name.flatMap({ model.unreadableVersions[$0] }) { throw problem }
    if let problem = model.currentVersionProblem, name == nil { throw problem }
    let names = model.versions.compactMap(\.name)
    let message =
      name.map {
        "there is no version '\($0)'" + Spelling.hint(for: $0, among: names, called: "versions")
      } ?? "the model doesn't say which version is the current one; name one with --to"
    throw Diagnostics(file: model.url.relativePath, message)
  }

  package func route(forStoreWith metadata: [String: Any]) throws -> MigrationRoute {
    let part = try part(forStoreWith: metadata)
    let source = try part.versions.model(for: metadata)
    let fitting = part.versions.filter {
      $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }
    let steps = try steps(in: part, from: source, forStoreWith: metadata)
    let way = ModelWay(steps, in: model)
    var route = MigrationRoute(
      versions: fitting.map(\.shownName), configuration: part.configuration,
      source: steps.first?.sourceModel ?? source, target: target.shownName,
      chain: MigrationChain(steps: steps, policies: policies))
    route.unusedMappings = way.unused(of: mappings)
    route.refusal = refusal(of: way) ?? refusal(for: route.unusedMappings)
    return route
  }

  /// One step from the model that a store keeps of itself, as opening the store takes it.
  func route(
    from own: ManagedObjectModel, ofStoreWith metadata: [String: Any]
  ) throws -> MigrationRoute {
    // Others have the same model under other names.
    let source = try ManagedObjectModel(byMerging: [own], name: "the store's own model")
    var finder = self
    finder.model = VersionedModel(
      name: model.name, url: model.url, versions: [source, target], currentVersionName: target.name)
    finder.path = .direct
    var route = try finder.route(forStoreWith: metadata)
    (route.versions, route.isFromStoreModel) = ([], true)
    for index in route.chain.steps.indices { route.chain.steps[index].doubts = [.storeModel] }
    return route
  }

  /// One step asks for no order.
  private func refusal(of way: ModelWay) -> RouteRefusal? {
    path == .direct || way.steps.isEmpty
      ? nil : model.order.refusal(through: way.versions.map(\.shownName))
  }

  private func refusal(for unused: [UnusedMapping]) -> RouteRefusal? {
    let meant = unused.filter(\.isMeant)
    if meant.isEmpty || allowsUnusedMappings { return nil }
    let way = path == .direct ? "version by version" : "in one step, with --direct"
    return RouteRefusal(
      reason: .unusedMappings, problems: meant.map { "mapping file not used: \($0)" },
      advice: "Leave it out, migrate \(way), or allow it: --allow-unused-mappings.")
  }

  private func steps(
    in part: VersionPart, from source: ManagedObjectModel, forStoreWith metadata: [String: Any]
  ) throws -> [MigrationStep] {
    let passed = path == .stepwise ? part.versions : [source, part.target]
    let candidates = path == .stepwise ? mappings.candidates : mappings.candidatesAsFound
    let steps = try ProgressiveMigrator(versions: passed, mappings: candidates)
      .steps(fromStoreWith: metadata, to: part.target)
    let taken = path == .stepwise ? steps : steps.map(Self.asOpening)
    return try taken.map { step in
      var step = step
      step.leavingEntities = leavingEntities(of: step)
      guard let project = ProjectFile.current else { return step }
      step.migratesRemovedRoots = project.targetOS?.migratesRemovedRoots
      if let manager = project.manager { try step.setUp(manager, of: policies) }
      return step
    }
  }

  /// The entities that the destination has outside the configuration that the store holds.
  private func leavingEntities(of step: MigrationStep) -> [String] {
    let whole = model.versions.first { $0.name == step.destinationModel.name }
    let outside = whole?.entities.filter { step.destinationModel.entity(named: $0.name) == nil }
    guard let whole, let outside, !outside.isEmpty else { return [] }
    let pairing = ElementPairing(from: step.sourceModel, to: whole)
    return outside.compactMap { pairing.source(of: $0)?.name }
  }

  /// The step as it is when an app opens the store.
  private static func asOpening(_ step: MigrationStep) -> MigrationStep {
    var step = step
    (step.way, step.takesOneMapping) = (.opening, true)
    return step
  }
}

// MARK: - Configurations

/// What of a model's versions one store holds.
private struct VersionPart {
  /// Nil for all of it.
  var configuration: String?
  /// The versions with only the configuration's entities; those without it are missing.
  var versions: [ManagedObjectModel]
  var target: ManagedObjectModel
}

extension ModelRouteFinder {
  /// All of the versions, unless it takes a configuration of one of them to fit the store.
  private func part(forStoreWith metadata: [String: Any]) throws -> VersionPart {
    let whole = VersionPart(versions: model.versions, target: target)
    let names = [nil] + Set(model.versions.flatMap(\.configurations.keys)).sorted()
    let fitting = names.first { name in
      model.versions.contains {
        $0.isConfiguration(withName: name, compatibleWithStoreMetadata: metadata)
      }
    }
    guard let name = fitting ?? nil else { return whole }
    // Versions without the configuration are no part of it.
    return VersionPart(
      configuration: name, versions: model.versions.compactMap { try? $0.part(named: name) },
      target: try target.part(named: name))
  }
}

extension VersionedModel {
  /// The versions in Xcode 3's format, which aren't among the others.
  fileprivate var passedOverNotes: [String] {
    unreadableVersions.filter { $0.value.kind == .xcode3Format }.sorted { $0.key < $1.key }.map {
      "version \($0.key) passed over: \($0.value.note)"
    }
  }
}

extension MappingFolder {
  /// - Parameter areGiven: Whether somebody named the files; otherwise they are named here.
  fileprivate func notes(areGiven: Bool) -> [String] {
    let names = mappings.filter { $0.candidate != nil && !elsewhere.contains($0.file.url) }
      .map(\.name).joined(separator: ", ")
    return (areGiven || names.isEmpty ? [] : ["mapping files found beside the model: \(names)"])
      + passedOverNotes + mappings.compactMap(\.emptinessNote)
  }
}

extension PlacedMapping {
  fileprivate var emptinessNote: String? {
    guard case .source(let file) = file, file.emptyMappingCount > 0 else { return nil }
    let count = file.emptyMappingCount.counted("entity mapping")
    return "\(name): \(count) without source and destination ignored"
  }
}
