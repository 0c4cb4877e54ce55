import CoreData

@objc public protocol SortedByDefault {
  static func defaultSortDescriptors() -> [NSSortDescriptor]
}

extension SortedByDefault where Self: NSManagedObject {
  public static func findAll(
    with predicate: NSPredicate?, context: NSManagedObjectContext
  ) -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: Self.entity().name!)
    request.predicate = predicate
    request.sortDescriptors = defaultSortDescriptors()
    do {
      return try context.fetch(request)
    } catch {
      print("Failed to fetch: \(error)")
      return []
    }
  }
}

final class Song: NSManagedObject, SortedByDefault {
  static func defaultSortDescriptors() -> [NSSortDescriptor] {
    return [NSSortDescriptor(key: #keyPath(Song.title), ascending: true)]
  }

  @NSManaged var title: String?
  @NSManaged var initial: String?
}
