import ArgumentParser

/// What commands take from the project file where nothing was typed.
enum ProjectModel {
  /// - Throws: `ValidationError` when no model was typed, and the project names none.
  /// - Parameter argument: What the command has for it.
  static func require(_ typed: String?, as argument: String = "<model>") throws {
    if typed != nil || !all().isEmpty { return }
    throw ValidationError(
      "Missing expected argument '\(argument)'; a project file, \(ProjectFile.name), could name it, "
        + "too.")
  }

  /// The model that was typed, else the project's.
  /// - Throws: ``Diagnostics`` when the project has several; `ValidationError` when there is none.
  static func path(_ typed: String?) throws -> String {
    try require(typed)
    return try typed ?? ifAny() ?? ""
  }

  /// The project's model, if there is one; it is told that it is taken.
  static func ifAny() throws -> String? {
    guard let project = ProjectFile.current, let model = try project.model() else { return nil }
    return told(model)
  }

  private static func told(_ model: String) -> String {
    Console.complain("model \(model), from \(ProjectFile.current?.file.path ?? "")")
    return model
  }

  /// The model that was typed, else the one of the project's that has a store's version; the only one whatever the
  /// store is of.
  /// - Throws: As the other, for several models of which none or more than one has the version.
  static func path(_ typed: String?, ofStore store: String) throws -> String {
    let all = all()
    guard typed == nil, all.count > 1,
      let metadata = try? SQLiteStore.metadata(at: URL(fileURLWithPath: store))
    else { return try path(typed) }
    let fitting = all.filter { path in
      // One that can't be read has no version to offer.
      let model = try? VersionedModel.load(contentsOf: URL(fileURLWithPath: path))
      return model?.versions(compatibleWithStoreMetadata: metadata).isEmpty == false
    }
    return fitting.count == 1 ? told(fitting[0]) : try path(nil)
  }

  /// Whether the project says of a model that the app takes every step by itself.
  static func isProgressive(_ model: String) -> Bool {
    let way = ProjectFile.migration(ofModelAt: URL(fileURLWithPath: model))
    return way == .progressive || way == .own
  }

  /// All of the project's models.
  static func all() -> [String] {
    ProjectFile.current.map { project in project.models.map { project.path($0.value) } } ?? []
  }

  /// The mapping models that were typed, else the project's; what a list of models says of one is taken with what is
  /// found.
  static func mappings(_ typed: [String], of model: String) -> [String] {
    guard typed.isEmpty, let project = ProjectFile.current, !project.isListOfModels else {
      return typed
    }
    return project.mappingPaths
  }

  /// Does for each of the project's models what a command does for one, and reports on all in one; for the one that
  /// was typed alone.
  /// - Parameter takesOne: Whether something can be done for one model only.
  /// - Returns: The worst status.
  /// - Throws: ``Diagnostics`` for several models where it takes one; as `body` for one.
  static func each(
    _ typed: String?, takesOne: Bool = false, into outputs: CommandOutputs,
    _ body: (String) async throws -> ExitStatus
  ) async throws -> ExitStatus {
    let all = all()
    guard typed == nil, all.count > 1, ProjectFile.current?.isListOfModels == true, !takesOne
    else { return try await body(try path(typed)) }
    let gathered = GatheredReports()
    return try await GatheredReports.$current.withValue(gathered) {
      for model in all {
        // What is wrong with one keeps nobody from the others.
        do { gathered.add(try await body(told(model))) } catch let error as ValidationError {
          throw error
        } catch { gathered.add(ExitStatus(telling: error)) }
      }
      return try gathered.publish(to: outputs)
    }
  }
}

extension CommitSession.Paths {
  /// What was typed, else the project's, from the current folder: so each commit is asked for its own.
  /// - Throws: As ``ProjectModel/path(_:)``.
  init(models: String?, ofStore store: String, _ route: RouteOptions, isDirect: Bool) throws {
    let model = try ProjectModel.path(models, ofStore: store)
    self.init(models: models ?? ProjectFile.fromHere(model))
    let (mapping, policy) = (route.mapping, route.policy)
    mappings =
      mapping.mappings.isEmpty
      ? ProjectModel.mappings([], of: model).map(ProjectFile.fromHere) : mapping.mappings
    let code = ProjectCode(policy, of: model) { project in
      project.policies.map { ProjectFile.fromHere(project.path($0.value)) }
    }
    (policies, module, stubs) = (code.policies, code.module, code.stubs)
    (order, target) = (route.order.map { GivenOrder($0) }, route.to)
    path = ModelRouteFinder.Path(isDirect: isDirect, forModelAt: URL(fileURLWithPath: model))
  }
}

extension ProjectFile {
  /// The one that counts for this call, as it is for one of its models.
  static func current(forModelAt path: String) -> ProjectFile? {
    current?.narrowed(toModelAt: URL(fileURLWithPath: path))
  }

  /// A path of a project file's that was named by its whole path, as it is from the current folder.
  fileprivate static func fromHere(_ path: String) -> String {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    return path.hasPrefix("/")
      ? RelativePath.text(from: here, to: URL(fileURLWithPath: path)) : path
  }
}

extension MigrationFiles {
  /// What was typed, else the project's.
  /// - Throws: As ``ProjectModel/path(_:)`` and ``ProjectCode``.
  init(models: String?, _ route: RouteOptions) throws {
    try self.init(models: models, route.mapping, route.policy, order: route.order)
  }

  init(
    models: String?, _ mapping: MappingOptions, _ policy: PolicyOptions, order: String?
  ) throws {
    let model = try ProjectModel.path(models)
    let code = try ProjectCode(policy, of: model)
    self.init(
      models: URL(fileURLWithPath: model),
      mappings: ProjectModel.mappings(mapping.mappings, of: model).map { URL(fileURLWithPath: $0) },
      policies: code.policies.map { URL(fileURLWithPath: $0) }, module: code.module,
      stubs: code.stubs, order: order.map { GivenOrder($0) })
    findsPolicies = ProjectFile.current(forModelAt: model)?.saysPolicies != true
  }
}

extension MigrationFiles {
  /// What the project has of one of its models.
  /// - Throws: ``Diagnostics`` when the project's policies aren't there.
  init(ofProjectModelAt url: URL) throws {
    let project = ProjectFile.current?.narrowed(toModelAt: url)
    self.init(
      models: url,
      policies: try project?.policyFiles().map { URL(fileURLWithPath: $0) } ?? [],
      module: project?.module?.value, stubs: project?.stubFiles ?? [])
    findsPolicies = project?.saysPolicies != true
  }
}

/// An app's code: what was typed, else the project's.
struct ProjectCode {
  private(set) var policies: [String]
  private(set) var module: String?
  private(set) var stubs: [StubFile]

  /// - Parameter files: The policies of the project file, as paths.
  /// - Throws: ``Diagnostics`` when the project's policies aren't there.
  init(
    _ policy: PolicyOptions, of model: String,
    files: (ProjectFile) throws -> [String] = { try $0.policyFiles() }
  ) rethrows {
    (policies, module, stubs) = (policy.policies, policy.module, policy.stubs.stubs)
    guard policies.isEmpty, module == nil, let project = ProjectFile.current(forModelAt: model),
      !project.policies.isEmpty
    else { return }
    policies = try files(project)
    module = project.module?.value
    stubs = project.stubFiles + stubs
  }
}
