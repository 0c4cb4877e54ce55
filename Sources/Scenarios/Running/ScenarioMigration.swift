/// The chain of a scenario with its mappings and policies, to be applied to any store of one of its
/// versions.
package struct ScenarioMigration {
  package let scenario: CheckedScenario
  private let policies: any PolicyProvider

  /// Compiles and loads the scenario's policies.
  /// - Throws: `PolicyCompilationError`; ``Diagnostics`` for sources that aren't there.
  package init(_ scenario: CheckedScenario, compiler: PolicyCompiler = .init()) async throws {
    self.scenario = scenario
    let loader = PolicyLoader(compiler, for: scenario)
    policies = try await loader.load(scenario.scenario.policies)
  }

  /// The model of a version.
  /// - Throws: ``Diagnostics`` when the scenario has no such version.
  package func model(_ version: String) throws -> ManagedObjectModel {
    try scenario.model(version)
  }

  /// The steps from a version to the end of the scenario's chain.
  package func chain(from version: String) throws -> MigrationChain {
    let steps = try scenario.steps(from: version).map {
      try MigrationStep($0, in: scenario, policies)
    }
    return MigrationChain(steps: steps, policies: policies)
  }
}
