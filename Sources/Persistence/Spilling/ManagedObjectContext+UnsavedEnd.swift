// The end of writing early: by a save, by giving up, or by going on without.

extension ManagedObjectContext {
  /// Saves what was written early, and what wasn't yet, without validating it.
  final func saveUnsavedRows(_ unsaved: UnsavedRows, forgetting: Bool) throws {
    try writeEarly(unsaved)
    // What couldn't be written was read back.
    guard self.unsaved != nil else { return }
    // Who has to do with duplicates has all objects at hand.
    guard try unsaved.store.rowsAreUnique() else { return try readBackUnsavedRows() }
    try unsaved.store.confirmUnsavedRows(unsaved)
    stopWritingEarly(unsaved)
    for object in registry.all { object.becomeSaved() }
    if forgetting { forgetObjects() }
    clearChanges()
  }

  /// Whether every new object is valid; those that were written, by their rows.
  final func unsavedRowsAreValid(_ unsaved: UnsavedRows) throws -> Bool {
    try writeEarly(unsaved)
    guard self.unsaved != nil else { return false }
    for entity in unsaved.store.model.entities
    where unsaved.entities[entity.storeIndex].hasRules && !entity.isAbstract {
      let required = unsaved.entities[entity.storeIndex].required
      if let required, try unsaved.store.allRows(of: entity, have: required) { continue }
      if try !rowsAreValid(of: entity, in: unsaved.store) { return false }
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
  package final func abandonUnsavedRows() {
    guard let unsaved else { return }
    let objects = registry.all
    for object in objects { forget(object) }
    for object in objects { object.state = [] }
    // The store is given up.
    try? unsaved.store.removeUnsavedRows(keepingKeysOf: unsaved)
    stopWritingEarly(unsaved)
    clearChanges()
  }

  private func stopWritingEarly(_ unsaved: UnsavedRows) {
    unsaved.store.anchor.holdsUnsavedRows = false
    unsaved.store.didStopWritingEarly()
    unsaved.links = []
    registry.recent.stop()
    persistentStoreCoordinator?.earlyWriter = nil
    self.unsaved = nil
    forgetPendingIndexes()
  }

  // MARK: Going on without

  /// Has all new objects in memory again and no rows of them in the store; for whatever can't be done
  /// while they are there. From now on new objects are kept until they are saved.
  package final func readBackUnsavedRows() throws {
    guard let unsaved else { return }
    unsaved.settleLinks()
    try unsaved.store.finishWriting()
    var families = try unsaved.families.indices.map { try readBack(family: $0, unsaved) }
    for object in families.joined() { object.loadUnsavedLinks(of: unsaved) }
    for object in inserted { object.loadUnsavedLinks(of: unsaved) }
    for object in inserted {
      families[object.entity.familyIndex].append(object)
    }
    unsaved.didReadBack()
    for object in families.joined() { object.becomeUnwritten() }
    for object in inserted { registry.insert(object) }
    registry.recent.stop()
    inserted = unsaved.order.objects(of: families)
    try unsaved.store.removeUnsavedRows(keepingKeysOf: unsaved)
    stopWritingEarly(unsaved)
  }

  /// The written objects of a family, with their values.
  private func readBack(family: Int, _ unsaved: UnsavedRows) throws -> [ManagedObject] {
    let root = unsaved.store.model.entities[family]
    guard unsaved.families[family].lastWrittenKey > 0 else { return [] }
    var objects: [ManagedObject] = []
    let last = unsaved.families[family].lastWrittenKey
    try unsaved.store.enumerateRows(matching: StoreQuery(entity: root)) { row in
      if row.objectID.primaryKey <= last { objects.append(object(for: row)) }
      return true
    }
    return objects
  }

  /// What a non-throwing call can't do while rows are written early.
  final func readBackOrRaise() {
    do { try readBackUnsavedRows() } catch { ExceptionTrap.raise(error) }
  }
}

extension InsertionOrder {
  /// The objects of all families in the order in which they were inserted.
  fileprivate func objects(of families: [[ManagedObject]]) -> [ManagedObject] {
    var places = [Int](repeating: 0, count: families.count)
    var all: [ManagedObject] = []
    for run in runs {
      let (family, end) = (Int(run.family), places[Int(run.family)] + Int(run.count))
      all += families[family][places[family]..<min(end, families[family].count)]
      places[family] = end
    }
    return all
  }
}

extension ManagedObject {
  /// Reads the members of all to-many relationships, as a new object has them.
  fileprivate func loadUnsavedLinks(of unsaved: UnsavedRows) {
    for relationship in unsaved.entities[entity.storeIndex].toMany
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
