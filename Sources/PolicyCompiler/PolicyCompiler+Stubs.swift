extension PolicyCompiler {
  /// What is missing is found by compiling with what was drafted so far: types first, then what they have.
  private static let mostRounds = 16

  private static let draftsPath = "stubs"

  /// Writes stubs of what a module misses.
  /// - Returns: The error that they are meant for, which says where they are.
  func writeStubs(
    after error: PolicyCompilationError, for module: ModuleSources, _ role: ModuleRole,
    dependencies: [CompiledModule], in folder: URL
  ) async throws -> PolicyCompilationError {
    var drafts = StubDrafts(module.sources)
    var left: PolicyCompilationError? = error
    func compile(_ drafts: StubDrafts) async throws -> PolicyCompilationError? {
      var stubbed = module
      let code = drafts.modules.map(drafts.code).joined()
      stubbed.sources.append(PolicySource(path: Self.draftsPath, text: code))
      return try await mistakes(in: stubbed, role, dependencies)
    }
    for _ in 0..<Self.mostRounds {
      guard let problem = left, drafts.add(problem) else { break }
      left = try await compile(drafts)
    }
    var settled = drafts
    settled.settle()
    if left == nil, try await compile(settled) == nil { drafts = settled }
    var told = error
    let written = try drafts.modules.map { try drafts.write($0, policies: module.name, in: folder) }
    if !written.isEmpty { told.advice = written.joined(separator: "\n    ") }
    if let left {
      told.diagnostics += left.diagnostics.filter {
        $0.file != Self.draftsPath && !error.diagnostics.contains($0)
      }
    }
    return told
  }

  private func mistakes(
    in module: ModuleSources, _ role: ModuleRole, _ dependencies: [CompiledModule]
  ) async throws -> PolicyCompilationError? {
    let workspace = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(workspace) }
    do {
      try await make(
        workspace.appendingPathComponent("library.so"), of: module, role: role,
        dependencies: dependencies,
        engine: EngineModules(), workspace: workspace)
      return nil
    } catch let error as PolicyCompilationError {
      return error
    }
  }
}

extension StubDrafts {
  /// Writes the file of a module, unless there is one.
  /// - Parameter policies: The policies' module.
  /// - Returns: What is in the file, and how it is used.
  fileprivate func write(_ module: String?, policies: String, in folder: URL) throws -> String {
    let file = folder.appendingPathComponent("\(module ?? "\(policies)Missing").swift")
    let path = ShownPath.of(file.path)
    let names = names(of: module).joined(separator: ", ")
    if FileManager.default.fileExists(atPath: file.path) {
      return "\(path) is there, and left as it is. What is missed besides: \(names)."
    }
    let header = """
      // What is used of \(module ?? "other files of the app"), as it is used. Types are guessed, above all those called
      // Unknown; each function and property stops the program until it is written.


      """
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data((header + code(of: module)).utf8).write(to: file)
    let use =
      module.map {
        "Use it with 'stubs: { \($0): \(path) }' in a scenario, with '--stubs \($0)=\(path)' for a command."
      } ?? "Add it to the policies' sources."
    return "\(path) was written, with \(names): check it, its types are guessed. \(use)"
  }
}
