import OrderedCollections

// Derived attributes. Core Data has SQLite compute them by triggers when something is saved; here
// every store computes them while it writes, which comes to the same and needs no triggers.

extension PersistentStore {
  /// Writes changes, and whatever is derived from what they change. What was read ahead is out of date then.
  public final func deriving(
    _ changes: SaveRequest, _ write: (SaveRequest) throws -> Void
  ) throws {
    generation += 1
    let plan = derivations
    if plan.isEmpty { return try write(changes) }
    try plan.check()
    let stamped = plan.stamped(changes, at: Surroundings.now)
    for changes in [stamped.inserted, stamped.updated] {
      for change in changes where plan.derives(change.objectID.entity) {
        rewritten.append(change.objectID)
      }
    }
    if derivesLater || plan.related.isEmpty { return try write(stamped) }
    let dependents = DependentRows(store: self)
    let before = stamped.updated.map(\.objectID) + stamped.deleted.map(\.objectID)
    let left = try plan.related.map { try dependents.objects(of: $0, leadingTo: before) }
    try write(stamped)
    var touched = OrderedSet((stamped.inserted + stamped.updated).map(\.objectID))
    let gone = Set(stamped.deleted.map(\.objectID))
    for (derivation, left) in zip(plan.related, left) {
      var ids = try dependents.objects(of: derivation, leadingTo: touched)
      ids.append(contentsOf: left)
      ids.removeAll(where: gone.contains)
      try rewrite(derivation, of: Array(ids))
      rewritten += ids
      touched.append(contentsOf: ids)
    }
  }

  /// The objects whose derived values hang on rows, by derivation.
  final func dependents(of ids: [ManagedObjectID]) throws -> [OrderedSet<ManagedObjectID>] {
    try derivations.related.map {
      try DependentRows(store: self).objects(of: $0, leadingTo: ids)
    }
  }

  /// Derives what hangs on rows that a statement changed.
  /// - Parameter earlier: The objects that hung on them before.
  final func deriveAfterUpdate(
    of ids: [ManagedObjectID], earlier: [OrderedSet<ManagedObjectID>]
  ) throws {
    let plan = derivations
    var touched = OrderedSet(ids)
    let time = Surroundings.now
    for derivation in plan.own {
      let own = ids.filter { $0.entity.isKindOf(entity: derivation.entity) }
      if derivation.isTime {
        try setTime(time, of: derivation, own)
      } else {
        try rewrite(derivation, of: own)
      }
    }
    for (derivation, earlier) in zip(plan.related, earlier) {
      var dependents = try DependentRows(store: self).objects(of: derivation, leadingTo: touched)
      dependents.append(contentsOf: earlier)
      try rewrite(derivation, of: Array(dependents))
      touched.append(contentsOf: dependents)
    }
  }

  /// The objects whose derived values were written since this was asked last.
  final func takeRewritten() -> Set<ManagedObjectID> {
    if rewritten.isEmpty { return [] }
    defer { rewritten = [] }
    return Set(rewritten)
  }

  /// For a save after which nobody has the objects any more.
  final func forgetRewritten() { rewritten.removeAll(keepingCapacity: true) }
}

extension DerivationPlan {
  /// The changes with the values that each object's own ones decide.
  fileprivate func stamped(_ changes: SaveRequest, at time: Date) -> SaveRequest {
    if own.isEmpty { return changes }
    var changes = changes
    let keepsTimes = changes.keepsDerivedTimes
    stamp(&changes.inserted, at: time, keepsTimes: keepsTimes)
    stamp(&changes.updated, at: time, keepsTimes: keepsTimes)
    return changes
  }

  private func stamp(
    _ changes: inout [SaveRequest.ObjectChange], at time: Date, keepsTimes: Bool
  ) {
    for index in changes.indices {
      let entity = changes[index].objectID.entity
      for derivation in own where entity.isKindOf(entity: derivation.entity) {
        let slot = derivation.attribute.slot
        if keepsTimes, derivation.isTime, !changes[index].values[slot].isNull { continue }
        let row = RowValues(entity: entity, values: changes[index].values)
        changes[index].values[slot] = derivation.value(for: row, at: time)
      }
    }
  }
}

/// The values of a row that isn't written yet.
private final class RowValues: KeyValueCoding {
  private let entity: EntityDescription
  private let values: ContiguousArray<Value>

  init(entity: EntityDescription, values: ContiguousArray<Value>) {
    self.entity = entity
    self.values = values
  }

  func typedValue(forKey key: String) throws -> Value {
    guard let property = entity.property(named: key) else {
      throw CoreDataError.unknownKeyPath(key, of: entity)
    }
    return values[property.slot]
  }
}

// MARK: - In objects

extension ManagedObjectContext {
  /// Gives objects the values that a store derived while it saved, as Core Data refreshes them.
  final func adoptDerivedValues(of store: PersistentStore) {
    for id in store.takeRewritten() {
      forgetRow(of: id)
      guard let object = registeredObject(for: id), !object.isFault else { continue }
      let stored: StoreRow?
      do { stored = try store.row(for: id) } catch {
        // The object's values would be those of before.
        ExceptionTrap.raise(error)
        continue
      }
      guard let row = stored else { continue }
      for derivation in store.derivations.derivations(of: id.entity) {
        object.adopt(row.values[derivation.attribute.slot], at: derivation.attribute.slot)
      }
    }
  }
}

extension ManagedObject {
  fileprivate func adopt(_ value: Value, at slot: Int) {
    values[slot] = value
    snapshot?[slot] = value
  }
}
