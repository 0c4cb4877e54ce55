extension CheckedScenario {
  /// Whether a start's seed has objects made by rule, so that there can be more or fewer of them.
  package func isScalable(from start: String) -> Bool {
    (scenario.seed(for: start)?.generatedCount ?? 0) > 0
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
      return objectCount(from: start)
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
  package func fill(
    _ store: PersistentStore, from start: String, recordsGenerated: Bool = false
  ) throws -> Provenance {
    guard let seed = seed(for: start) else { return Provenance() }
    let context = try ManagedObjectContext(readingFrom: store)
    var provenance = try Seeder.seed(seed.rows, into: context, seed.validation)
    guard let plan = seed.plan else { return provenance }
    try store.beginBulk(undoesSaves: false)
    let writer = try SeedWriter(plan, into: store, beside: provenance.ids(in: store))
    try writer.write()
    if recordsGenerated { writer.enumerateObjects { provenance.add($0, row: $1, id: $2) } }
    try store.endBulk(durably: true)
    return provenance
  }

  private func objectCount(from start: String) -> Int {
    guard let seed = seed(for: start) else { return 0 }
    return seed.rows.count + (seed.plan?.count ?? 0)
  }
}

extension ResolvedSeed {
  /// What of the model's rules its rows must keep.
  package var validation: Seeder.Validation {
    if !isValidated { return .none }
    return plan == nil ? .whole : .exceptTooFewLinks
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
  mutating func add(_ block: GeneratedBlock, row: Int, id: ManagedObjectID) {
    let entity = block.entity.name
    let name = block.name(row)
    let label = name ?? "\(row + 1) of line \(block.notation.place.line)"
    add(Origin(entity: entity, name: name, label: "\(entity) \(label)"), id)
  }
}
