// Writing rows of new objects before the save.

extension ManagedObjectContext {
  /// Has new objects spilled to rows from now on, where store and model allow it: a new store that is
  /// being filled, and a model whose objects are all that their rows say.
  ///
  /// For a context whose one store nobody else uses, before its first object.
  /// - Parameter didReadBack: Called when the context keeps its new objects again, all of which are in
  ///   memory then.
  package final func spillNewObjects(
    limits: SpillLimits = .current, didReadBack: @escaping () -> Void
  ) {
    guard let coordinator = persistentStoreCoordinator, coordinator.persistentStores.count == 1,
      let store = coordinator.store as? any SpillingStore, inserted.isEmpty, !announces,
      let spilled = SpilledNewObjects(in: store, limits: limits)
    else { return }
    spilled.didReadBack = didReadBack
    store.anchor.holdsUnsavedRows = true
    coordinator.spillingContext = self
    registry.recent.start(of: store.model)
    newObjects = spilled
  }

  /// Writes what is new and changed. What can't be written is kept, with all else: the save will say
  /// what is wrong with it.
  final func spill(_ spilled: SpilledNewObjects) throws {
    if inserted.isEmpty && spilled.rewritten.isEmpty { return }
    let batch: SpillBatch?
    do {
      batch = try spilled.store.spill(new: inserted, changed: spilled.rewritten)
    } catch {
      return try readBack(spilled)
    }
    spilled.didWrite(new: inserted)
    if hasPendingIndexes { pendingIndexes.forgetHierarchies { !spilled.hierarchies[$0].isKept } }
    letGo(spilled)
    if let batch { spilled.store.writeOnSecondThread(batch) }
  }

  /// Keeps written objects no longer. Those that others have are found by the list from now on.
  private func letGo(_ spilled: SpilledNewObjects) {
    registry.recent.removeAll()
    while var object = inserted.popLast() {
      if !isKnownUniquelyReferenced(&object) { registry.insert(object) }
    }
    spilled.rewritten.removeAll(keepingCapacity: true)
  }
}

extension SpilledNewObjects {
  /// Notes what was written, and keeps what has to stay.
  fileprivate func didWrite(new: [ManagedObject]) {
    links.removeAll(keepingCapacity: true)
    for object in rewritten { didWrite(object) }
    for object in new {
      didWrite(object)
      let hierarchy = object.hierarchyIndex
      assert(
        hierarchies[hierarchy].lastWrittenKey < object.objectID.primaryKey,
        "a row is written a second time, or before an older one")
      hierarchies[hierarchy].lastWrittenKey = object.objectID.primaryKey
      if hierarchies[hierarchy].isKept { keep(object, in: hierarchy) }
    }
  }

  private func didWrite(_ object: ManagedObject) {
    object.didSpill()
    if !object.state.contains(.held), !entities[object.storeIndex].isExact(object.values) {
      object.state.insert(.held)
      held.append(object)
    }
  }

  private func keep(_ object: ManagedObject, in hierarchy: Int) {
    hierarchies[hierarchy].residents.append(object)
    if hierarchies[hierarchy].residents.count > limits.kept {
      hierarchies[hierarchy].isKept = false
      hierarchies[hierarchy].residents = []
    }
  }
}

extension ManagedObject {
  /// The row holds all of the object now.
  fileprivate func didSpill() {
    state.insert(.written)
    state.remove([.tracked, .rewritten])
    changedSlots = 0
    forgetToMany(ofNewObject: false)
  }

  /// To be called before a written object changes.
  func becomeRewritten() {
    fireFault()
    changedSlots = 0
    state.insert(.rewritten)
    withContext { context in
      context.newObjects.willRewrite(self, in: context)
    }
  }
}

// MARK: - The end

// The end of spilling: by a save, by giving up, or by going on with all objects in memory.

extension ManagedObjectContext {
  /// Saves what was spilled, and what wasn't yet, without validating it.
  final func save(_ spilled: SpilledNewObjects, forgetting: Bool) throws {
    try spill(spilled)
    // What couldn't be written was read back.
    guard newObjects === spilled else { return }
    // Who has to do with duplicates has all objects at hand.
    guard try spilled.store.rowsAreUnique() else { return try readBack(spilled) }
    try spilled.store.confirmUnsavedRows(lastKeys: spilled.hierarchies.map(\.lastKey))
    stopSpilling(spilled)
    for object in registry.all { object.becomeSaved() }
    if forgetting { forgetObjects() }
    clearChanges()
  }

  /// Whether every new object is valid; those that were written, by their rows.
  final func rowsAreValid(_ spilled: SpilledNewObjects) throws -> Bool {
    try spill(spilled)
    guard newObjects === spilled else { return false }
    for entity in spilled.store.model.entities
    where spilled.entities[entity.storeIndex].hasRules && !entity.isAbstract {
      let required = spilled.entities[entity.storeIndex].required
      if let required, try spilled.store.allRows(of: entity, have: required) { continue }
      if try !rowsAreValid(of: entity, in: spilled.store) { return false }
    }
    return true
  }

