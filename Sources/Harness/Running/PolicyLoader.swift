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

  /// The files a path or glob stands for, sorted.
  private func files(_ path: Located<String>) throws -> [URL] {
    let pattern = folder.resolving(path.value).path
    var result = glob_t()
    defer { globfree(&result) }
    guard glob(pattern, 0, nil, &result) == 0, let paths = result.gl_pathv else {
      throw Diagnostics([Diagnostic("no file matches '\(path.value)'", at: path.place)])
    }
    return (0..<Int(result.gl_pathc)).compactMap { index in
      paths[index].map { URL(fileURLWithPath: String(cString: $0)) }
    }
  }
}

// MARK: - Ahead of time

extension PolicyLoader {
  /// Compiles the policies of all scenarios, as many at a time as there are processors, so that
  /// loading finds them in the cache. What doesn't compile is reported when it is loaded.
  static func compileAll(_ scenarios: [CheckedScenario], with compiler: PolicyCompiler) async {
    let loaders = scenarios.map { (PolicyLoader(compiler, for: $0), $0.scenario.policies) }
    var jobs = loaders.flatMap { loader, modules in modules.map { (loader, $0) } }[...]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        if let job = jobs.popFirst() { group.addTask { await job.0.compile(job.1) } }
      }
      while await group.next() != nil {
        if let job = jobs.popFirst() { group.addTask { await job.0.compile(job.1) } }
      }
    }
  }

  private func compile(_ module: PolicyModule) async {
    guard let sources = try? module.sources.flatMap(files).map({ try PolicySource(contentsOf: $0) })
    else { return }
    _ = try? await compiler.compile(sources, module: module.name.value)
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
}
