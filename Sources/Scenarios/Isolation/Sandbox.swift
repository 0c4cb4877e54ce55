import CSandbox
import Synchronization

/// Files that a process may use in a sandbox, beside its own ones.
///
/// Somebody else may have made them, and links to what is none of his business among them. So a file counts as where its
/// links lead to, and must be in one of the places that the person at the terminal named.
package struct SandboxFiles: Codable, Sendable {
  /// Files, and folders with all that is in them, to be read.
  package private(set) var read: Set<String> = []
  /// Folders whose files' names may be asked for.
  private(set) var listed: Set<String> = []
  /// Without links.
  private var places = Sandbox.allowed

  /// - Parameter named: Files and folders that the person named: what is in their projects may be read.
  package init(around named: [URL] = []) {
    for url in named { name(url) }
  }

  /// Lets what is in a file's project be read.
  package mutating func name(_ url: URL) { places.insert(ProjectPlace.of(url)) }

  /// Lets what is in a folder be read where files name it.
  package mutating func name(folder: URL) {
    if let path = folder.realPath { places.insert(path) }
  }

  /// - Throws: ``SandboxError`` for a file that is elsewhere.
  package mutating func read(_ url: URL) throws {
    guard let path = try place(of: url), read.insert(path).inserted else { return }
    // What is in the folder may be read, and not what links in it lead to.
    for link in Self.links(in: path) { try read(link) }
  }

  mutating func list(_ url: URL) throws {
    if let path = try place(of: url) { listed.insert(path) }
  }

  /// A model, and what is looked for beside it: mapping files and Swift files.
  /// - Throws: When the folder it is in can't be searched; ``SandboxError`` for a file that is elsewhere.
  package mutating func readModel(_ url: URL) throws {
    let parent = url.deletingLastPathComponent()
    try read(VersionedModel.pathExtensions.contains(parent.pathExtension) ? parent : url)
    if StoreModel.isStore(url) { try readStore(url) }
    let home = ModelHome(ofModelAt: url)
    guard home.folder.isFolder else { return }
    let elsewhere = home.mappingFilesElsewhere
    if let repository = home.repository, !elsewhere.isEmpty { try list(repository) }
    for file in elsewhere { try read(file) }
    try readFiles(in: home.folder, MappingFile.pathExtensions.union(["swift"]))
  }

  /// Mapping files, and those in folders.
  /// - Throws: As ``readModel(_:)``.
  package mutating func readMappings(_ urls: [URL]) throws {
    for url in urls {
      if url.isFolder, !MappingFile.pathExtensions.contains(url.pathExtension) {
        try readFiles(in: url, MappingFile.pathExtensions)
      } else {
        try read(url)
      }
    }
  }

  private mutating func readFiles(in folder: URL, _ extensions: Set<String>) throws {
    try list(folder)
    for file in try FolderSearch(folder).files(withExtensions: extensions) { try read(file) }
  }

  /// - Throws: ``SandboxError`` where one of the store's files is elsewhere.
  package mutating func readStore(_ url: URL) throws {
    for file in Self.files(ofStoreAt: url) {
      if let path = try place(of: file) { read.insert(path) }
    }
  }

  /// A store that the person named.
  /// - Throws: As ``readStore(_:)``.
  package mutating func readNamedStore(_ url: URL) throws {
    for file in Self.files(ofStoreAt: url) { name(file) }
    try readStore(url)
  }

  private static func files(ofStoreAt url: URL) -> [URL] {
    let files = PersistentStoreFiles(url).resolved
    return [url, files.url, files.walURL, files.shmURL, files.journalURL, files.supportFolderURL]
  }

  /// Swift files by their path or pattern.
  mutating func readSources(_ pattern: Located<String>, in folder: URL) throws {
    for file in try PolicyFiles.matching(pattern, followingLinks: false, in: folder) {
      try read(file)
    }
    // Patterns are looked up among the names of the first folder that isn't part of one itself.
    let path = folder.resolving(pattern.value).path
    guard let wild = path.firstIndex(where: "*?[".contains) else { return }
    try list(URL(fileURLWithPath: String(path[..<wild]) + "_").deletingLastPathComponent())
  }

  // MARK: Links

  /// Where a file is; nil where there is none.
  private func place(of url: URL) throws -> String? {
    guard let path = url.realPath else { return nil }
    if places.contains(where: { ProjectPlace.isBelow($0, path) }) { return path }
    throw SandboxError(outside: url, path, places)
  }

  private static func links(in folder: String) -> [URL] {
    let keys: Set<URLResourceKey> = [.isSymbolicLinkKey]
    let files = FileManager.default.enumerator(
      at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys))
    // What can't be looked at is read by nobody.
    return (files?.compactMap { $0 as? URL } ?? []).filter {
      (try? $0.resourceValues(forKeys: keys).isSymbolicLink) == true
    }
  }
}

