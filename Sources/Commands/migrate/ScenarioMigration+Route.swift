// A scenario's chain for any store of one of its versions.

extension ScenarioMigration: RouteFinder {
  package func route(forStoreWith metadata: [String: Any]) throws -> MigrationRoute {
    let fitting = scenario.models.names(fitting: metadata)
    guard let first = fitting.first else { throw try missingModel(for: metadata) }
    let target = scenario.finalVersion(from: first)
    if fitting.contains(target) {
      return MigrationRoute(
        versions: fitting, source: try model(target), target: target,
        chain: MigrationChain(steps: []))
    }
    guard let start = fitting.first(where: { !scenario.steps(from: $0).isEmpty }) else {
      throw CoreDataError(
        .migrationMissingSourceModel, "No step starts at the store's version '\(first)'",
        advice: "add it to the chain of \(scenario.scenario.file.path)")
    }
    return MigrationRoute(
      versions: fitting, source: try model(start), target: target, chain: try chain(from: start))
  }

  /// The error that names the nearest version.
  private func missingModel(for metadata: [String: Any]) throws -> any Error {
    do {
      _ = try scenario.models.names.map(model).model(for: metadata)
      return CoreDataError(.migrationMissingSourceModel, "Can't find model for source store")
    } catch {
      return error
    }
  }
}
