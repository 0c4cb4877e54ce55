// The store that a run leaves behind.

extension ScenarioRun {
  /// What the store is at the end, for whoever opens it again; nil where there is nothing to open:
  /// for a run in memory, one that failed, or a store that none of the versions fits.
  ///
  /// A store that can't be read here is the run's failure.
  func ending() -> StoreEnding? {
    guard result.isPassed, let file = stores.currentFile else { return nil }
    defer { stores.stopReading() }
    do {
      return try ending(of: file)
    } catch {
      result.failures.append(
        Failure(
          error: error, at: scenario.scenario.title.place, step: facts.executedSteps.last?.name,
          "the store at the end"))
      return nil
    }
  }

  private func ending(of file: URL) throws -> StoreEnding? {
    let fitting = scenario.models.names(fitting: try stores.metadataOfCurrent())
    let isMigrated = facts.failure == nil
    guard let version = isMigrated ? finalVersion : fitting.first else { return nil }
    let store = try stores.openCurrent(model: scenario.model(version))
    return StoreEnding(
      store: file.path, version: version, isMigrated: isMigrated,
      digest: try StoreDigest(of: store, at: file))
  }
}
