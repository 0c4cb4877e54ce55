/// What one run may take from the cache, and what it leaves there: its store after each step but the last,
/// which is always executed. Rows of a seed are written faster than a kept store is checked.
struct RunCache {
  let cache: StoreCache
  /// By step: key of the store after it.
  private let keys: [String]
  /// Copies of what was taken.
  private let scratch: URL

  /// A store after a step.
  struct Migrated: Codable {
    let report: ExecutedStep
    /// What each object of the seed had become.
    let current: [[Provenance.Key]]
  }

  /// Nil for a run of one step, of which nothing is kept.
  /// - Parameter scratch: A folder of the run's own.
  /// - Throws: When something that the keys depend on can't be read.
  init?(_ cache: StoreCache, for scenario: CheckedScenario, start: String, scratch: URL) throws {
    if scenario.steps(from: start).count < 2 { return nil }
    self.cache = cache
    self.scratch = scratch
    keys = try RunKeys(scenario: scenario, start: start).all()
  }

  /// Removes the stores after steps that were kept of a scenario.
  static func forgetSteps(of scenario: CheckedScenario, start: String, in cache: StoreCache) {
    // What can't be read now has no keys under which anything was kept.
    let keys = (try? RunKeys(scenario: scenario, start: start).all()) ?? []
    for key in keys { cache.discard(cache.folder.appending(path: key)) }
  }

  /// Copies the store after a step, counted from 0.
  func take(step: Int) -> (store: URL, content: Migrated)? {
    guard keys.indices.contains(step + 1) else { return nil }
    let folder = scratch.appending(path: "step-\(step)")
    // Without the folder nothing is taken.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = folder.appending(path: "store.sqlite")
    return cache.take(keys[step], as: Migrated.self, to: PersistentStoreFiles(store))
      .map { (store, $0) }
  }

  func keep(step: Int, store: URL, report: ExecutedStep, provenance: Provenance) {
    guard keys.indices.contains(step + 1) else { return }
    cache.keep(
      PersistentStoreFiles(store), with: Migrated(report: report, current: provenance.current),
      as: keys[step])
  }
}
