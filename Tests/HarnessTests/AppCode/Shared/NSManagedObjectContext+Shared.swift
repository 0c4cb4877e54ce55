import CoreData

extension NSManagedObjectContext {
  private static let coordinator: NSPersistentStoreCoordinator? = Setup.open()

  class func context(
    with concurrencyType: NSManagedObjectContextConcurrencyType
  ) -> NSManagedObjectContext? {
    guard let coordinator = coordinator else { return nil }
    let context = NSManagedObjectContext(concurrencyType: concurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    return context
  }

  class func context() -> NSManagedObjectContext? {
    return context(with: .privateQueueConcurrencyType)
  }

  static let shared: NSManagedObjectContext? = {
    let shared = context(with: .mainQueueConcurrencyType)
    NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { notification in
      shared?.mergeChangesToShared(notification)
    }
    return shared
  }()

  private func mergeChangesToShared(_ notification: Notification) {
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

extension NSManagedObject {
  class func entityName() -> String {
    return NSStringFromClass(self).components(separatedBy: ".").last!
  }

  class func request() -> NSFetchRequest<NSManagedObject> {
    return NSFetchRequest<NSManagedObject>(entityName: entityName())
  }

  class func insertNewObject(into context: NSManagedObjectContext) -> NSManagedObject {
    return NSEntityDescription.insertNewObject(forEntityName: entityName(), into: context)
  }

  class func allObjects(in context: NSManagedObjectContext) -> [NSManagedObject]? {
    do {
      return try context.fetch(request())
    } catch let error as NSError {
      NSLog("Problems fetching objects: %@", error)
      return nil
    }
  }
}

@objc(Event)
class Event: NSManagedObject {
  @NSManaged var name: String?
  @NSManaged var seats: Int32

  class func event(named name: String, in context: NSManagedObjectContext) -> Event? {
    let request = self.request()
    request.predicate = NSPredicate(format: "%K == %@", #keyPath(Event.name), name)
    request.fetchLimit = 1
    return (try? context.fetch(request))?.first as? Event
  }
}
