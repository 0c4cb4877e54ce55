import CoreData

/// For apps whose entities are called like their classes: no names in quotes.
extension NSManagedObject {
  class var entityName: String { return NSStringFromClass(self).components(separatedBy: ".").last! }

  class func requestForAll() -> NSFetchRequest<NSManagedObject> {
    return NSFetchRequest<NSManagedObject>(entityName: entityName)
  }

  class func insertNewObject(into context: NSManagedObjectContext) -> Self {
    return NSEntityDescription.insertNewObject(forEntityName: entityName, into: context) as! Self
  }

  /// Whether it failed is told by the result, whatever `error` was before.
  class func allObjects(
    in context: NSManagedObjectContext, error: inout Error?
  ) -> [NSManagedObject]? {
    let objects = fetch(in: context, error: &error)
    if objects == nil { NSLog("Problems fetching objects: %@", "\(error!)") }
    return objects
  }

  /// The same with a mistake: an error of an earlier fetch is taken for one of this time.
  class func allObjectsJudgedByTheError(
    in context: NSManagedObjectContext, error: inout Error?
  ) -> [NSManagedObject]? {
    let objects = fetch(in: context, error: &error)
    if objects == nil || error != nil { NSLog("Old problems fetching objects: %@", "\(error!)") }
    return objects
  }

  /// As Objective-C's methods do it: `error` is set by a failure, and left alone by a success.
  private class func fetch(
    in context: NSManagedObjectContext, error: inout Error?
  ) -> [NSManagedObject]? {
    do { return try context.fetch(requestForAll()) } catch let failure {
      error = failure
      return nil
    }
  }
}
