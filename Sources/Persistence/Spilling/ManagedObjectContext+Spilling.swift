// Writing new objects before the save.

extension ManagedObjectContext {
  /// Has new objects written early from now on, where store and model allow it: a new store that is
  /// being filled, and a model whose objects are all that their rows say.
  ///
  /// For a context whose one store nobody else uses, before its first object.
  /// - Parameter didReadBack: Called when the context keeps its new objects again, all of which are in
  ///   memory then.
  package final func writeNewObjectsEarly(
    limits: SpillLimits = .current, didReadBack: @escaping () -> Void
  ) {
    guard let coordinator = persistentStoreCoordinator, coordinator.persistentStores.count == 1,
      let store = coordinator.store as? any EarlyStore, inserted.isEmpty, !announces,
      let unsaved = UnsavedRows(in: store, limits: limits)
    else { return }
    unsaved.didReadBack = didReadBack
    store.anchor.holdsUnsavedRows = true
    coordinator.earlyWriter = self
    registry.recent.start(of: store.model)
    self.unsaved = unsaved
  }

  /// Whether new objects are written early, and found again by their keys.
  package final var writesEarly: Bool { unsaved != nil }

  /// The identifier of a new object by its key.
  package final func identifier(ofNew key: Int64, entityIndex: Int) -> ManagedObjectID? {
    if let id = withUnsaved({ $0.identifier(ofEntityAt: entityIndex, key: key) }) { return id }
    guard let coordinator = persistentStoreCoordinator, let store = coordinator.store else {
      return nil
    }
    return ManagedObjectID(
      entity: coordinator.managedObjectModel.entities[entityIndex], primaryKey: key, store: store)
  }

  /// Writes what is new and changed, if that is much by now.
  @inline(__always)
  package final func writeEarlyIfDue() throws {
    guard let unsaved else { return }
    // Links keep their owners.
    let count = inserted.count + unsaved.rewritten.count + unsaved.links.count / 16
    if count >= unsaved.limits.waiting { try writeEarly(unsaved) }
  }

  /// Writes what is new and changed. What can't be written is kept, with all else: the save will say
  /// what is wrong with it.
  final func writeEarly(_ unsaved: UnsavedRows) throws {
    if inserted.isEmpty && unsaved.rewritten.isEmpty { return }
    let batch: EarlyBatch?
    do {
      batch = try unsaved.store.writeEarly(new: inserted, changed: unsaved.rewritten, unsaved)
    } catch {
      return try readBackUnsavedRows()
    }
    unsaved.didWrite(new: inserted)
    if hasPendingIndexes { pendingIndexes.forgetFamilies { !unsaved.families[$0].isKept } }
    letGo(unsaved)
    if let batch { unsaved.store.writeBehind(batch) }
  }

  /// Keeps written objects no longer. Those that others have are found by the list from now on.
  private func letGo(_ unsaved: UnsavedRows) {
    registry.recent.removeAll()
    while var object = inserted.popLast() {
      if !isKnownUniquelyReferenced(&object) { registry.insert(object) }
    }
    unsaved.rewritten.removeAll(keepingCapacity: true)
  }

  /// The new objects of a family that are in memory, in the order of their insertion: all where it is
  /// kept, else those whose rows aren't as they are.
  final func newObjects(ofFamily family: Int) -> [ManagedObject] {
    func belongs(_ object: ManagedObject) -> Bool { object.entity.familyIndex == family }
    guard let unsaved else { return inserted.filter(belongs) }
    let older =
      unsaved.families[family].isKept
      ? unsaved.families[family].residents : unsaved.rewritten.filter(belongs)
    return older + inserted.filter(belongs)
  }

  /// A written object is about to change.
  final func willRewrite(_ object: ManagedObject) {
    withUnsaved { unsaved in
      unsaved.rewritten.append(object)
      if hasPendingIndexes, !unsaved.families[object.familyIndex].isKept {
        pendingIndexes.willChange(object)
      }
    }
  }
}

extension UnsavedRows {
  /// Notes what was written, and keeps what has to stay.
  fileprivate func didWrite(new: [ManagedObject]) {
    links.removeAll(keepingCapacity: true)
    rewritten.forEachUncounted { didWrite($0) }
    new.forEachUncounted { object in
      didWrite(object)
      let family = object.familyIndex
      families[family].lastWrittenKey = object.objectID.primaryKey
      if families[family].isKept { keep(object, in: family) }
    }
  }

  private func didWrite(_ object: ManagedObject) {
    object.didWriteEarly()
    if !object.state.contains(.held), !entities[object.storeIndex].isExact(object.values) {
      object.state.insert(.held)
      held.append(object)
    }
  }

  private func keep(_ object: ManagedObject, in family: Int) {
    families[family].residents.append(object)
    if families[family].residents.count > limits.kept {
      families[family].isKept = false
      families[family].residents = []
    }
  }
}

extension ManagedObject {
  /// The row holds all of the object now.
  fileprivate func didWriteEarly() {
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
    withContext { $0.willRewrite(self) }
  }
}

extension ManagedObject {
  /// Gives a new object the key of its row.
  @inline(__always)
  func takeKey(of unsaved: UnsavedRows) {
    let id = unsaved.newIdentifier(of: entity)
    objectID.successor = id
    objectID = id
  }
}