extension CheckedScenario {
  /// What playing the scenario reads.
  /// - Throws: When a folder can't be searched; ``SandboxError`` for a file that lies elsewhere than the scenario.
  package func filesForSandbox(orBelow place: URL? = nil) throws -> SandboxFiles {
    var files = SandboxFiles(
      around: [scenario.fileURL] + [ProjectFile.current?.url].compactMap(\.self))
    if let place { files.name(folder: place) }
    let folder = scenario.folder
    if scenario.elsewhere != nil {
      files.name(folder.appending(path: scenario.fileURL.lastPathComponent))
    }
    for file in [scenario.fileURL, ProjectFile.current?.url].compactMap(\.self) + scenario.includes
    { try files.read(file) }
    switch scenario.models {
    case .xcode(let paths, _):
      for path in paths { try files.readModel(folder.resolving(path.value)) }
    case .inline(let versions, _):
      for case .file(let path) in versions.map(\.definition) {
        try files.readModel(folder.resolving(path.value))
      }
    }
    for case .file(let path) in scenario.chain.flatMap(\.mappings) {
      try files.read(folder.resolving(path.value))
    }
    for case .store(let path) in scenario.seeds.map(\.content) {
      try files.readStore(folder.resolving(path.value))
    }
    if let device = scenario.device { try files.readStore(folder.resolving(device.value)) }
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
  let places: PrivatePlaces
  /// Where it says why it can't begin, and itself.
  let problemFile: String
  let file: String
  /// Where it finds what the compiler said of policies that it would load.
  let compilerErrors: String

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
    places = try PrivatePlaces(
      exchange, temporary: parent.appending(path: "tmp"), cache: cache)
    problemFile = own.appending(path: "sandbox-problem").path
    file = own.appending(path: "sandbox").path
    compilerErrors = own.appending(path: "compiler-errors").path
    try PolicyCompiler.writeFailures(to: URL(fileURLWithPath: compilerErrors))
    try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: file))
  }

  // MARK: Outside

  /// What the person at the terminal lets confined processes read beside their files' projects, without links.
  package static var allowed: Set<String> {
    get { allowedPlaces.withLock(\.self) }
    set { allowedPlaces.withLock { $0 = newValue } }
  }

  private static let allowedPlaces = Mutex<Set<String>>([])

  /// The options by which a call gets the same.
  package static var options: [String] {
    ["--sandbox"] + allowed.sorted().flatMap { ["--allow", $0] }
  }

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
    return ProcessAnswer.note(URL(fileURLWithPath: problemFile), atMost: 1 << 16)
      .map { SandboxError(String(decoding: $0, as: UTF8.self)) }
  }

  /// The variables that it gets: others may hold what is nobody's business there, such as a token.
  func environment(of variables: [String: String]) -> [String: String] {
    var own = variables.filter { name, _ in
      Self.harmless.contains(name) || Self.harmlessPrefixes.contains(where: name.hasPrefix)
    }
    places.set(in: &own)
    own[PolicyCompiler.failuresVariable] = compilerErrors
    return own
  }

  private static let harmless: Set = ["PATH", "LANG", "LANGUAGE", "TZ", "LD_LIBRARY_PATH"]
  private static let harmlessPrefixes = ["LC_", "HEAVYWEIGHT_", "SWIFT_"]

  /// What can't be removed goes with the folder that it is in.
  func removeTemporaryFolder() { try? FileManager.default.removeItem(atPath: places.temporary) }

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
      (URL(fileURLWithPath: places.cache).appending(path: PolicyCache.folderName).path, HW_READ))
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

  fileprivate init(outside url: URL, _ path: String, _ places: Set<String>) {
    let isLink = URL(fileURLWithPath: url.path).standardized.path != path
    let what = isLink ? "a link leads to \(path), outside of" : "this is outside of"
    description =
      "\(url.relativePath): error: \(what) \(places.sorted().joined(separator: ", ")), and with --sandbox nothing else "
      + "is read; allow it with --allow \(path.shellQuoted)"
  }

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
