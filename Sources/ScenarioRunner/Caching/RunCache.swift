/// What one run may take from the cache, and what it leaves there: its seeded store, and its store
/// after each step but the last, which is always executed.
struct RunCache {
  let cache: StoreCache
  /// By step: key of the store after it. The first is that of the seed.
  private let keys: [String]
  /// Copies of what was taken.
  private let scratch: URL

  /// Rows of the seed, by the keys they got.
  struct Seeded: Codable {
    let keys: [Provenance.Key]
  }

  /// A store after a step.
  struct Migrated: Codable {
    let report: ExecutedStep
    /// What each object of the seed had become.
    let current: [[Provenance.Key]]
  }

  /// - Parameter scratch: A folder of the run's own.
  /// - Throws: When something that the keys depend on can't be read.
  init(_ cache: StoreCache, for scenario: CheckedScenario, start: String, scratch: URL) throws {
    self.cache = cache
    self.scratch = scratch
    keys = try RunKeys(scenario: scenario, start: start).all()
  }

  /// Removes the stores after steps that were kept of a scenario.
  static func forgetSteps(of scenario: CheckedScenario, start: String, in cache: StoreCache) {
    // What can't be read now has no keys under which anything was kept.
    let keys = (try? RunKeys(scenario: scenario, start: start).all()) ?? []
    for key in keys.dropFirst() { cache.discard(cache.folder.appending(path: key)) }
  }

  // MARK: The seed

  /// Copies the seeded store to a place.
  func takeSeed(to place: URL) -> Seeded? {
    cache.take(keys[0], as: Seeded.self, to: PersistentStoreFiles(place))
  }

  func keepSeed(_ store: URL, _ provenance: Provenance) {
    let keys = provenance.current.compactMap(\.first)
    guard keys.count == provenance.current.count else { return }
    cache.keep(PersistentStoreFiles(store), with: Seeded(keys: keys), as: self.keys[0])
  }

  // MARK: Steps

  /// Copies the store after a step, counted from 0.
  func take(step: Int) -> (store: URL, content: Migrated)? {
    guard keys.indices.contains(step + 2) else { return nil }
    let folder = scratch.appending(path: "step-\(step)")
    // Without the folder nothing is taken.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = folder.appending(path: "store.sqlite")
    return cache.take(keys[step + 1], as: Migrated.self, to: PersistentStoreFiles(store))
      .map { (store, $0) }
  }

  func keep(step: Int, _ store: URL, _ report: ExecutedStep, _ provenance: Provenance) {
    guard keys.indices.contains(step + 2) else { return }
    cache.keep(
      PersistentStoreFiles(store), with: Migrated(report: report, current: provenance.current),
      as: keys[step + 1])
  }
}
