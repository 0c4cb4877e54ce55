// Merging what other contexts saved.

extension ManagedObjectContext {
  /// Takes over what another context saved: changed objects are read anew under the unsaved changes
  /// made here, deleted ones go.
  ///
  /// Observers are told when pending changes are processed. A notification that isn't one of a save
  /// changes nothing.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    merge(ObjectIDChanges(notification.userInfo ?? [:], in: persistentStoreCoordinator))
  }

  /// Takes over what was saved elsewhere, by a batch request for example, into several contexts, each
  /// on its queue.
  /// - Parameter changes: Sets or arrays of identifiers, their URIs or objects, under the keys of
  ///   save notifications.
  public static func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [ManagedObjectContext]
  ) {
    for context in contexts {
      context.performAndWait {
        context.merge(ObjectIDChanges(changes, in: context.persistentStoreCoordinator))
        context.processPendingChanges()
      }
    }
  }

  final func merge(_ changes: ObjectIDChanges) {
    for id in changes.inserted.map(\.current) {
      let object = object(with: id)
      if announces && !object.hasChanges { event.merged.append(object) }
    }
    for id in changes.updated {
      if let object = registeredObject(for: id) { refresh(object, mergeChanges: true) }
    }
    for id in changes.deleted {
      if let object = registeredObject(for: id) { dropMerged(object) }
    }
    if !updated.isEmpty { didMergeChangesOfOthers() }
    if announces {
      scheduleEndOfEvent()
      changes.post(Self.didMergeChangesObjectIDsNotification, by: self)
    }
  }

  /// An object that others deleted; unsaved changes of it are lost.
  private func dropMerged(_ object: ManagedObject) {
    if announces { noteDeletion(of: object) }
    inserted.removeAll { $0 === object }
    updated.removeAll { $0 === object }
    deleted.removeAll { $0 === object }
    object.giveUpLinks()
    mergedChangesOfOthers = true
    object.state = object.isFault ? .fault : []
    forget(object)
  }
}

extension ObjectIDChanges {
  /// Reads the user info of a save's notification, or a dictionary like it.
  init(_ info: [AnyHashable: Any], in coordinator: PersistentStoreCoordinator?) {
    func identifiers(_ keys: [ManagedObjectContext.NotificationKey]) -> [ManagedObjectID] {
      keys.flatMap { Self.members(of: info[$0.rawValue]) }.compactMap { member in
        switch member {
        case let object as ManagedObject: object.objectID
        case let id as ManagedObjectID: id
        case let uri as URL: coordinator?.managedObjectID(forURIRepresentation: uri)
        default: nil
        }
      }
    }
    inserted = identifiers([.insertedObjects, .insertedObjectIDs])
    updated = identifiers([
      .updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs,
      .invalidatedObjects, .invalidatedObjectIDs,
    ])
    deleted = identifiers([.deletedObjects, .deletedObjectIDs])
  }

  private static func members(of value: Any?) -> [Any] {
    switch value {
    case let set as Set<ManagedObject>: Array(set)
    case let set as Set<ManagedObjectID>: Array(set)
    case let set as NSSet: set.allObjects
    case let array as [Any]: array
    case let set as Set<AnyHashable>: set.map(\.base)
    default: []
    }
  }
}
