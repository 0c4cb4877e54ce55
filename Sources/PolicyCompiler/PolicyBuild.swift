/// One run of the compiler over the sources of a module.
///
/// Twice, in fact: the first time for the symbol graph only, which skips function bodies and takes
/// a few hundredths of a second; the second time with the glue that is made from it.
struct PolicyBuild {
  private let sources: [PolicySource]
  /// The sources in the files that the compiler gets, by index.
  private let files: [[Int]]
  private let module: String
  private let missingNames: MissingNames
  /// The modules before this one that it needs.
  private let dependencies: [CompiledModule]
  /// The optional requirements of their protocols.
  private let optionalMembers: Set<String>
  private let role: ModuleRole
  /// An empty directory, thrown away after the build.
  private let workspace: URL
  private let settings: CompilerSettings
  private let defines: [String]

  /// Finds out which of the modules that the sources import are there.
  init(
    _ module: ModuleSources, dependencies: [CompiledModule], role: ModuleRole, workspace: URL,
    settings: CompilerSettings
  ) async throws {
    let problems = module.sources.flatMap(\.problems)
    if !problems.isEmpty {
      throw PolicyCompilationError(
        "the policies of module \(module.name) don't compile", diagnostics: problems)
    }
    self.module = module.name
    self.dependencies = dependencies
    self.role = role
    self.workspace = workspace
    self.settings = settings
    defines = module.conditions.defines
    let given = Set(dependencies.map(\.name))
    optionalMembers = dependencies.reduce(into: []) { $0.formUnion($1.optionalMembers) }
    let missing = try await Self.missing(
      module, given: given, workspace: workspace, settings: settings)
    missingNames = MissingNames(module.sources, missing: missing, given: given)
    (sources, files) = PolicySource.module(
      of: module.sources, imports: Self.rules(module, given: given, missing: missing),
      keyNames: module.keyNames, optionalMembers: optionalMembers,
      conditions: module.conditions)
  }

  private static func missing(
    _ module: ModuleSources, given: Set<String>, workspace: URL, settings: CompilerSettings
  ) async throws -> Set<String> {
    let own: Set<String> = ["CoreData", "Foundation"]
    let others = module.imports.subtracting(given).subtracting(own)
      .filter { !FrameworkModules.isStandIn($0) }
    // The engine's modules are none of the app's.
    let hidden = others.intersection(EngineModules.allNames).union(
      others.intersection([module.name]))
    let probe = ModuleProbe(toolchain: settings.toolchain, workspace: workspace)
    return hidden.union(try await probe.missing(others.subtracting(hidden)))
  }

  private static func rules(
    _ module: ModuleSources, given: Set<String>, missing: Set<String>
  ) -> ImportRules {
    var rules = ImportRules(missing: missing, given: given)
    for name in given.union([module.name]) where CompiledModule.compiledName(of: name) != name {
      rules.renamed[name] = CompiledModule.compiledName(of: name)
    }
    for (name, other) in FrameworkModules.umbrellas where !given.contains(name) {
      rules.renamed[name] = other
    }
    return rules
  }

  func make(_ library: URL, engine: EngineModules) async throws {
    try engine.prepareSearchPath(in: searchPath)
    for module in dependencies {
      let place = searchPath.appendingPathComponent(module.interface.lastPathComponent)
      try FileManager.default.createSymbolicLink(at: place, withDestinationURL: module.interface)
    }
    let standIns = StandIns(sources: sources).code
    try Data((PolicyGlue.namesFile + standIns).utf8).write(to: namesFile)
    let plain = try write(glue: nil)
    let graph = try await symbolGraph(of: plain)
    let reader = PolicyClassReader(
      graph, module: module, sources: sources, foreign: try foreignPolicies(),
      optionalMembers: optionalMembers)
    let mistakes = ObjectiveCTypes(reader).problems()
    if !mistakes.isEmpty {
      throw PolicyCompilationError(
        "the policies of module \(module) don't compile", diagnostics: mistakes)
    }
    let glue = PolicyGlue(
      classes: reader.policyClasses(),
      registrations: graph.stageHandlers + graph.stagedManagers + reader.managers(),
      objects: ObjectGlue(reader, sources: sources),
      objectiveCClasses: reader.objectiveCClasses(), sources: sources)
    do {
      try await compile(glue, to: library)
    } catch let error as PolicyCompilationError {
      guard let reduced = glue.withoutMethods(objectedTo: error.diagnostics) else { throw error }
      try await compile(reduced, to: library)
    }
    guard role.isImported else { return }
    try JSONEncoder().encode(glue.flattenedClasses)
      .write(to: CompiledModule.policiesFile(beside: library))
  }

  private func foreignPolicies() throws -> [String: PolicyClass] {
    try dependencies.reduce(into: [:]) { all, module in
      all.merge(try module.policies()) { a, _ in a }
    }
  }

