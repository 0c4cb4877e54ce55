import CoreData

/// Where the app's store is.
enum AppStore {
  nonisolated(unsafe) static var model: NSManagedObjectModel!
  nonisolated(unsafe) static var url = URL(fileURLWithPath: NSTemporaryDirectory())
    .appendingPathComponent(UUID().uuidString + ".sqlite")
  nonisolated(unsafe) static var openings = 0
}

extension NSManagedObjectContext {
  /// One for the whole app, made by whoever asks first; nil if the store can't be opened.
  static let appCoordinator: NSPersistentStoreCoordinator? = {
    AppStore.openings += 1
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: AppStore.model)
    do {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: AppStore.url,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
      return coordinator
    } catch {
      NSLog("Persistent store not opened: %@", error.localizedDescription)
      return nil
    }
  }()

  class func context(
    with concurrencyType: NSManagedObjectContextConcurrencyType
  ) -> NSManagedObjectContext? {
    guard let coordinator = appCoordinator else { return nil }
    let context = NSManagedObjectContext(concurrencyType: concurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return context
  }

  class func context() -> NSManagedObjectContext? {
    return context(with: .confinementConcurrencyType)
  }

  /// For the main queue: follows what all other contexts save.
  static let sharedContext: NSManagedObjectContext? = {
    let shared = context(with: .mainQueueConcurrencyType)
    NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { notification in
      shared?.mergeChangesToSharedContext(notification)
    }
    return shared
  }()

  private func mergeChangesToSharedContext(_ notification: Notification) {
    guard let saving = notification.object as? NSManagedObjectContext,
      saving.persistentStoreCoordinator === persistentStoreCoordinator, self !== saving,
      notification.userInfo != nil
    else { return }
    DispatchQueue.main.async {
      self.mergeChanges(fromContextDidSave: notification)
      self.processPendingChanges()
    }
  }
}
