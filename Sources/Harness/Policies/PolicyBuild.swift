/// One run of the compiler over the sources of a module.
///
/// Twice, in fact: the first time for the symbol graph only, which skips function bodies and takes
/// a few hundredths of a second; the second time with the glue that is made from it.
struct PolicyBuild {
  let sources: [PolicySource]
  let module: String
  /// An empty directory, thrown away after the build.
  let workspace: URL
  let toolchain: SwiftToolchain
  let languageMode: String
  let optimizes: Bool

  func make(_ library: URL, engine: EngineModules) async throws {
    try engine.prepareSearchPath(in: searchPath)
    let plain = try sources.indices.map { try write($0, glue: nil) }
    let graph = try await symbolGraph(of: plain)
    let reader = PolicyClassReader(graph, module: module, sources: sources)
    let glue = PolicyGlue(
      classes: reader.policyClasses(), handlers: graph.stageHandlers,
      objects: ObjectGlue(reader, sources: sources), sources: sources)
    do {
      try await compile(glue, to: library)
    } catch let error as PolicyCompilationError {
      guard let reduced = glue.withoutMethods(objectedTo: error.diagnostics) else { throw error }
      try await compile(reduced, to: library)
    }
  }

  private func compile(_ glue: PolicyGlue, to library: URL) async throws {
    let files = try sources.indices.map { try write($0, glue: glue.part($0)) }
    let entry = workspace.appendingPathComponent("entry.swift")
    let standIns = StandIns(sources: sources).code
    try Data((glue.entryFile + standIns).utf8).write(to: entry)
    let mode = optimizes ? ["-O"] : []
    try await run(
      ["-emit-library", "-wmo", "-o", library.path] + mode + options
        + (files + [entry]).map(\.path))
  }

  private var searchPath: URL { workspace.appendingPathComponent("modules") }

  private var options: [String] {
    [
      "-module-name", compiledModule, "-module-alias", "CoreData=CoreDataNames",
      "-I", searchPath.path, "-swift-version", languageMode, "-parse-as-library",
      "-suppress-warnings", "-diagnostic-style", "llvm", "-gline-tables-only",
    ]
  }

  /// The module's name for the compiler: another one where it is also the name of a module that
  /// the engine consists of or needs.
  private var compiledModule: String {
    EngineModules.allNames.contains(module) ? "\(module)_App" : module
  }

  private func run(_ arguments: [String]) async throws {
    let result = try await toolchain.run(arguments)
    guard result.succeeded else { throw failure(result.output) }
  }

  /// What the compiler says of the end of a file isn't placed by `#sourceLocation`.
  private func failure(_ output: String) -> PolicyCompilationError {
    var error = PolicyCompilationError(module: module, compilerOutput: output)
    for (index, source) in sources.enumerated() {
      let copy = compiledFile(index).path
      for place in error.diagnostics.indices where error.diagnostics[place].file == copy {
        error.diagnostics[place].file = source.path
        error.diagnostics[place].line -= 1
      }
    }
    return error
  }

  private func compiledFile(_ index: Int) -> URL {
    workspace.appendingPathComponent("source-\(index).swift")
  }

  /// Writes a source as it is compiled. It keeps the user's name for the file, and its lines.
  private func write(_ index: Int, glue: String?) throws -> URL {
    let path = sources[index].path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    var code = "#sourceLocation(file: \"\(path)\", line: 1)\n" + sources[index].code
    if let glue {
      code += "\n#sourceLocation(file: \"\(PolicyGlue.fileName(index))\", line: 1)\n" + glue
    }
    let file = compiledFile(index)
    try Data(code.utf8).write(to: file)
    return file
  }

  /// What the module declares. If a declaration is wrong, the whole sources are checked, so that
  /// the user learns about all errors at once.
  private func symbolGraph(of files: [URL]) async throws -> SymbolGraph {
    let folder = workspace.appendingPathComponent("graph")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let output = workspace.appendingPathComponent("\(module).swiftmodule").path
    let arguments =
      ["-frontend", "-emit-module", "-experimental-skip-all-function-bodies", "-o", output]
      + options + [
        "-emit-symbol-graph", "-emit-symbol-graph-dir", folder.path,
        "-symbol-graph-minimum-access-level", "private", "-symbol-graph-skip-synthesized-members",
      ] + files.map(\.path)
    let result = try await toolchain.run(arguments)
    if !result.succeeded {
      try await run(["-typecheck"] + options + files.map(\.path))
      throw failure(result.output)
    }
    return try SymbolGraph(contentsOf: folder)
  }
}