  private func rowsAreValid(of entity: EntityDescription, in store: PersistentStore) throws -> Bool
  {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    var areValid = true
    try store.enumerateRows(matching: query) { row in
      let object =
        registry.object(row.objectID) ?? ManagedObject(row.objectID, row: row, context: self)
      areValid = object.validationErrors().isEmpty
      return areValid
    }
    return areValid
  }

  /// Gives up all new objects, for a migration that failed.
  final func abandon(_ spilled: SpilledNewObjects) {
    let objects = registry.all
    for object in objects { forget(object) }
    for object in objects { object.state = [] }
    // The store is given up.
    try? spilled.store.removeUnsavedRows(lastKeys: spilled.hierarchies.map(\.lastKey))
    stopSpilling(spilled)
    clearChanges()
  }

  private func stopSpilling(_ spilled: SpilledNewObjects) {
    spilled.store.anchor.holdsUnsavedRows = false
    spilled.links = []
    registry.recent.stop()
    persistentStoreCoordinator?.spillingContext = nil
    newObjects = KeptNewObjects()
    forgetPendingIndexes()
  }

  // MARK: Going on without

  /// Has all new objects in memory again and no rows of them in the store; for whatever can't be done
  /// while they are there. From now on new objects are kept until they are saved.
  final func readBack(_ spilled: SpilledNewObjects) throws {
    // What couldn't be spilled may have been read back by now.
    guard newObjects === spilled else { return }
    spilled.settleLinks()
    try spilled.store.finishWriting()
    var hierarchies = try spilled.hierarchies.indices.map { try readBack(hierarchy: $0, spilled) }
    for object in hierarchies.joined() { object.loadSpilledLinks(of: spilled) }
    for object in inserted { object.loadSpilledLinks(of: spilled) }
    for object in inserted {
      hierarchies[object.entity.hierarchyIndex].append(object)
    }
    spilled.didReadBack()
    for object in hierarchies.joined() { object.becomeUnwritten() }
    for object in inserted { registry.insert(object) }
    registry.recent.stop()
    inserted = spilled.order.objects(of: hierarchies)
    try spilled.store.removeUnsavedRows(lastKeys: spilled.hierarchies.map(\.lastKey))
    stopSpilling(spilled)
  }

  /// The written objects of a hierarchy, with their values.
  private func readBack(hierarchy: Int, _ spilled: SpilledNewObjects) throws -> [ManagedObject] {
    let root = spilled.store.model.entities[hierarchy]
    guard spilled.hierarchies[hierarchy].lastWrittenKey > 0 else { return [] }
    var objects: [ManagedObject] = []
    let last = spilled.hierarchies[hierarchy].lastWrittenKey
    try spilled.store.enumerateRows(matching: StoreQuery(entity: root)) { row in
      if row.objectID.primaryKey <= last { objects.append(object(for: row)) }
      return true
    }
    return objects
  }
}

extension InsertionOrder {
  /// The objects of all hierarchies in the order in which they were inserted.
  fileprivate func objects(of hierarchies: [[ManagedObject]]) -> [ManagedObject] {
    var places = [Int](repeating: 0, count: hierarchies.count)
    var all: [ManagedObject] = []
    for run in runs {
      let (hierarchy, end) = (Int(run.hierarchy), places[Int(run.hierarchy)] + Int(run.count))
      all += hierarchies[hierarchy][places[hierarchy]..<min(end, hierarchies[hierarchy].count)]
      places[hierarchy] = end
    }
    return all
  }
}

extension ManagedObject {
  /// Reads the members of all to-many relationships, as a new object has them.
  fileprivate func loadSpilledLinks(of spilled: SpilledNewObjects) {
    for relationship in spilled.entities[entity.storeIndex].toMany
    where state.contains(.written) || !toMany.isEmpty {
      let again = ToManyDestinations(ofNewObject: true)
      for id in destinationIDs(of: relationship) { again.add(known(id)) }
      pendingMembers(of: relationship, are: again)
    }
    for relationship in entity.relationships where !relationship.isToMany {
      if let id = destinationID(of: relationship) { values[relationship.slot] = .object(known(id)) }
    }
  }

  private func pendingMembers(
    of relationship: RelationshipDescription, are members: ToManyDestinations
  ) {
    if toMany.isEmpty { toMany = ContiguousArray(repeating: nil, count: entity.slotCount) }
    toMany[relationship.slot] = members
  }

  /// The identifier that the object itself has, which is told when it becomes permanent.
  private func known(_ id: ManagedObjectID) -> ManagedObjectID {
    context?.registeredObject(for: id)?.objectID ?? id
  }

  fileprivate func becomeUnwritten() {
    state = [.inserted, .tracked]
    snapshot = nil
  }

  fileprivate func becomeSaved() {
    objectID = ManagedObjectID(permanent: objectID)
    state = state.contains(.fault) ? .fault : []
    version = 1
    snapshot = nil
    toMany = []
    if isFault { return }
    for relationship in entity.relationships where !relationship.isToMany {
      if let id = destinationID(of: relationship) {
        values[relationship.slot] = .object(ManagedObjectID(permanent: id))
      }
    }
  }
}
