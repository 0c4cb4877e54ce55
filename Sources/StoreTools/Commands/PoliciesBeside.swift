/// The policies beside a model that its mapping files name.
struct PoliciesBeside {
  let sources: [URL]
  let module: String?
  /// Classes that no file there declares.
  private let missing: [String]

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: MappingFolder) throws {
    let classes = mappings.candidates.flatMap(\.model.entityMappings)
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

  /// Compiles them. Nobody asked for just these files, so that what is wrong with them is told only when
  /// one is needed.
  func compiled(
    by compiler: PolicyCompiler, stubs: [StubFile]
  ) async -> any PolicyProvider {
    guard let module, !sources.isEmpty else { return PolicyRegistry() }
    do {
      return try await compiler.library(of: sources, module: module, stubs: stubs)
    } catch {
      return UnusablePolicies(error: error)
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

/// Policies that don't compile.
private struct UnusablePolicies: PolicyProvider {
  let error: any Error

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? { throw error }
}
