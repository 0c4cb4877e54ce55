internal import CSandbox

/// Files that a process may use in a sandbox, beside its own ones.
package struct SandboxFiles: Codable, Sendable {
  /// Files, and folders with all that is in them, to be read.
  package private(set) var read: Set<String> = []
  /// Folders whose files' names may be asked for.
  private(set) var listed: Set<String> = []

  package mutating func read(_ url: URL) { read.insert(url.path) }
  mutating func list(_ url: URL) { listed.insert(url.path) }

  /// A model, and what is looked for beside it: mapping files and Swift files.
  /// - Throws: When the folder it is in can't be searched.
  package mutating func readModel(_ url: URL) throws {
    let parent = url.deletingLastPathComponent()
    read(VersionedModel.pathExtensions.contains(parent.pathExtension) ? parent : url)
    let home = ModelHome(ofModelAt: url)
    guard home.folder.isFolder else { return }
    list(home.folder)
    let elsewhere = home.mappingFilesElsewhere
    if let repository = home.repository, !elsewhere.isEmpty { list(repository) }
    for file in elsewhere { read(file) }
    let extensions = MappingFile.pathExtensions.union(["swift"])
    for file in try FolderSearch(home.folder).files(withExtensions: extensions) { read(file) }
  }

  package mutating func readStore(_ url: URL) {
    let files = PersistentStoreFiles(url).resolved
    for file in [files.url, files.walURL, files.shmURL, files.journalURL, files.supportFolderURL] {
      read(file)
    }
  }

  /// Swift files by their path or pattern.
  mutating func readSources(_ pattern: Located<String>, in folder: URL) throws {
    for file in try PolicyFiles.matching(pattern, in: folder) { read(file) }
    // Patterns are looked up among the names of the first folder that isn't part of one itself.
    let path = folder.resolving(pattern.value).path
    guard let wild = path.firstIndex(where: "*?[".contains) else { return }
    list(URL(fileURLWithPath: String(path[..<wild]) + "_").deletingLastPathComponent())
  }

  package init(read: Set<String> = [], listed: Set<String> = []) {
    self.read = read
    self.listed = listed
  }
}

extension CheckedScenario {
  /// What playing the scenario reads.
  /// - Throws: When a folder can't be searched.
  package func filesForSandbox() throws -> SandboxFiles {
    var files = SandboxFiles()
    let folder = scenario.folder
    files.read(scenario.fileURL)
    for file in scenario.includes { files.read(file) }
    switch scenario.models {
    case .xcode(let paths, _):
      for path in paths { try files.readModel(folder.resolving(path.value)) }
    case .inline(let versions, _):
      for case .file(let path) in versions.map(\.definition) {
        try files.readModel(folder.resolving(path.value))
      }
    }
    for case .file(let path) in scenario.chain.flatMap(\.mappings) {
      files.read(folder.resolving(path.value))
    }
    for case .store(let path) in scenario.seeds.map(\.content) {
      files.readStore(folder.resolving(path.value))
    }
    for source in (scenario.policies + scenario.policies.flatMap(\.stubs)).flatMap(\.sources) {
      try files.readSources(source, in: folder)
    }
    return files
  }
}

