// Saving.

extension InMemoryStore {
  func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    try uniqueness.check(changes) { self.storedRow($0)?.values }
    generation += 1
    var moves = MemberMoves()
    for deletion in changes.deleted {
      leaveOwners(deletion.objectID, unreported: changes.linksMayBeOneSided, &moves)
      delete(deletion.objectID)
    }
    for change in changes.updated { update(change, &moves) }
    for change in changes.inserted { insert(change, &moves) }
    // All rows are there before anything is linked, and all links before anything is ordered.
    carryOut(moves, inKeyOrder: changes.linksMayBeOneSided)
    if !unanswered.isEmpty { writeUnanswered(changes) }
    if changes.linksMayBeOneSided { makeLinksTwoSided(changes) }
    for change in changes.updated { order(change) }
    for change in changes.inserted { order(change) }
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

  private func insert(_ change: SaveRequest.ObjectChange, _ moves: inout MemberMoves) {
    let id = change.objectID
    var row = InMemoryRow(
      id: id, version: change.version == 0 ? 1 : change.version, values: storedValues(of: change),
      toMany: takeMembers(of: id))
    for toMany in change.toMany { apply(toMany, to: &row) }
    put(row, &moves)
  }

  /// Puts a new row in its table, and its object among the members of its owners.
  func put(_ row: InMemoryRow, _ moves: inout MemberMoves) {
    let entity = uncounted(row.id.entity) { $0.storeIndex }
    for place in memberKeys[entity].indices {
      let key = memberKeys[entity][place]
      if let owner = row.values[key.slot].objectID { moves.add(row.id, to: owner, key) }
    }
    tables[uncounted(row.id.entity) { $0.familyIndex }].put(row)
  }

  private func update(_ change: SaveRequest.ObjectChange, _ moves: inout MemberMoves) {
    let id = change.objectID
    let family = id.entity.rootEntity.storeIndex
    let values = storedValues(of: change)
    let before = tables[family].change(id.primaryKey) { row in
      defer {
        row.version += 1
        row.values = values
        for toMany in change.toMany { apply(toMany, to: &row) }
      }
      return row.values
    }
    if let before { move(id, from: before, to: values, &moves) }
  }

  /// Has a member change owners as its keys do.
  func move(
    _ id: ManagedObjectID, from before: ContiguousArray<Value>,
    to values: ContiguousArray<Value>, _ moves: inout MemberMoves
  ) {
    for key in memberKeys[id.entity.storeIndex] where before[key.slot] != values[key.slot] {
      if let owner = before[key.slot].objectID { moves.remove(id, from: owner, key) }
      if let owner = values[key.slot].objectID { moves.add(id, to: owner, key) }
    }
  }

  /// Links that both sides have, as this side reports them.
  private func apply(_ change: SaveRequest.ToManyChange, to row: inout InMemoryRow) {
    if change.added.isEmpty && change.removed.isEmpty { return }
    guard change.relationship.inverseRelationship?.isToMany == true else { return }
    let slot = change.relationship.slot
    row.toMany.change(slot) { $0.change(removing: change.removed, adding: change.added) }
  }

  /// Gives members the order that their owner reports. Those that it doesn't know come last: batches
  /// give members to objects that hear nothing of it.
  private func order(_ change: SaveRequest.ObjectChange) {
    for toMany in change.toMany where !toMany.relationship.isUnanswered {
      guard let ordered = toMany.ordered else { continue }
      self.change(change.objectID, toMany.relationship) { $0.order(as: ordered) }
    }
  }

  private func delete(_ id: ManagedObjectID) {
    let family = id.entity.rootEntity.storeIndex
    guard let row = storedRow(id) else { return }
    if !unanswered.isEmpty { dropUnanswered(row) }
    var absent = AbsentRow(wasDeleted: true)
    for relationship in id.entity.relationships where relationship.followsKeys {
      absent.members[relationship.slot] = row.toMany[relationship.slot]
    }
    tables[family].absent[id.primaryKey] = absent
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
