/// The policies beside a model that its mapping files name.
struct PoliciesBeside {
  let sources: [URL]
  let module: String?

  /// - Throws: When a Swift file can't be read: the class might be in it.
  init(_ model: VersionedModel, for mappings: MappingFolder) throws {
    let classes = mappings.candidates.flatMap(\.model.entityMappings)
      .compactMap(\.entityMigrationPolicyClassName)
    let found = try HopPolicies(
      of: Array(Set(classes)).sorted(), given: [], module: nil,
      below: ModelHome(ofModelAt: model.url).folder)
    (sources, module) = (found.sources, found.module)
  }

  var note: String? {
    guard let module, !sources.isEmpty else { return nil }
    let names = sources.map(\.lastPathComponent).joined(separator: ", ")
    return "policies found beside the model: \(names), compiled as the module \(module)"
  }

  /// Compiles them. Nobody asked for just these files, so that what is wrong with them is told only when
  /// one is needed.
  func compiled(by compiler: PolicyCompiler) async -> any PolicyProvider {
    guard let module, !sources.isEmpty else { return PolicyRegistry() }
    do {
      return try await compiler.library(of: sources, module: module)
    } catch {
      return UnusablePolicies(error: error)
    }
  }
}

/// Policies that don't compile.
private struct UnusablePolicies: PolicyProvider {
  let error: any Error

  func makePolicy(named name: String) throws -> EntityMigrationPolicy? { throw error }
}
