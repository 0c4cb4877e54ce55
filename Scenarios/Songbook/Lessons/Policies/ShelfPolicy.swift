import CoreData

/// Finds or makes the one shelf, and records how many songs were there when each one came.
class ShelfPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let before = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Song"))
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let song = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance]
    ).first
    song?.setValue(before, forKey: "position")
    song?.setValue(try shelf(in: context), forKey: "shelf")
  }

  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let shelf = try shelf(in: manager.destinationContext)
    let titles = try firstTwoTitles(in: manager.destinationContext)
    shelf.setValue(titles.joined(separator: ", "), forKey: "label")
  }

  /// The one shelf: fetched, though nothing has been saved yet.
  private func shelf(in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
    request.fetchLimit = 1
    if let shelf = try context.fetch(request).first { return shelf }
    return NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
  }

  private func firstTwoTitles(in context: NSManagedObjectContext) throws -> [String] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    request.predicate = NSPredicate(format: "NOT title BEGINSWITH[c] %@", "x")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    request.fetchLimit = 2
    return try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
  }
}
