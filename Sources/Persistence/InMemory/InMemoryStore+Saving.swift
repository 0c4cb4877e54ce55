// Saving.

extension InMemoryStore {
  func write(_ changes: SaveRequest) throws {
    try checkVersions(changes)
    try uniqueness.check(changes) { self.values(of: $0) }
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
      let stored = number(of: id).map { tables[hierarchy(of: id)].rows.version($0) }
      if stored != version { throw CoreDataError.changedSinceRead(id) }
    }
    for change in changes.updated { try check(change.objectID, change.version) }
    for deletion in changes.deleted { try check(deletion.objectID, deletion.version) }
    for change in changes.inserted where change.version != 0 && number(of: change.objectID) != nil {
      throw CoreDataError.changedSinceRead(change.objectID)
    }
  }

  private func values(of id: ManagedObjectID) -> ContiguousArray<Value>? {
    number(of: id).map { tables[hierarchy(of: id)].rows.values($0) }
  }

  /// Gives a row the values that go into the store: transient ones end with their object, and SQLite,
  /// which this store stands for, has no "not a number": it keeps NULL.
  /// - Parameter entity: Its entity's store index.
  func setValues(
    _ values: ContiguousArray<Value>, _ number: Int, hierarchy: Int, entity: Int
  ) {
    tables[hierarchy].rows.setValues(values, number)
    if transientSlots[entity].isEmpty, numberSlots[entity].isEmpty { return }
    tables[hierarchy].rows.changeValues(number) { row in
      for slot in transientSlots[entity] where !row[slot].isNull { row[slot] = .null }
      for slot in numberSlots[entity] where row[slot].isNotANumber { row[slot] = .null }
    }
  }

  private func insert(_ change: SaveRequest.ObjectChange, _ moves: inout MemberMoves) {
    let id = change.objectID
    let number = insertRow(
      id, version: change.version == 0 ? 1 : change.version, change.values, &moves)
    for toMany in change.toMany { apply(toMany, number, hierarchy: hierarchy(of: id)) }
  }

  /// Makes a row, and its object a member of its owners.
  /// - Returns: The row's number.
  func insertRow(
    _ id: ManagedObjectID, version: Int64, _ values: ContiguousArray<Value>,
    _ moves: inout MemberMoves
  ) -> Int {
    let (hierarchy, key) = (hierarchy(of: id), id.primaryKey)
    let entity = id.entity.storeIndex
    let number = tables[hierarchy].makeRow(key, id.entity, version: version)
    takeMembers(number, key: key, hierarchy: hierarchy)
    setValues(values, number, hierarchy: hierarchy, entity: entity)
    for place in memberKeys[entity].indices {
      let link = memberKeys[entity][place]
      if let owner = tables[hierarchy].rows.value(number, link.slot).objectID {
        moves.add(key, to: owner, link)
      }
    }
    return number
  }

  private func update(_ change: SaveRequest.ObjectChange, _ moves: inout MemberMoves) {
    let id = change.objectID
    let hierarchy = hierarchy(of: id)
    guard let number = number(of: id) else { return }
    setValues(change.values, of: id, number, &moves)
    tables[hierarchy].rows.setVersion(tables[hierarchy].rows.version(number) + 1, number)
    for toMany in change.toMany { apply(toMany, number, hierarchy: hierarchy) }
  }

  /// Gives a row other values, and has its object change owners as its keys do.
  func setValues(
    _ values: ContiguousArray<Value>, of id: ManagedObjectID, _ number: Int,
    _ moves: inout MemberMoves
  ) {
    let (hierarchy, entity) = (hierarchy(of: id), id.entity.storeIndex)
    for key in memberKeys[entity] {
      let before = tables[hierarchy].rows.value(number, key.slot)
      if before == values[key.slot] { continue }
      if let owner = before.objectID { moves.remove(id.primaryKey, from: owner, key) }
      if let owner = values[key.slot].objectID { moves.add(id.primaryKey, to: owner, key) }
    }
    setValues(values, number, hierarchy: hierarchy, entity: entity)
  }

  /// Links that both sides have, as this side reports them.
  private func apply(
    _ change: SaveRequest.ToManyChange, _ number: Int, hierarchy: Int
  ) {
    if change.added.isEmpty && change.removed.isEmpty { return }
    guard change.relationship.inverseRelationship?.isToMany == true else { return }
    tables[hierarchy].rows.changeMembers(number, change.relationship.slot) {
      $0.change(
        removing: change.removed.map(\.primaryKey), adding: change.added.map(\.primaryKey))
    }
  }

  /// Gives members the order that their owner reports. Those that it doesn't know come last: batches
  /// give members to objects that hear nothing of it.
  private func order(_ change: SaveRequest.ObjectChange) {
    for toMany in change.toMany where !toMany.relationship.isUnanswered {
      guard let ordered = toMany.ordered?.map(\.primaryKey) else { continue }
      self.change(change.objectID, toMany.relationship) { $0.order(as: ordered) }
    }
  }

  private func delete(_ id: ManagedObjectID) {
    let hierarchy = hierarchy(of: id)
    guard let number = number(of: id) else { return }
    if !unanswered.isEmpty { dropUnanswered(id, number) }
    var absent = AbsentRow(wasDeleted: true)
    for relationship in id.entity.relationships where relationship.followsKeys {
      let members = tables[hierarchy].rows.members(number, relationship.slot)
      if !members.isEmpty { absent.members.change(relationship.slot) { $0 = members } }
    }
    tables[hierarchy].absent[id.primaryKey] = absent
    tables[hierarchy].remove(id.primaryKey)
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
