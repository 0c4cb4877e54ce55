import CoreData

/// A class that opts in has finders for its objects, in an order of its own.
@objc public protocol CoreDataFinders {
  static func defaultSortDescriptors() -> [NSSortDescriptor]
}

extension CoreDataFinders where Self: NSManagedObject {
  /// All objects that meet a predicate; all there are for nil.
  public static func findAll(
    with predicate: NSPredicate?, context: NSManagedObjectContext
  ) -> [Self] {
    do { return try context.fetch(sortedRequest(predicate)) } catch {
      tell(error, predicate)
      return []
    }
  }

  public static func findFirst(
    with predicate: NSPredicate?, context: NSManagedObjectContext
  ) -> Self? {
    let request = sortedRequest(predicate)
    request.fetchLimit = 1
    do { return try context.fetch(request).first } catch {
      tell(error, predicate)
      return nil
    }
  }

  private static func sortedRequest(_ predicate: NSPredicate?) -> NSFetchRequest<Self> {
    let request: NSFetchRequest<Self> = NSFetchRequest(entityName: Self.entity().name!)
    request.predicate = predicate
    request.sortDescriptors = defaultSortDescriptors()
    return request
  }

  private static func tell(_ error: Error, _ predicate: NSPredicate?) {
    print("Failed to fetch by \(predicate?.description ?? "no predicate"): \(error)")
  }
}

extension NSEntityMigrationPolicy {
  /// Objects as they come, for a migration, which has no objects of the app's classes.
  static func find(
    entityName: String, in context: NSManagedObjectContext, sortDescriptors: [NSSortDescriptor],
    with predicate: NSPredicate? = nil, limit: Int? = nil
  ) throws -> [NSManagedObject] {
    let request: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: entityName)
    request.predicate = predicate
    request.sortDescriptors = sortDescriptors
    if let limit = limit { request.fetchLimit = limit }
    return try context.fetch(request)
  }
}
