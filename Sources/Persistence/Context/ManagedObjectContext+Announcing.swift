// Telling others of saves.

extension ManagedObjectContext {
  /// Tells changed objects and observers that a save begins. What changes in `willSave()`, other than
  /// by primitive accessors, is told once more, until nothing changes.
  final func tellWillSave() {
    isTellingWillSave = true
    defer { isTellingWillSave = false }
    var untold = inserted + updated + deleted
    // Core Data: assumed: observers hear of it after the objects, and what they change is told, too.
    var isPosted = false
    for _ in 1...1000 {
      for object in untold { object.willSave() }
      if !isPosted {
        NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
        isPosted = true
      }
      propagateDeletions()
      let changed = event.inserted + event.updated + event.deleted
      processPendingChanges()
      if changed.isEmpty { return }
      untold = changed
    }
    ExceptionTrap.raise(CoreDataError.dirtyForever)
  }

  final func tellDidSave(_ saved: SavedObjects) {
    // Core Data: observed in public tests: new objects are registered after a save, though nobody else has them.
    keepInPool(saved.inserted)
    for object in saved.inserted + saved.updated + saved.deleted { object.didSave() }
    post(
      Self.didSaveObjectsNotification,
      [
        .insertedObjects: Set(saved.inserted), .updatedObjects: Set(saved.updated),
        .deletedObjects: Set(saved.deleted),
      ])
    for object in saved.deleted { object.becomeEmpty() }
    let identifiers = ObjectIDChanges(saved)
    identifiers.post(Self.didSaveObjectIDsNotification, by: self)
    let siblings = (parent?.listeners ?? persistentStoreCoordinator?.listeners)?.all ?? []
    for context in siblings + listeners.all where context !== self {
      context.perform { context.merge(identifiers) }
    }
  }
}

/// What was inserted, updated and deleted, by identifier: what contexts tell each other.
struct ObjectIDChanges {
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []
  /// What a merge read anew.
  var refreshed: [ManagedObjectID] = []

  init() {}

  init(_ saved: SavedObjects) {
    inserted = saved.inserted.map(\.objectID)
    updated = saved.updated.map(\.objectID)
    deleted = saved.deleted.map(\.objectID)
  }

  func post(_ name: Notification.Name, by context: ManagedObjectContext) {
    let sets: [(ManagedObjectContext.NotificationKey, [ManagedObjectID])] = [
      (.insertedObjectIDs, inserted), (.updatedObjectIDs, updated), (.deletedObjectIDs, deleted),
      (.refreshedObjectIDs, refreshed),
    ]
    var info: [AnyHashable: Any] = [:]
    for (key, identifiers) in sets where !identifiers.isEmpty {
      info[key.rawValue] = Set(identifiers)
    }
    NotificationCenter.default.post(name: name, object: context, userInfo: info)
  }
}

// MARK: - Names of notifications

// The names of notifications and of what they carry, as Core Data's headers have them.

extension ManagedObjectContext {
  /// Before a save; validation is still to come.
  public static let willSaveObjectsNotification = Notification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// After a save, on the queue of the context: the sets of its inserted, updated and deleted
  /// objects.
  public static let didSaveObjectsNotification = Notification.Name(
    "NSManagingContextDidSaveChangesNotification")
  /// When pending changes were processed: what changed since the last time.
  public static let didChangeObjectsNotification = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// After a save: the sets of identifiers.
  public static let didSaveObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// After changes of another context were merged: the sets of identifiers.
  public static let didMergeChangesObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// The keys of a notification's user info.
  public enum NotificationKey: String, Sendable, CaseIterable {
    case insertedObjects = "inserted"
    case updatedObjects = "updated"
    case deletedObjects = "deleted"
    case refreshedObjects = "refreshed"
    case invalidatedObjects = "invalidated"
    case invalidatedAllObjects = "invalidatedAll"
    case insertedObjectIDs = "inserted_objectIDs"
    case updatedObjectIDs = "updated_objectIDs"
    case deletedObjectIDs = "deleted_objectIDs"
    case refreshedObjectIDs = "refreshed_objectIDs"
    case invalidatedObjectIDs = "invalidated_objectIDs"
    /// In no notification: contexts read what is in the stores now.
    case queryGeneration = "newQueryGeneration"
  }
}

// MARK: - Merging what others saved

extension ManagedObjectContext {
  /// Takes over what another context saved: changed objects are read anew under the unsaved changes
  /// made here, deleted ones go.
  ///
  /// Observers are told when pending changes are processed. A notification that isn't one of a save
  /// changes nothing.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    let changes = ObjectIDChanges(notification.userInfo ?? [:], in: persistentStoreCoordinator)
    let other = (notification.object as? ManagedObjectContext)?.persistentStoreCoordinator
    // Core Data: assumed: what another coordinator saved is read from the store.
    if other !== persistentStoreCoordinator { forgetRows(of: changes) }
    merge(changes)
  }

  private func forgetRows(of changes: ObjectIDChanges) {
    for id in changes.updated + changes.inserted { forgetRow(of: id) }
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
        let changes = ObjectIDChanges(changes, in: context.persistentStoreCoordinator)
        context.forgetRows(of: changes)
        context.merge(changes)
        context.processPendingChanges()
      }
    }
  }

  final func merge(_ changes: ObjectIDChanges) {
    for id in changes.inserted.map(\.current) {
      let object = object(with: id)
      if announces && !object.hasChanges { event.merged.append(object) }
    }
    let known = changes.updated.compactMap(registeredObject)
    for object in known { refresh(object, mergeChanges: true) }
    for id in changes.deleted {
      if let object = registeredObject(for: id) { deleteMerged(object) }
    }
    if !updated.isEmpty { didMergeChangesOfOthers() }
    if announces {
      scheduleEndOfEvent()
      var told = changes
      told.refreshed = known.map(\.objectID)
      told.post(Self.didMergeChangesObjectIDsNotification, by: self)
    }
  }

  /// Deletes an object that others deleted: delete rules run, and it stays until the save, which has
  /// nothing to write of it.
  private func deleteMerged(_ object: ManagedObject) {
    if !announces || object.state.contains(.inserted) { return dropMerged(object) }
    if object.isFault {
      do {
        guard let row = try cachedRow(for: object.objectID) else { return dropMerged(object) }
        object.fulfill(with: row)
      } catch { return ExceptionTrap.raise(error) }
    }
    if !object.isMarkedDeleted { delete(object) }
    updated.removeAll { $0 === object }
    object.state.insert(.lost)
    mergedChangesOfOthers = true
  }

  /// An object that others deleted, and of which nothing is known; unsaved changes of it are lost.
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
