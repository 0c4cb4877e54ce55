// Telling others of saves.

extension ManagedObjectContext {
  /// Tells changed objects and observers that a save begins. Objects may change themselves, and
  /// others, in `willSave()`; whatever they change is asked as well.
  final func tellWillSave() {
    NotificationCenter.default.post(name: Self.willSaveObjectsNotification, object: self)
    var told: Set<ObjectIdentifier> = []
    for _ in 1...1000 {
      let untold = (inserted + updated + deleted).filter {
        told.insert(ObjectIdentifier($0)).inserted
      }
      if untold.isEmpty { return }
      for object in untold { object.willSave() }
      processPendingChanges()
    }
    ExceptionTrap.raise(CoreDataError.dirtyForever)
  }

  final func tellDidSave(_ saved: SavedObjects) {
    for object in saved.inserted + saved.updated + saved.deleted { object.didSave() }
    post(
      Self.didSaveObjectsNotification,
      [
        .insertedObjects: Set(saved.inserted), .updatedObjects: Set(saved.updated),
        .deletedObjects: Set(saved.deleted),
      ])
    let identifiers = ObjectIDChanges(saved)
    identifiers.post(Self.didSaveObjectIDsNotification, by: self)
    let listening = parent?.listeners ?? persistentStoreCoordinator?.listeners
    for context in listening?.all ?? [] where context !== self {
      context.perform { context.merge(identifiers) }
    }
  }
}

/// What was inserted, updated and deleted, by identifier: what contexts tell each other.
struct ObjectIDChanges {
  var inserted: [ManagedObjectID] = []
  var updated: [ManagedObjectID] = []
  var deleted: [ManagedObjectID] = []

  init() {}

  init(_ saved: SavedObjects) {
    inserted = saved.inserted.map(\.objectID)
    updated = saved.updated.map(\.objectID)
    deleted = saved.deleted.map(\.objectID)
  }

  func post(_ name: Notification.Name, by context: ManagedObjectContext) {
    let sets: [(ManagedObjectContext.NotificationKey, [ManagedObjectID])] = [
      (.insertedObjectIDs, inserted), (.updatedObjectIDs, updated), (.deletedObjectIDs, deleted),
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
