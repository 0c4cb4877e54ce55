internal import Crypto

/// Compiles an app's migration policies into a library that this process can load.
///
/// The sources say `import CoreData`; the compiler takes the engine's `CoreDataNames` for it. They
/// are compiled in Swift 5 mode, as most apps are, and without warnings.
public struct PolicyCompiler: Sendable {
  private let cacheDirectory: URL?
  private let toolchain: SwiftToolchain
  private let languageMode: String
  private let optimizes: Bool

  /// - Parameters:
  ///   - cacheDirectory: Where libraries are kept; by default `$XDG_CACHE_HOME/heavyweight`, else
  ///     `~/.cache/heavyweight`.
  ///   - compiler: The name or path of `swiftc`; by default `$HEAVYWEIGHT_SWIFTC`, else `swiftc`.
  ///   - languageMode: The Swift language mode, as `-swift-version` takes it.
  ///   - optimizes: Whether the sources are compiled as for an app's release: slower, for faster code
  ///     that checks no assertions. Else as for debugging.
  public init(
    cacheDirectory: URL? = nil, compiler: String? = nil, languageMode: String = "5",
    optimizes: Bool = false
  ) {
    self.cacheDirectory = cacheDirectory
    toolchain = SwiftToolchain(compiler: compiler)
    self.languageMode = languageMode
    self.optimizes = optimizes
  }

  /// The policies in `sources`, compiled unless that was done before, and loaded.
  ///
  /// - Parameters:
  ///   - sources: Swift files: the policies and whatever of the app they use.
  ///   - module: The app's module, by which mappings name the classes: `Module.Class`.
  /// - Throws: ``PolicyCompilationError``: sources that can't be read or don't compile, with the
  ///   compiler's messages; no compiler; a library that can't be loaded.
  public func library(of sources: [URL], module: String) async throws -> PolicyLibrary {
    let sources = try sources.map { try PolicySource(contentsOf: $0) }
    return try PolicyLibrary(contentsOf: try await compile(sources, module: module), module: module)
  }

  /// Compiles policies for another process to load.
  /// - Throws: As ``library(of:module:)``.
  func prepare(_ sources: [URL], module: String) async throws {
    _ = try await compile(try sources.map { try PolicySource(contentsOf: $0) }, module: module)
  }

  /// The compiled library, from the cache if it is there.
  func compile(_ sources: [PolicySource], module: String) async throws -> URL {
    try Self.check(module)
    let engine = try EngineModules()
    let cache = try PolicyCache(directory: cacheDirectory)
    let key = try self.key(sources, module: module, engine: engine)
    return try await RunningBuilds.shared.result(of: cache.library(key)) {
      try await cache.library(key) { workspace, library in
        let build = PolicyBuild(
          sources: sources, module: module, workspace: workspace, toolchain: toolchain,
          languageMode: languageMode, optimizes: optimizes)
        try await build.make(library, engine: engine)
      }
    }
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
    _ sources: [PolicySource], module: String, engine: EngineModules
  ) throws -> String {
    var digest = SHA256()
    let mode = optimizes ? "optimized" : "plain"
    let parts = [Self.generation, languageMode, mode, module]
    for part in parts + sources.flatMap({ [$0.path, $0.text] }) {
      // Lengths keep the parts apart.
      digest.update(data: Data("\(part.utf8.count):\(part)".utf8))
    }
    try engine.hash(into: &digest)
    return digest.finalize().prefix(16).hexadecimal
  }

  /// To be changed whenever the same sources would be compiled differently.
  private static let generation = "6"
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
