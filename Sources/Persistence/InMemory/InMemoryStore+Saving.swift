// Saving.

extension InMemoryStore {
  func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    try uniqueness.check(changes) { self.storedRow($0)?.values }
    generation += 1
    let keysBefore = changes.linksMayBeOneSided ? keys(of: changes.updated) : [:]
    for deletion in changes.deleted {
      leaveOwners(deletion.objectID, unreported: changes.linksMayBeOneSided)
      delete(deletion.objectID)
    }
    for change in changes.inserted { insert(change) }
    for change in changes.updated { update(change) }
    if !unanswered.isEmpty { writeUnanswered(changes) }
    if changes.linksMayBeOneSided { makeLinksTwoSided(changes, keysBefore) }
    for change in changes.inserted { takeBackStrays(change.objectID) }
  }

  private func checkVersions(_ changes: SaveRequest) throws {
    func check(_ id: ManagedObjectID, _ version: Int64) throws {
      if storedRow(id)?.version != version { throw CoreDataError.changedSinceRead(id) }
    }
    for change in changes.updated { try check(change.objectID, change.version) }
    for deletion in changes.deleted { try check(deletion.objectID, deletion.version) }
    for change in changes.inserted where change.version != 0 && storedRow(change.objectID) != nil {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
  }

  private func storedValues(of change: SaveRequest.ObjectChange) -> ContiguousArray<Value> {
    storedValues(change.values, of: change.objectID.entity)
  }

  /// The values that go into the store: transient ones end with their object, and SQLite, which
  /// this store stands for, has no "not a number": it keeps NULL.
  func storedValues(
    _ values: ContiguousArray<Value>, of entity: EntityDescription
  ) -> ContiguousArray<Value> {
    var values = values
    let entity = entity.storeIndex
    for slot in transientSlots[entity] where !values[slot].isNull { values[slot] = .null }
    for slot in numberSlots[entity] where values[slot].isNotANumber { values[slot] = .null }
    return values
  }

  private func insert(_ change: SaveRequest.ObjectChange) {
    let family = change.objectID.entity.rootEntity.storeIndex
    var row = InMemoryRow(
      id: change.objectID, version: change.version == 0 ? 1 : change.version,
      values: storedValues(of: change), toMany: [:])
    for toMany in change.toMany { apply(toMany, to: &row) }
    tables[family][change.objectID.primaryKey] = row
  }

  private func update(_ change: SaveRequest.ObjectChange) {
    let family = change.objectID.entity.rootEntity.storeIndex
    let values = storedValues(of: change)
    tables[family].change(change.objectID.primaryKey) { row in
      row.version += 1
      row.values = values
      for toMany in change.toMany { apply(toMany, to: &row) }
    }
  }

  private func apply(_ change: SaveRequest.ToManyChange, to row: inout InMemoryRow) {
    if !unanswered.isEmpty, change.relationship.isUnanswered { return }
    if let ordered = change.ordered {
      row.toMany[change.relationship.slot] = members(ordered, change, of: row)
      return
    }
    if change.added.isEmpty, change.removed.isEmpty { return }
    let slot = change.relationship.slot
    if row.toMany[slot] == nil {
      row.toMany[slot] = InMemoryMembers(change.added)
    } else {
      row.toMany[slot]?.change(removing: change.removed, adding: change.added)
    }
  }

  /// Batches give members to objects that hear nothing of it: those come last.
  private func members(
    _ ordered: [ManagedObjectID], _ change: SaveRequest.ToManyChange, of row: InMemoryRow
  ) -> InMemoryMembers {
    var members = InMemoryMembers(ordered)
    guard let known = row.toMany[change.relationship.slot]?.array, !known.isEmpty else {
      return members
    }
    let removed = Set(change.removed)
    members.append(contentsOf: known.filter { !removed.contains($0) })
    return members
  }

  private func delete(_ id: ManagedObjectID) {
    let family = id.entity.rootEntity.storeIndex
    let row = storedRow(id)
    if let row, !unanswered.isEmpty { dropUnanswered(row) }
    let members = row?.toMany.filter { !$0.value.isEmpty } ?? [:]
    tables[family].graves[id.primaryKey] = members
    tables[family][id.primaryKey] = nil
  }
}

extension Value {
  /// Whether the value is a number, or a date's, that isn't one.
  var isNotANumber: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}

extension CoreDataError {
  /// The conflict of two contexts over one row.
  static func changedSinceRead(_ id: ManagedObjectID) -> CoreDataError {
    CoreDataError(
      .managedObjectMerge, "Could not merge changes.",
      advice: "The row was changed or deleted by another context since this one read it; "
        + "refresh the object and save again."
    ).at(entity: id.entity.name, object: "\(id)")
  }
}
