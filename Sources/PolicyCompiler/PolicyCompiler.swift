import Synchronization

/// Compiles an app's migration policies into a library that this process can load.
///
/// The sources say `import CoreData`; the compiler takes the engine's `CoreDataNames` for it. They
/// are compiled in Swift 5 mode, as most apps are, and without warnings.
package struct PolicyCompiler: Sendable {
  private let cacheDirectory: URL?
  package let keepsUsed: Bool
  let settings: CompilerSettings

  /// - Parameters:
  ///   - cacheDirectory: Where libraries are kept; by default `$XDG_CACHE_HOME/heavyweight`, else
  ///     `~/.cache/heavyweight`.
  ///   - compiler: The name or path of `swiftc`; by default `$HEAVYWEIGHT_SWIFTC`, else `swiftc`.
  ///   - languageMode: The Swift language mode, as `-swift-version` takes it.
  ///   - optimizes: Whether the sources are compiled as for an app's release: slower, for faster code
  ///     that checks no assertions. Else as for debugging.
  ///   - keepsUsed: Whether what policies may use of other files has to compile. Else it ends the process when it is
  ///     used.
  package init(
    cacheDirectory: URL? = nil, compiler: String? = nil, languageMode: String = "5",
    optimizes: Bool = false, keepsUsed: Bool = false
  ) {
    self.cacheDirectory = cacheDirectory
    self.keepsUsed = keepsUsed
    settings = CompilerSettings(
      toolchain: SwiftToolchain(compiler: compiler), languageMode: languageMode,
      optimizes: optimizes, stubFolder: Self.stubFolder)
  }

  /// Where compilers that are made write stubs of what sources miss; nil if nobody wants them.
  @TaskLocal package static var stubFolder: URL?

  /// The policies in `sources`, compiled unless that was done before, and loaded.
  ///
  /// - Parameters:
  ///   - sources: Swift files: the policies and whatever of the app they use.
  ///   - module: The app's module, by which mappings name the classes: `Module.Class`.
  ///   - stubs: Files of modules that the sources import and aren't here.
  /// - Throws: ``PolicyCompilationError``: sources that can't be read or don't compile, with the
  ///   compiler's messages; no compiler; a library that can't be loaded.
  package func library(
    of sources: [URL], module: String, stubs: [StubFile] = []
  ) async throws -> PolicyLibrary {
    try await libraries(of: Self.modules(sources, module: module, stubs: stubs))[0]
  }

  private static func modules(
    _ sources: [URL], module: String, stubs: [StubFile]
  ) throws -> [ModuleSources] {
    let stubs = try stubs.modules.map { name, files in
      ModuleSources(
        name: name, sources: try files.map { try PolicySource(contentsOf: $0) }, isStub: true)
    }
    let sources = try sources.map { try PolicySource(contentsOf: $0) }
    return stubs + [ModuleSources(name: module, sources: sources)]
  }

  /// Compiles policies for another process to load.
  /// - Throws: As ``library(of:module:stubs:)``.
  package func prepare(_ sources: [URL], module: String, stubs: [StubFile]) async throws {
    try await compile(Self.modules(sources, module: module, stubs: stubs))
  }

  /// The policies of several modules, each of which may import those before it. Stubs have none.
  package func libraries(of modules: [ModuleSources]) async throws -> [PolicyLibrary] {
    let compiled = try await compile(modules)
    return try zip(modules, compiled).filter { !$0.0.isStub }
      .map { try PolicyLibrary(contentsOf: $1.library, module: $1.name) }
  }

  /// The compiled modules, from the cache if they are there.
  @discardableResult
  package func compile(_ modules: [ModuleSources]) async throws -> [CompiledModule] {
    var compiled: [CompiledModule] = []
    for (index, module) in modules.enumerated() {
      let later = modules[(index + 1)...]
      let role = ModuleRole(
        isImported: later.contains { $0.imports.contains(module.name) },
        isTestable: later.contains { $0.importsTestable(module.name) })
      do {
        compiled.append(try await compile(module, role, after: compiled))
      } catch let error as PolicyCompilationError {
        guard let folder = settings.stubFolder else { throw error }
        throw try await writeStubs(
          after: error, for: module, role,
          dependencies: Self.dependencies(of: module, among: compiled), in: folder)
      }
    }
    return compiled
  }

  private func compile(
    _ module: ModuleSources, _ role: ModuleRole, after earlier: [CompiledModule]
  ) async throws -> CompiledModule {
    try Self.check(module.name)
    let engine = try EngineModules()
    let cache = try PolicyCache(directory: cacheDirectory)
    let dependencies = Self.dependencies(of: module, among: earlier)
    let key = try self.key(module, role: role, dependencies: dependencies, engine: engine)
    if let failure = Self.failuresOfParent[key] { throw failure }
    let library = try await Self.notingFailure(of: key) {
      try await RunningBuilds.shared.result(of: cache.library(key)) {
        try await cache.library(key) { workspace, library in
          try await make(
            library, of: module, role: role, dependencies: dependencies, engine: engine,
            workspace: workspace)
        }
      }
    }
    return CompiledModule(
      name: module.name, key: key, library: library,
      optionalMembers: module.sources.reduce(into: []) {
        $0.formUnion($1.exposure.allOptionalMembers)
      },
      dependencies: dependencies)
  }

  /// Compiles a module, and where that fails without what doesn't compile of the files beside the policies': first
  /// what these don't use.
  /// - Parameter workspace: An empty folder.
  func make(
    _ library: URL, of module: ModuleSources, role: ModuleRole, dependencies: [CompiledModule],
    engine: EngineModules, workspace: URL
  ) async throws {
    var module = module
    for round in 0... {
      let folder = workspace.appending(path: "round-\(round)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      do {
        let build = try await PolicyBuild(
          module, dependencies: dependencies, role: role, workspace: folder, settings: settings)
        return try await build.make(library, engine: engine)
      } catch let error as PolicyCompilationError {
        guard error.machineFault == nil,
          let rest = module.leavingOut(error.diagnostics, keepsUsed: keepsUsed)
        else { throw error }
        module = rest
      }
    }
  }

  // MARK: Failures

  /// What the compiler said here of modules that it doesn't compile, by their keys.
  private static let failures = Mutex<[String: PolicyCompilationError]>([:])

  private static func notingFailure<Result>(
    of key: String, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch let error as PolicyCompilationError {
      failures.withLock { $0[key] = error }
      throw error
    }
  }

  /// Names the file with what the compiler said, for a process that may not call it.
  package static let failuresVariable = "HEAVYWEIGHT_COMPILER_ERRORS"

  package static func writeFailures(to file: URL) throws {
    try JSONEncoder().encode(failures.withLock(\.self)).write(to: file)
  }

  private static let failuresOfParent: [String: PolicyCompilationError] = {
    guard let path = ProcessInfo.processInfo.environment[failuresVariable] else { return [:] }
    // Without it the compiler is called, and says why it can't be.
    return (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap {
      try? JSONDecoder().decode([String: PolicyCompilationError].self, from: $0)
    } ?? [:]
  }()

  /// The modules that one imports, and those that they import.
  private static func dependencies(
    of module: ModuleSources, among earlier: [CompiledModule]
  ) -> [CompiledModule] {
    let imported = earlier.filter { module.imports.contains($0.name) }
    let needed = Set((imported + imported.flatMap(\.dependencies)).map(\.key))
    return earlier.filter { needed.contains($0.key) }
  }

  private static func check(_ module: String) throws {
    guard module.wholeMatch(of: #/[\p{L}_][\p{L}\p{N}_]*/#) == nil else { return }
    throw PolicyCompilationError(
      "'\(module)' can't be the name of a Swift module",
      advice: "Use the app's product module name; in it every character that can't be part of a "
        + "Swift name is '_'.")
  }

  /// A digest of all that the library depends on. The compiler is part of the engine's digest.
  private func key(
    _ module: ModuleSources, role: ModuleRole, dependencies: [CompiledModule],
    engine: EngineModules
  ) throws -> String {
    var digest = SHA2()
    let mode = settings.optimizes ? "optimized" : "plain"
    let parts =
      [
        Self.generation, settings.languageMode, mode, module.name, "\(role)",
        "\(module.conditions)",
      ] + (keepsUsed ? ["keeps what is used"] : [])
      + dependencies.map(\.key) + module.sources.flatMap { [$0.path, $0.text] }
    for part in parts {
      // Lengths keep the parts apart.
      digest.update(Data("\(part.utf8.count):\(part)".utf8))
    }
    try engine.hash(into: &digest)
    return digest.value.prefix(16).hexadecimal
  }

  /// To be changed whenever the same sources would be compiled differently.
  private static let generation = "12"
}

/// How sources are compiled.
struct CompilerSettings: Sendable {
  let toolchain: SwiftToolchain
  let languageMode: String
  let optimizes: Bool
  let stubFolder: URL?
}

/// The builds going on in this process, so that scenarios that run side by side with the same
/// policies wait for one build.
private actor RunningBuilds {
  static let shared = RunningBuilds()
  private var tasks: [URL: Task<URL, any Error>] = [:]

  func result(
    of library: URL, build: @escaping @Sendable () async throws -> URL
  ) async throws -> URL {
    if let task = tasks[library] { return try await task.value }
    let task = Task { try await build() }
    tasks[library] = task
    defer { tasks[library] = nil }
    return try await task.value
  }
}
