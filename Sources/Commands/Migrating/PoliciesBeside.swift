/// The policies beside a model that its mapping files name.
struct PoliciesBeside {
  let sources: [URL]
  let module: String?
  /// Classes that no file there declares.
  private let missing: [String]

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: MappingFolder) throws {
    try self.init(model, for: mappings.candidates)
  }

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: [MappingCandidate]) throws {
    let classes = mappings.flatMap(\.model.entityMappings)
      .compactMap(\.entityMigrationPolicyClassName)
    let found = try StepPolicies(
      of: Array(Set(classes)).sorted(), given: [], module: nil,
      below: ModelHome(ofModelAt: model.url).folder)
    (sources, module, missing) = (found.sources, found.module, found.missing)
  }

  var notes: [String] {
    var notes: [String] = []
    if let module, !sources.isEmpty {
      let names = sources.map(\.lastPathComponent).joined(separator: ", ")
      notes.append("policies found beside the model: \(names), compiled as the module \(module)")
    }
    if !missing.isEmpty {
      notes.append(
        "no Swift file beside the model declares \(missing.joined(separator: ", ")): give the sources "
          + "with --policies and --module")
    }
    return notes
  }

  /// Compiles them. Nobody asked for just these files, so that what is wrong with one is told only when its
  /// policies are needed.
  func compiled(
    by compiler: PolicyCompiler, stubs: [StubFile]
  ) async -> any PolicyProvider {
    guard let module, !sources.isEmpty else { return PolicyRegistry() }
    do {
      return try await compiler.library(of: sources, module: module, stubs: stubs)
    } catch {
      let rest = await compiler.prepareSound(
        of: sources, module: module, stubs: stubs, after: error)
      let library =
        rest.isEmpty ? nil : try? await compiler.library(of: rest, module: module, stubs: stubs)
      return PartlyUsablePolicies(usable: library, error: error, undeclared: Set(missing))
    }
  }
}

extension PolicyCompiler {
  /// Compiles, without loading them, those of the sources that compile without the others.
  /// - Parameter error: What came of compiling all of them.
  /// - Returns: The sources compiled; none where the errors don't tell which files are at fault.
  func prepareSound(
    of sources: [URL], module: String, stubs: [StubFile], after error: any Error
  ) async -> [URL] {
    var rest = sources
    var problem = error
    while true {
      let said = (problem as? PolicyCompilationError)?.diagnostics ?? []
      let faulty = Set(said.filter { $0.severity == .error }.compactMap(\.file))
      let sound = rest.filter { !faulty.contains($0.relativePath) }
      if sound.isEmpty || sound.count == rest.count { return [] }
      rest = sound
      do {
        try await prepare(rest, module: module, stubs: stubs)
        return rest
      } catch {
        problem = error
      }
    }
  }
}

extension [StubFile] {
  /// - Throws: ``Diagnostics`` where no policies could import what they stand for.
  func requirePolicies(_ sources: [URL]) throws {
    if isEmpty || !sources.isEmpty { return }
    throw Diagnostics([
      Diagnostic(
        file: "--stubs",
        "no policies were found that could import these modules: give them with --policies and --module, or leave "
          + "out --stubs")
    ])
  }
}

/// Policies of files some or all of which don't compile.
private struct PartlyUsablePolicies: PolicyProvider {
  /// Those of the other files, if there are any.
  let usable: PolicyLibrary?
  let error: any Error
  /// Classes that no file declares, so that the error isn't why they are missing.
  let undeclared: Set<String>

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? {
    if let policy = try usable?.makePolicy(named: name) { return policy }
    if usable != nil, undeclared.contains(name) { return nil }
    throw error
  }

  var policyNames: [String]? { usable?.policyNames }
}
