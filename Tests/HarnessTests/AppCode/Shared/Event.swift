import CoreData

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
