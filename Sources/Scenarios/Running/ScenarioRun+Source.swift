// What is in the store before the chain starts.

extension ScenarioRun {
  package func prepareSource() throws {
    let model = try scenario.model(start)
    if case .store(let path) = scenario.seed(for: start)?.content {
      let stored = try modelOfStore(path) ?? model
      try adoptStore(path, model: stored)
      // None of the app's versions fits: that is for the chain to say.
      if stored !== model { return }
    } else {
      try seedStore(model)
    }
    guard finalVersion != start else { return }
    let store = try stores.openCurrent(model: model)
    try checkWaypoint(start, store, step: nil)
    sourceCheckCount = result.checkCount
  }

  /// Where the scenario names its store; its title, if it has rows.
  var sourcePlace: SourcePlace {
    if case .store(let path) = scenario.seed(for: start)?.content { return path.place }
    return scenario.scenario.title.place
  }

  private func seedStore(_ model: ManagedObjectModel) throws {
    let store = try stores.createSource(model: model)
    provenance = try scenario.fill(store, from: start, recordsGenerated: true)
    // Rows of the scenario's own are sound where they were validated.
    if let seed = scenario.seed(for: start),
      !seed.isValidated || seed.plan?.blocks.contains(where: { !$0.violations.isEmpty }) == true
    {
      seedDamage = try Self.damage(of: store)
    }
    try stores.sealSource(store)
  }

  /// The store's own model, where it is of none of the scenario's versions.
  private func modelOfStore(_ path: Located<String>) throws -> ManagedObjectModel? {
    let url = scenario.scenario.folder.resolving(path.value)
    guard scenario.models.names(fitting: try SQLiteStore.metadata(at: url)).isEmpty else {
      return nil
    }
    // Without it the store fits no version, and that is the error.
    let own = try OwnModel(ofStoreAt: url)
    result.notes.append("the store '\(path.value)' matches none of the versions. \(own)")
    guard case .usable(let model, let maker) = own else { return nil }
    if maker != .coreData { sourceUnknowns.append(.refusal(ofStoreBy: maker)) }
    return model
  }

  private func adoptStore(_ path: Located<String>, model: ManagedObjectModel) throws {
    let url = scenario.scenario.folder.resolving(path.value)
    do {
      try stores.copySource(from: url, model: model)
      try stores.sealSource(nil)
      let store = try stores.openCurrent(model: model)
      provenance = try Self.origins(of: store)
      if let store = store as? SQLiteStore {
        result.notes += try store.ignoredSchema().map { "the store '\(path.value)', \($0)" }
        result.notes += try rowsLeftBehind(of: store).map {
          "the store '\(path.value)', left behind: \($0.text)"
        }
      }
    } catch let error as CoreDataError {
      throw error.at(file: path.value)
    }
  }

  /// Rows of the app's own that no step takes along: persistent history is Core Data's.
  private func rowsLeftBehind(of store: SQLiteStore) throws -> [StoreInspection.TableRows] {
    guard finalVersion != start else { return [] }
    return try store.rowsBesideTheModel().filter { !$0.isHistory }
  }

  /// Every object of an existing store is an origin without a name.
  private static func origins(of store: PersistentStore) throws -> Provenance {
    var provenance = Provenance()
    for entity in store.model.entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      try store.enumerateRows(matching: query) { row in
        let label = "\(entity.name) p\(row.objectID.primaryKey)"
        provenance.add(
          Provenance.Origin(entity: entity.name, name: nil, label: label), row.objectID)
        return true
      }
    }
    return provenance
  }
}

extension StoreInspection.TableRows {
  /// Which rows no migration takes along, and of what kind they are.
  package var text: String {
    let rows = (rows ?? 0).counted("row")
    if let column { return "\(table).\(column), \(rows), a column of no property" }
    return "\(table), \(rows), \(isHistory ? "persistent history" : "a table of no entity")"
  }
}
