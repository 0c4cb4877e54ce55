import CoreData

/// Version 3 has an Author for each name that version 2 kept in its books.
final class BookToBookPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard
      let book = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [sInstance]
      ).first,
      let name = sInstance.value(forKey: "authorName") as? String
    else { return }
    book.setValue(try author(named: name, in: manager.destinationContext), forKey: "author")
  }

  private func author(
    named name: String, in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.predicate = NSPredicate(format: "%K == %@", "name", name)
    request.fetchLimit = 1
    if let known = try context.fetch(request).first { return known }
    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
    author.setValue(name, forKey: "name")
    return author
  }
}