  private func compile(_ glue: PolicyGlue, to library: URL) async throws {
    let files = try write(glue: glue)
    let entry = workspace.appendingPathComponent("entry.swift")
    try Data(glue.entryFile.utf8).write(to: entry)
    let mode = settings.optimizes ? ["-O"] : []
    try await run(
      ["-emit-library", "-wmo", "-o", library.path] + mode + options + interfaceOptions(library)
        + linkerOptions(library) + (files + [entry, namesFile]).map(\.path))
  }

  /// For a module that others import.
  private func interfaceOptions(_ library: URL) -> [String] {
    guard role.isImported else { return [] }
    let interface = library.deletingLastPathComponent()
      .appendingPathComponent("\(compiledModule).swiftmodule")
    return ["-emit-module", "-emit-module-path", interface.path]
  }

  /// Libraries find each other in the cache wherever that is moved.
  private func linkerOptions(_ library: URL) -> [String] {
    ["-Xlinker", "-soname", "-Xlinker", library.lastPathComponent]
      + dependencies.flatMap { module in
        [module.library.path, "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../\(module.key)"]
      }
  }

  private var searchPath: URL { workspace.appendingPathComponent("modules") }

  private var namesFile: URL { workspace.appendingPathComponent("names.swift") }

  private var options: [String] {
    var options = [
      "-module-name", compiledModule, "-I", searchPath.path, "-swift-version",
      settings.languageMode, "-parse-as-library", "-suppress-warnings", "-diagnostic-style",
      "llvm", "-gline-tables-only", "-package-name", "app",
    ]
    for condition in defines { options += ["-D", condition] }
    for (name, module) in aliases { options += ["-module-alias", "\(name)=\(module)"] }
    return role.isTestable ? options + ["-enable-testing"] : options
  }

  /// The modules that stand for Apple's. Those that the app gives have their own names.
  private var aliases: [(String, String)] {
    let given = Set(dependencies.map(\.name) + [module])
    let standIns = FrameworkModules.modules.filter { !given.contains($0.key) }
    return [("CoreData", "CoreDataNames")] + standIns.sorted { $0.key < $1.key }
  }

  private var compiledModule: String { CompiledModule.compiledName(of: module) }

  private func run(_ arguments: [String]) async throws {
    let result = try await settings.toolchain.run(arguments)
    guard result.succeeded else { throw failure(result.output) }
  }

  /// What the compiler says of the end of a file isn't placed by `#sourceLocation`.
  private func failure(_ output: String) -> PolicyCompilationError {
    var error = PolicyCompilationError(module: module, compilerOutput: output)
    for (file, parts) in files.enumerated() {
      let (copy, source) = (compiledFile(file).path, sources[parts[0]])
      for place in error.diagnostics.indices where error.diagnostics[place].file == copy {
        error.diagnostics[place].file = source.path
        error.diagnostics[place].line -= 2
      }
    }
    missingNames.explain(&error)
    error.machineFault = lackOfRoom(output)
    return error
  }

  /// The compiler doesn't tell otherwise that there was no room.
  private func lackOfRoom(_ output: String) -> MachineFault? {
    let isFull = [workspace, FileManager.default.temporaryDirectory].contains { folder in
      var facts = statvfs()
      return statvfs(folder.path, &facts) == 0
        && UInt64(facts.f_bavail) * UInt64(facts.f_frsize) < Self.leastRoom
    }
    return isFull ? MachineFault(.noRoom, output) : nil
  }

  /// A compiled policy takes more.
  private static let leastRoom: UInt64 = 1 << 20

  private func compiledFile(_ index: Int) -> URL {
    workspace.appendingPathComponent("source-\(index).swift")
  }

  /// Writes the sources as they are compiled. Each keeps the user's name for its file, and its lines.
  private func write(glue: PolicyGlue?) throws -> [URL] {
    try files.enumerated().map { file, parts in
      let code = parts.map { text(of: $0, glue: glue?.part($0)) }.joined(separator: "\n")
      let url = compiledFile(file)
      try Data(code.utf8).write(to: url)
      return url
    }
  }

  private func text(of index: Int, glue: String?) -> String {
    // Where one file imports Foundation, the others of its module see its names, too.
    let code =
      "import CoreData\n" + MovedMembers.sourceLocation(sources[index].path, line: 1)
      + sources[index].code
    guard let glue else { return code }
    return code + "\n" + MovedMembers.sourceLocation(PolicyGlue.fileName(index), line: 1) + glue
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
      ] + settings.toolchain.pluginOptions + (files + [namesFile]).map(\.path)
    let result = try await settings.toolchain.run(arguments)
    if !result.succeeded {
      try await run(["-typecheck", "-wmo"] + options + (files + [namesFile]).map(\.path))
      throw failure(result.output)
    }
    return try SymbolGraph(contentsOf: folder)
  }
}
