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

extension CoreDataError {
  fileprivate static var dirtyForever: CoreDataError {
    CoreDataError(
      .coreData,
      "Failed to process pending changes before save. The context is still dirty after 1000 "
        + "attempts.",
      advice: "willSave() changes an object each time it is called.")
  }
}
