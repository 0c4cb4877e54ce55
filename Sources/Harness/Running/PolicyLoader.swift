/// Compiles and loads the policies of a scenario.
struct PolicyLoader {
  let compiler: PolicyCompiler
  let folder: URL

  init(_ compiler: PolicyCompiler, for scenario: CheckedScenario) {
    self.compiler = compiler
    folder = scenario.scenario.folder
  }

  /// - Throws: `PolicyCompilationError` with the compiler's messages; ``Diagnostics`` for sources
  ///   that aren't there.
  func load(_ modules: [PolicyModule]) async throws -> any PolicyProvider {
    var libraries: [PolicyLibrary] = []
    for module in modules {
      let sources = try module.sources.flatMap(files)
      libraries.append(try await compiler.library(of: sources, module: module.name.value))
    }
    return PolicyLibraries(libraries: libraries)
  }

  private func files(_ path: Located<String>) throws -> [URL] {
    try PolicyFiles.matching(path, in: folder)
  }
}

/// The Swift files that a scenario names.
enum PolicyFiles {
  /// The files a path or glob stands for, sorted.
  /// - Throws: ``Diagnostics`` when there is none.
  static func matching(_ path: Located<String>, in folder: URL) throws -> [URL] {
    let pattern = folder.resolving(path.value).path
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, 0, nil, &result) == 0, let paths = result.gl_pathv else {
      let problem = "no file matches '\(path.value)'"
      throw Diagnostics([Diagnostic(problem, at: path.place, isMissingFile: true)])
    }
    return (0..<Int(result.gl_pathc)).compactMap { index in
      paths[index].map { URL(fileURLWithPath: String(cString: $0)) }
    }
  }
}

// MARK: - Ahead of time

extension PolicyLoader {
  /// Compiles the policies of all scenarios, as many at a time as there are processors, so that
  /// loading finds them in the cache.
  /// - Returns: By scenario, why its policies don't compile; nil for those that do.
  static func compileAll(
    _ scenarios: [CheckedScenario], with compiler: PolicyCompiler
  ) async -> [(any Error)?] {
    var failures = [(any Error)?](repeating: nil, count: scenarios.count)
    await withTaskGroup(of: (Int, (any Error)?).self) { group in
      var next = 0
      func start() {
        guard next < scenarios.count else { return }
        let (index, scenario) = (next, scenarios[next])
        next += 1
        group.addTask {
          (index, await PolicyLoader(compiler, for: scenario).compile(scenario.scenario.policies))
        }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
      while let (index, failure) = await group.next() {
        failures[index] = failure
        start()
      }
    }
    return failures
  }

  private func compile(_ modules: [PolicyModule]) async -> (any Error)? {
    do {
      try await prepare(modules)
      return nil
    } catch {
      return error
    }
  }

  /// Compiles policies for another process to load.
  /// - Throws: As ``load(_:)``.
  func prepare(_ modules: [PolicyModule]) async throws {
    for module in modules {
      try await compiler.prepare(module.sources.flatMap(files), module: module.name.value)
    }
  }
}

/// Several modules' policies, searched in order.
private struct PolicyLibraries: PolicyProvider {
  let libraries: [PolicyLibrary]

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    for library in libraries {
      if let policy = try library.makePolicy(named: name) { return policy }
    }
    return nil
  }

  func stageHandler(named name: String) -> CustomMigrationStage.Handler? {
    libraries.lazy.compactMap { $0.stageHandler(named: name) }.first
  }

  var stageHandlerNames: [String] { libraries.flatMap(\.stageHandlerNames) }
}
