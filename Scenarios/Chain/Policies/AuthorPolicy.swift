import CoreData

/// Makes an author of each author's name: one object per name, however many recipes carry it.
class AuthorPolicy: NSEntityMigrationPolicy {
  private var authors: [String: NSManagedObject] = [:]

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let name = sources.first?.value(forKey: "authorName") as? String else { return }
    dInstance.setValue(author(named: name, in: manager.destinationContext), forKey: "author")
  }

  private func author(named name: String, in context: NSManagedObjectContext) -> NSManagedObject {
    if let author = authors[name] { return author }
    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
    author.setValue(name, forKey: "name")
    authors[name] = author
    return author
  }
}
