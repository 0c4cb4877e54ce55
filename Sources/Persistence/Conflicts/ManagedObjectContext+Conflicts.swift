// Finding the conflicts behind a store's refusal.
//
// A store stops at the first conflict it meets, each store at another. So its refusal only says that
// there are some; which, is found here from what the stores hold, the same for all.

extension ManagedObjectContext {
  /// Has the merge policy resolve the conflicts that made a store refuse a save.
  /// - Throws: The policy's error; the store's own when no conflict is found.
  final func resolveConflicts(behind error: any Error) throws {
    guard let refusal = error as? CoreDataError,
      refusal.code == .managedObjectMerge || refusal.code == .managedObjectConstraintMerge
    else { throw error }
    let versions = try versionConflicts()
    do {
      if !versions.isEmpty {
        try mergePolicy.resolve(optimisticLockingConflicts: versions)
      } else {
        let constraints = try constraintConflicts()
        if constraints.isEmpty { throw refusal }
        try mergePolicy.resolve(constraintConflicts: constraints)
      }
    } catch let failure as CoreDataError {
      throw failure.at(file: refusal.place.file)
    }
    didMergeChangesOfOthers()
  }

  /// To be called when changes of others were merged into changed objects.
  final func didMergeChangesOfOthers() {
    mergedChangesOfOthers = true
    mendLinks()
  }

  /// Has both sides of the links that are to be saved say the same, and be saved.
  final func mendLinks() {
    for object in updated where object.context === self { object.mendPartners() }
    let again = inserted.filter { $0.isInserted && $0.version != 0 }
    for object in updated + again where object.context === self { object.mendOwners() }
  }

  /// Resolves all conflicts before any of several stores is written.
  final func resolveConflictsBeforehand() throws {
    for _ in 1...16 {
      let versions = try versionConflicts()
      let constraints = versions.isEmpty ? try constraintConflicts() : []
      if versions.isEmpty && constraints.isEmpty { return }
      try mergePolicy.resolve(mergeConflicts: versions + constraints)
      didMergeChangesOfOthers()
    }
  }

  // MARK: Versions

  /// Objects to be updated or deleted whose rows aren't as they were read, and those to be made again
  /// whose rows others made again already.
  final func versionConflicts() throws -> [MergeConflict] {
    let changed = updated.filter { !$0.isMarkedDeleted && !$0.isInserted } + deletedRows
    let conflicts = try changed.compactMap { object in
      let row = try storedRow(for: object.objectID)
      return row?.version == object.version ? nil : MergeConflict(object, row: row)
    }
    let again = inserted.filter { $0.isInserted && $0.version != 0 }
    return try conflicts
      + again.compactMap { object in
        try storedRow(for: object.objectID).map { MergeConflict(object, row: $0) }
      }
  }

  // MARK: Uniqueness

  final func constraintConflicts() throws -> [ConstraintConflict] {
    let changed = (updated + inserted).filter { !$0.isMarkedDeleted }
    let constraints = UniquenessConstraint.all(of: persistentStoreCoordinator.managedObjectModel)
    return try constraints.flatMap { try conflicts(under: $0, among: changed) }
  }

  private func conflicts(
    under constraint: UniquenessConstraint, among changed: [ManagedObject]
  ) throws -> [ConstraintConflict] {
    var (keys, objects): ([[Value]], [[Value]: [ManagedObject]]) = ([], [:])
    for object in changed {
      guard let key = constraint.key(of: object.entity, object.values),
        try store(for: object)?.keepsUniquenessConstraints != false
      else { continue }
      if objects[key] == nil { keys.append(key) }
      objects[key, default: []].append(object)
    }
    return try keys.compactMap { key in
      let rivals = objects[key] ?? []
      let stored = try storedRival(of: rivals, key: key, under: constraint)
      if stored == nil && rivals.count < 2 { return nil }
      return ConstraintConflict(constraint, key: key, stored: stored, changed: rivals)
    }
  }

  /// The stored object that keeps the values through this save.
  private func storedRival(
    of objects: [ManagedObject], key: [Value], under constraint: UniquenessConstraint
  ) throws -> ManagedObject? {
    guard let first = objects.first, let store = try store(for: first),
      let owner = try reading({ try store.owner(of: key, under: constraint) })
    else { return nil }
    let rival = object(with: owner)
    if rival.isMarkedDeleted || rival.state.contains(.updated) { return nil }
    // It may have been read before others saved it.
    rival.turnIntoFault()
    rival.fireFault()
    return rival
  }

  private func store(for object: ManagedObject) throws -> PersistentStore? {
    let coordinator = persistentStoreCoordinator
    if !object.objectID.current.isTemporaryID {
      return coordinator?.store(of: object.objectID.current)
    }
    return try object.objectID.persistentStore ?? coordinator?.store(forNew: object.entity)
  }
}
