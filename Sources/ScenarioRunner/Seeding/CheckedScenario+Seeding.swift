extension CheckedScenario {
  /// Whether a start's seed has objects made by rule, so that there can be more or fewer of them.
  package func isScalable(from start: String) -> Bool {
    (seed(for: start)?.generatedCount ?? 0) > 0
  }

  /// The scenario with about `count` objects made by rule in each seed, in the seed's proportions.
  /// Rows written by hand, extremes and violations stay as many as they are.
  package func scaled(to count: Int) -> CheckedScenario {
    CheckedScenario(scenario: scenario.scaled(to: count), models: models, starts: starts)
  }

  /// Makes an SQLite store of a start version with its seed, durable when this returns.
  ///
  /// - Parameter url: Where nothing is yet.
  /// - Returns: How many objects it has.
  /// - Throws: ``Diagnostics`` for a seed that its model refuses, or a start with a store of its own;
  ///   `CoreDataError` when the file can't be written. Nothing is left there then.
  /// - Complexity: In memory, as the rows written by hand; in time, as all objects.
  @discardableResult
  package func makeStore(at url: URL, start: String) throws -> Int {
    let store = try SQLiteStore.create(at: url, model: try model(start))
    do {
      _ = try fill(store, from: start)
      try store.checkpointAndClose()
      return try objectCount(from: start)
    } catch {
      // The first error is the one to tell.
      try? store.discard()
      if let diagnostic = error as? Diagnostic { throw Diagnostics([diagnostic]) }
      throw error
    }
  }

  /// Puts a start's seed into a new store.
  /// - Parameter recordsGenerated: Whether objects made by rule are among the origins, which takes
  ///   memory for each.
  /// - Returns: The objects as the origins of everything to come.
  func fill(
    _ store: PersistentStore, from start: String, recordsGenerated: Bool = false
  ) throws -> Provenance {
    guard let seed = seed(for: start) else { return Provenance() }
    var provenance = try Seeder.seed(
      seed.handwritten, version: start, into: ManagedObjectContext(readingFrom: store))
    if seed.generators.isEmpty { return provenance }
    let plan = try seedPlan(from: start, seed)
    try store.beginBulk(undoesSaves: false)
    let writer = try SeedWriter(plan, into: store, beside: provenance.ids(in: store))
    try writer.write()
    if recordsGenerated { writer.enumerateObjects { provenance.add($0, $1, $2) } }
    try store.endBulk(durably: true)
    return provenance
  }

  private func objectCount(from start: String) throws -> Int {
    guard let seed = seed(for: start) else { return 0 }
    return try seed.handwritten.count + seedPlan(from: start, seed).count
  }

  private func seedPlan(from start: String, _ seed: Seed) throws -> SeedPlan {
    let collector = DiagnosticCollector()
    let plan = SeedPlan(seed, version: start, model: try model(start), collector: collector)
    try collector.throwIfAny()
    return plan
  }

  /// What all objects made by rule come to, the same on every machine; nil without any.
  /// - Throws: ``Diagnostics`` when the start isn't one of the scenario's.
  package func seedDigest(from start: String) throws -> String? {
    guard let seed = seed(for: start), !seed.generators.isEmpty else { return nil }
    return try seedPlan(from: start, seed).digest()
  }
}

extension Provenance {
  /// The objects of the seed that were written by hand, as identifiers in its store.
  fileprivate func ids(in store: PersistentStore) -> [ManagedObjectID] {
    current.flatMap { $0 }.compactMap { key in
      store.model.entity(named: key.entity).map {
        ManagedObjectID(entity: $0, primaryKey: key.primaryKey, store: store)
      }
    }
  }

  /// Adds an object made by rule, called by its number.
  mutating func add(_ block: GeneratedBlock, _ row: Int, _ id: ManagedObjectID) {
    let entity = block.entity.name
    let name = block.name(row)
    let label = name ?? "\(row + 1) of line \(block.notation.place.line)"
    add(Origin(entity: entity, name: name, label: "\(entity) \(label)"), id)
  }
}
