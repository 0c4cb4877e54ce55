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
    if let batch { spilled.store.writeBehind(batch) }
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
    rewritten.forEachUncounted { didWrite($0) }
    new.forEachUncounted { object in
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
    withContext { context in uncounted(context.newObjects) { $0.willRewrite(self, in: context) } }
  }
}