/// Confines a worker to its own folders, read-only views of what it needs, and nothing else: no other file, no
/// network, no other process.
///
/// The worker is started as a process that confines itself and executes the tool once more: nothing of it
/// began before.
package struct Sandbox: Codable, Sendable {
  let files: SandboxFiles
  /// The folders that it may change.
  let changed: [String]
  /// Its `HOME` and its `TMPDIR`.
  let home: String
  let temporary: String
  /// Where compiled policies are.
  let cache: String
  /// Where it says why it can't begin, and itself.
  let problemFile: String
  let file: String

  /// - Parameters:
  ///   - exchange: What the processes tell each other by; the worker's own files are there, too.
  ///   - changed: Other folders that the worker may change. In the first one are its temporary files, where
  ///     they may be large.
  package init(
    _ files: SandboxFiles, exchange: ExchangeFiles, changing changed: [URL],
    hasLargeFiles: Bool = false, cache: URL?
  ) throws {
    self.files = files
    let own = URL(fileURLWithPath: exchange.folder)
    let parent = hasLargeFiles ? changed.first ?? own : own
    self.changed = (changed + [own]).map(\.path)
    let (home, temporary) = (own.appending(path: "home"), parent.appending(path: "tmp"))
    (self.home, self.temporary) = (home.path, temporary.path)
    self.cache = try PolicyCache(directory: cache).directory.path
    problemFile = own.appending(path: "sandbox-problem").path
    file = own.appending(path: "sandbox").path
    for folder in [home, temporary] {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: file))
  }

  // MARK: Outside

  /// Makes sure that a sandbox can be had.
  /// - Throws: ``SandboxError``, which says what there isn't.
  package static func check() throws {
    var what: UnsafePointer<CChar>?
    let code = hw_sandbox_probe(&what)
    guard code == 0 else { throw SandboxError(what, code) }
  }

  /// What a worker that was never one says of it; nil if it began.
  func problem(_ ending: Worker.Ending) -> SandboxError? {
    guard ending == .exited(Self.failureStatus) else { return nil }
    // Whoever ends by this status without a word is told of by it.
    return (try? String(contentsOfFile: problemFile, encoding: .utf8)).map(SandboxError.init)
  }

  /// The variables that it gets: others may hold what is nobody's business there, such as a token.
  func environment(of variables: [String: String]) -> [String: String] {
    var own = variables.filter { name, _ in
      Self.harmless.contains(name) || Self.harmlessPrefixes.contains(where: name.hasPrefix)
    }
    own["HOME"] = home
    own["TMPDIR"] = temporary
    own[PolicyCache.variable] = cache
    return own
  }

  private static let harmless: Set = ["PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH"]
  private static let harmlessPrefixes = ["LC_", "HEAVYWEIGHT_", "SWIFT_"]

  // MARK: Inside

  static let failureStatus: Int32 = 71

  /// Confines this process as a file says, and executes the tool again, as a worker.
  static func enter(by file: String) -> Never {
    let sandbox: Sandbox
    do {
      sandbox = try JSONDecoder().decode(
        Sandbox.self, from: Data(contentsOf: URL(fileURLWithPath: file)))
    } catch { _Exit(failureStatus) }
    do { try sandbox.enter() } catch {
      // Who started this tells the status where there is no text.
      try? "\(error)".write(toFile: sandbox.problemFile, atomically: false, encoding: .utf8)
    }
    _Exit(failureStatus)
  }

  private func enter() throws -> Never {
    let program = try Worker.executable().path
    var rules = try Self.systemRules(program)
    rules += files.read.map { ($0, HW_READ) } + files.listed.map { ($0, HW_LIST) }
    rules += changed.map { ($0, HW_CHANGE) }
    rules.append(
      (URL(fileURLWithPath: cache).appending(path: PolicyCache.folderName).path, HW_READ))
    let names = rules.map { strdup($0.0) }
    let entries = zip(names, rules).map { hw_rule(path: $0, access: $1.1) }
    var what: UnsafePointer<CChar>?
    let code = hw_sandbox_enter(entries, entries.count, &what)
    guard code == 0 else { throw SandboxError(what, code) }
    let arguments = [strdup(program), strdup("play"), nil]
    execv(program, arguments)
    throw SandboxError("the tool itself", errno)
  }

  /// What every process of the tool needs: itself, the engine's modules, the libraries that it has
  /// loaded, and the system's.
  private static func systemRules(_ program: String) throws -> [(String, hw_access)] {
    var folders: Set = ["/usr", "/lib", "/lib64", "/bin", "/sys/devices/system/cpu"]
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    for line in maps.split(separator: "\n") {
      guard let start = line.firstIndex(of: "/"), line.contains(".so") else { continue }
      let library = URL(fileURLWithPath: String(line[start...]))
      let folder = library.deletingLastPathComponent()
      folders.insert(folder.path)
      // What prints backtraces is beside the runtime, in the toolchain.
      if folder.path.hasSuffix("/lib/swift/linux") {
        folders.insert(folder.appending(path: "../../../libexec").standardizedFileURL.path)
        folders.insert(folder.appending(path: "../../../bin").standardizedFileURL.path)
      }
    }
    // Only policies need the modules, and are told when there are none.
    let modules = (try? EngineModules())?.directory.path
    let files = ["/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/dev/zero"]
    return folders.map { ($0, HW_RUN) } + [(program, HW_RUN)]
      + (files + ["/dev/random", "/dev/urandom"] + [modules].compactMap(\.self)).map {
        ($0, HW_READ)
      } + [("/dev/null", HW_DEVICE)]
  }
}

/// Why there is no sandbox.
struct SandboxError: Error, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }

  init(_ what: UnsafePointer<CChar>?, _ code: Int32) {
    self.init(what.map { String(cString: $0) } ?? "", code)
  }

  init(_ what: String, _ code: Int32) {
    description =
      "--sandbox: this process can't be confined: \(what) (\(String(cString: strerror(code)))); nothing was "
      + "run. It takes Linux 5.19 or newer with Landlock and seccomp, on x86-64 or AArch64, and a "
      + "container that doesn't forbid them"
  }
}
