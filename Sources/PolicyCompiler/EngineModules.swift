import Synchronization

/// The engine's compiled modules, which policies are compiled against.
///
/// They are looked for
/// 1. in the directory that the environment variable `HEAVYWEIGHT_MODULES` names;
/// 2. in `Modules` beside the running executable, where SwiftPM puts them: that holds for the tool
///    in `.build/debug` and `.build/release` and for the test bundle, which is an executable there;
/// 3. in `../lib/heavyweight/Modules` from the executable: an installed tool. Copying the files
///    named in ``names`` there is all that an installation needs.
///
/// The compiled policies keep the engine's symbols undefined; when the library is loaded they are
/// found in the running executable, which is linked with `--export-dynamic`.
///
/// The engine's modules import others internally: C libraries and collections. Swift wants
/// those to exist when it reads the engine's modules, but never looks into them, so empty modules
/// of the same names stand in: neither checkouts nor C headers are needed. This holds as long as no
/// public type of the engine stores a value of a type from an internal import.
package struct EngineModules: Sendable {
  /// Where the modules are.
  package let directory: URL

  /// The engine's modules that a policy sees, lowest first.
  static let names =
    ["ObjectModel", "Predicates", "Persistence", "Migration", "CoreDataNames", "ArchivedValues"]
    + FrameworkModules.modules.values.sorted()

  /// The modules that the engine imports internally.
  static let internalImports = [
    "CSQLite", "CZlib", "CDigest", "OrderedCollections", "Collections", "DequeModule",
    "HashTreeCollections", "HeapModule",
  ]

  /// Modules that an app's can't be called like: the compiler meets them while it reads the engine's,
  /// or their symbols are in the executable, which loads the app's.
  static let allNames = Set(
    names + internalImports + [
      "Foundation", "CoreData", "Terminal", "PolicyCompiler", "Scenarios",
      "Commands", "heavyweight", "Yams", "CYaml", "Subprocess",
      "SystemPackage", "ArgumentParser", "ArgumentParserToolInfo",
      "InternalCollectionsUtilities", "Benchmark", "TestSupport",
    ])

  /// The modules of the running executable.
  /// - Throws: ``PolicyCompilationError`` listing the places looked at when they are in none.
  package init() throws {
    let candidates = Self.candidates
    guard let found = candidates.first(where: Self.holdsModules) else {
      throw PolicyCompilationError(
        "the engine's Swift modules are missing: looked in "
          + candidates.map(\.path).joined(separator: ", "),
        advice: "Set HEAVYWEIGHT_MODULES to the directory that holds CoreDataNames.swiftmodule, "
          + "made by the same build as this executable.")
    }
    directory = found
  }

  private static var candidates: [URL] {
    let chosen = ProcessInfo.processInfo.environment["HEAVYWEIGHT_MODULES"]
      .map { URL(fileURLWithPath: $0, isDirectory: true) }
    let executable = Bundle.main.executableURL?.resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let besides = ["Modules", "../lib/heavyweight/Modules"].compactMap {
      executable?.appendingPathComponent($0, isDirectory: true).standardizedFileURL
    }
    return [chosen].compactMap { $0 } + besides
  }

  private static func holdsModules(_ directory: URL) -> Bool {
    names.allSatisfy {
      FileManager.default.isReadableFile(atPath: file($0, in: directory).path)
    }
  }

  private static func file(_ module: String, in directory: URL) -> URL {
    directory.appendingPathComponent("\(module).swiftmodule")
  }

  /// Adds the modules' contents to a digest.
  ///
  /// A module file names the compiler that made it, and only that one can read it, so the digest
  /// stands for the toolchain too.
  func hash(into digest: inout SHA2) throws {
    let known = try Self.digests.withLock { digests in
      if let known = digests[directory.path] { return known }
      var digest = SHA2()
      for name in Self.names {
        digest.update(try Data(contentsOf: Self.file(name, in: directory)))
      }
      let new = Data(digest.value)
      digests[directory.path] = new
      return new
    }
    digest.update(known)
  }

  /// By directory. Megabytes are read for each, and every scenario asks.
  private static let digests = Mutex<[String: Data]>([:])

  /// What this process knows of modules' contents, for those that it starts.
  package static var knownDigests: [String: Data] { digests.withLock { $0 } }

  /// Takes what the process knows that started this one: the modules are its own, too.
  package static func take(_ known: [String: Data]) {
    digests.withLock { $0.merge(known) { own, _ in own } }
  }

  /// Makes `folder` a search path for the compiler: it has the engine's modules and the stand-ins,
  /// and nothing else of the build.
  func prepareSearchPath(in folder: URL) throws {
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in Self.names {
      try files.createSymbolicLink(
        at: Self.file(name, in: folder), withDestinationURL: Self.file(name, in: directory))
    }
    let standIns = Self.internalImports.map { "module \($0) {}\n" }.joined()
    try Data(standIns.utf8).write(to: folder.appendingPathComponent("module.modulemap"))
  }
}
