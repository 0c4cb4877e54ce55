import CoreData

/// Makes an author of each author's name.
@objc(AuthorPolicy)
final class AuthorPolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    guard let name = sources.first?.value(forKey: "authorName") as? String else { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
    request.predicate = NSPredicate(format: "name == %@", name)
    var author = try manager.destinationContext.fetch(request).first
    if author == nil {
      author = NSEntityDescription.insertNewObject(
        forEntityName: "Author", into: manager.destinationContext)
      author?.setValue(name, forKey: "name")
    }
    dInstance.setValue(author, forKey: "author")
  }
}

/// Reads durations such as "45 min" and "1 h 20 min".
@objc(DurationPolicy)
final class DurationPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    let words = (sInstance.value(forKey: "duration") as? String ?? "").split(separator: " ")
    var minutes = 0
    for (number, unit) in zip(words, words.dropFirst()) {
      minutes += (Int(number) ?? 0) * (unit == "h" ? 60 : 1)
    }
    made.first?.setValue(minutes, forKey: "minutes")
  }
}
