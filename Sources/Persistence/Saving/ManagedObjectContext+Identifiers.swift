// From temporary to permanent identifiers.

extension ManagedObjectContext {
  /// Gives new objects the identifiers they will have in the store, before the save that writes
  /// them.
  /// - Complexity: O(*n*) in the number of unsaved changes, so ask for many objects at once.
  public final func obtainPermanentIDs(for objects: [ManagedObject]) throws {
    try requireWritable()
    try keepNewObjects()
    let new = objects.filter { $0.objectID.isTemporaryID && $0.context === self }
    guard let coordinator = persistentStoreCoordinator else { throw CoreDataError.noCoordinator }
    try coordinator.lock.withLock { try assignPermanentIDs(to: new) }
    for object in new { adoptPermanentID(object) }
    if new.isEmpty { return }
    for object in inserted + updated { object.makeMembersPermanent() }
  }

  /// Says which store a new object is to be saved in. Unless said, it is the first whose
  /// configuration has its entity.
  ///
  /// A saved object raises, and a store that doesn't take the entity.
  public final func assign(_ object: ManagedObject, to store: PersistentStore) {
    do {
      try keepNewObjects()
      try requireAssignable(object, to: store)
      object.objectID.persistentStore = store
    } catch { ExceptionTrap.raise(error) }
  }

  private func requireAssignable(_ object: ManagedObject, to store: PersistentStore) throws {
    if !object.objectID.isTemporaryID {
      if object.objectID.storeNumber == store.number { return }
      throw CoreDataError.reassignment(of: object)
    }
    guard persistentStoreCoordinator.persistentStores.contains(where: { $0 === store }),
      store.configuration.contains(object.entity)
    else { throw CoreDataError.unfitStore(store, for: object) }
  }

  /// Reserves keys store by store and hierarchy by hierarchy, in order of insertion.
  final func assignPermanentIDs(to objects: [ManagedObject]) throws {
    let new = objects.filter { $0.objectID.isTemporaryID && $0.objectID.successor == nil }
    if new.isEmpty { return }
    guard let coordinator = persistentStoreCoordinator else { throw CoreDataError.noCoordinator }
    guard let only = coordinator.persistentStores.first, coordinator.store === only else {
      return try assignPermanentIDs(to: new, byStoresOf: coordinator)
    }
    try assignPermanentIDs(to: new, in: only)
  }

  private func assignPermanentIDs(
    to new: [ManagedObject], byStoresOf coordinator: PersistentStoreCoordinator
  ) throws {
    var (stores, objects): ([PersistentStore], [StoreNumber: [ManagedObject]]) = ([], [:])
    for object in new {
      let store =
        try object.objectID.persistentStore
        ?? coordinator.store(forNew: object.entity)
      if objects[store.number] == nil { stores.append(store) }
      objects[store.number, default: []].append(object)
    }
    for store in stores { try assignPermanentIDs(to: objects[store.number] ?? [], in: store) }
  }

  private func assignPermanentIDs(to new: [ManagedObject], in store: PersistentStore) throws {
    var countByHierarchy: [Int: Int] = [:]
    for object in new where object.objectID.hasRowKey {
      object.objectID.successor = ManagedObjectID(permanent: object.objectID)
    }
    let new = new.filter { !$0.objectID.hasRowKey }
    for object in new { countByHierarchy[object.entity.rootEntity.storeIndex, default: 0] += 1 }
    var nextKey: [Int: Int64] = [:]
    for (hierarchy, count) in countByHierarchy {
      let root = store.model.entities[hierarchy]
      nextKey[hierarchy] = try store.reservePrimaryKeys(count, for: root)
    }
    for object in new {
      let hierarchy = object.entity.rootEntity.storeIndex
      guard let key = nextKey[hierarchy] else { continue }
      object.objectID.successor = ManagedObjectID(
        entity: object.entity, primaryKey: key, store: store)
      nextKey[hierarchy] = key + 1
    }
  }

  final func adoptPermanentID(_ object: ManagedObject) {
    guard let permanent = object.objectID.successor else { return }
    unregister(object.objectID)
    object.objectID = permanent
    register(object)
  }

  /// After a refused save new objects go by their temporary identifiers again, also where others
  /// refer to them: the next attempt gives them new keys.
  final func takeBackPermanentIDs() {
    var temporary: [ObjectIdentifier: ManagedObjectID] = [:]
    for object in inserted {
      guard let permanent = object.objectID.successor else { continue }
      temporary[ObjectIdentifier(permanent)] = object.objectID
      object.objectID.successor = nil
    }
    if temporary.isEmpty { return }
    for object in inserted + updated { object.takeBackReferences(temporary) }
  }
}
