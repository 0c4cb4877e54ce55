/// Compiles and loads the policies of a scenario.
struct PolicyLoader {
  let compiler: PolicyCompiler
  let folder: URL

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
