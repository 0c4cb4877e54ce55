/// Compiles and loads the policies of a scenario.
package struct PolicyLoader {
  let compiler: PolicyCompiler
  let folder: URL
  /// The deliberate fault in one of the files, if there is one.
  private let mutation: SourceMutation?

  package init(_ compiler: PolicyCompiler, for scenario: CheckedScenario) {
    self.compiler = compiler
    mutation = if case .source(let mutation)? = scenario.mutation { mutation } else { nil }
    folder = scenario.scenario.folder
  }

  /// The policies of a scenario that names none.
  static var none: any PolicyProvider { PolicyLibraries(libraries: []) }

  /// - Throws: `PolicyCompilationError` with the compiler's messages; ``Diagnostics`` for sources
  ///   that aren't there.
  package func load(_ modules: [PolicyModule]) async throws -> any PolicyProvider {
    let libraries = try await compiler.libraries(of: modules.moduleSources(in: folder, mutation))
    return PolicyLibraries(libraries: zip(libraries, modules).map { ($0, $1.prefix) })
  }
}

/// The Swift files that a scenario names.
enum PolicyFiles {
  /// A path without '..' and links: a library is found in the cache by its files' paths, which one process may have
  /// of a relative path, and another one of an absolute path.
  private static func plain(_ file: URL) -> URL {
    file.realPath.map { URL(fileURLWithPath: $0) } ?? file
  }

  /// The files a path or glob stands for, sorted.
  /// - Parameter followingLinks: Whether a file counts as where its links lead to.
  /// - Throws: ``Diagnostics`` when there is none.
  static func matching(
    _ path: Located<String>, followingLinks: Bool = true, in folder: URL
  ) throws -> [URL] {
    let place = folder.resolving(path.value)
    // The folder of a scenario that is yet to be written isn't there, and has no '..'.
    let isThere = FileManager.default.fileExists(atPath: folder.path)
    let pattern = (isThere ? place : place.standardizedFileURL).path
    let files = FolderSearch.files(matching: pattern)
    guard !files.isEmpty else {
      let problem = "no file matches '\(path.value)'"
      throw Diagnostics([Diagnostic(problem, at: path.place, isMissingFile: true)])
    }
    return files.map { followingLinks ? plain($0) : $0 }
  }
}

extension ProjectFile {
  /// The policies' files; none without any.
  /// - Throws: ``Diagnostics`` for a path or glob that matches nothing.
  package func policyFiles() throws -> [String] {
    try policies.flatMap { try PolicyFiles.matching($0, in: folder) }.map(\.path)
  }
}

// MARK: - Ahead of time

extension PolicyLoader {
  /// Compiles the policies of all scenarios, as many at a time as there are processors, so that
  /// loading finds them in the cache.
  /// - Parameter isConfined: Whether they are for processes that may not read everything: the compiler would, and
  ///   tell of it.
  /// - Returns: By scenario, why its policies don't compile or can't be read; nil for those that do.
  static func compileAll(
    _ scenarios: [CheckedScenario], with compiler: PolicyCompiler, isConfined: Bool = false
  ) async -> [(any Error)?] {
    var failures: [(any Error)?] = []
    await scenarios.work { scenario -> (any Error)? in
      do {
        if isConfined { _ = try scenario.filesForSandbox() }
        try await PolicyLoader(compiler, for: scenario).prepare(scenario.scenario.policies)
        return nil
      } catch { return error }
    } hear: {
      failures.append($1)
    }
    return failures
  }

  /// Compiles policies for another process to load.
  /// - Throws: As ``load(_:)``.
  package func prepare(_ modules: [PolicyModule]) async throws {
    try await compiler.compile(modules.moduleSources(in: folder, mutation))
  }
}

extension [PolicyModule] {
  /// What is compiled, in its order: the stubs of a module, if they weren't given before, then itself.
  fileprivate func moduleSources(
    in folder: URL, _ mutation: SourceMutation?
  ) throws -> [ModuleSources] {
    var modules: [ModuleSources] = []
    for module in self {
      for stub in module.stubs where !modules.contains(where: { $0.name == stub.name.value }) {
        modules.append(
          ModuleSources(
            name: stub.name.value, sources: try stub.files(in: folder, mutation), isStub: true,
            conditions: module.conditions))
      }
      modules.append(
        ModuleSources(
          name: module.name.value, sources: try module.files(in: folder, mutation),
          conditions: module.conditions))
    }
    return modules
  }
}

extension CheckedScenario {
  /// What policies ask of the platform, and how it is answered: the other branches aren't tried.
  var platformNotes: [String] {
    scenario.policies.flatMap { module in
      // A file that can't be read is told of when it is compiled.
      ((try? module.files(in: scenario.folder, nil)) ?? []).flatMap { source in
        source.text.contains("#if")
          ? source.platformAnswers(module.conditions).map {
            "\($0), since policies are compiled for \(module.conditions.platform.rawValue) "
              + "(policies.platform)"
          } : []
      }
    }
  }
}

extension PolicyModule {
  fileprivate func files(
    in folder: URL, _ mutation: SourceMutation?
  ) throws -> [PolicySource] {
    try fileURLs(in: folder).map { url in
      let source = try PolicySource(contentsOf: url)
      guard let mutation, mutation.path == url.standardizedFileURL.path else { return source }
      guard let text = mutation.applied(to: source.text) else {
        throw MutationError("\(source.path) changed in the meantime")
      }
      return PolicySource(path: source.path, text: text)
    }
  }

  /// The module's files.
  /// - Throws: ``Diagnostics`` where a path or pattern stands for none.
  package func fileURLs(in folder: URL) throws -> [URL] {
    try sources.flatMap { try PolicyFiles.matching($0, in: folder) }
  }
}

/// Several modules' policies, searched in order.
private struct PolicyLibraries: PolicyProvider {
  let libraries: [(library: PolicyLibrary, prefix: String?)]

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    for (library, prefix) in libraries {
      let fullName = name.contains(".") ? name : (prefix ?? "") + name
      if let policy = try library.makePolicy(named: fullName) { return policy }
    }
    return nil
  }

  var policyNames: [String]? {
    libraries.isEmpty ? nil : libraries.flatMap { $0.library.policyNames ?? [] }.sorted()
  }

  func stageHandler(named name: String) -> CustomMigrationStage.Handler? {
    libraries.lazy.compactMap { $0.library.stageHandler(named: name) }.first
  }

  var stagedManagers: [String: StagedManagerMaker] {
    libraries.map(\.library.stagedManagers).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  var managers: [String: MigrationManagerClass] {
    libraries.map(\.library.managers).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
  }

  var stageHandlerNames: [String] { libraries.flatMap(\.library.stageHandlerNames) }
}
