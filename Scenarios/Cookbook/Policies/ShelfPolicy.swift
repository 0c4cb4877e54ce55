import CoreData

/// Puts each book on the shelf of its title's first letter.
final class ShelfPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let title = sInstance.value(forKey: "title") as? String ?? ""
    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
    book.setValue(title, forKey: "title")
    book.setValue(try shelf(String(title.prefix(1)).uppercased(), in: context), forKey: "shelf")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: book, for: mapping)
  }

  private func shelf(_ letter: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
    request.predicate = NSPredicate(format: "letter == %@", letter)
    if let known = try context.fetch(request).first { return known }
    let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
    shelf.setValue(letter, forKey: "letter")
    return shelf
  }
}
