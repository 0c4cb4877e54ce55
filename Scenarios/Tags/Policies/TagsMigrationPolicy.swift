import CoreData

/// Locations 1.2: the comma-separated string of an event becomes one Tag object per distinct tag.
class TagsMigrationPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.entity.name == "Event" else {
      NSLog("Unexpected source class: %@", sInstance.entity.name ?? "none")
      return try super.createDestinationInstances(
        forSource: sInstance, in: mapping, manager: manager)
    }
    let context = manager.destinationContext
    let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
    for name in tagNames(in: sInstance.value(forKey: "tags") as? String) {
      for tag in try findOrCreateTags(named: name, in: context) {
        // The inverse fills the event's side.
        tag.mutableSetValue(forKey: "events").add(event)
      }
    }
    event.setValuesForKeys(values(of: sInstance))
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
  }

  /// What is copied as it is: every attribute, but not `tags`, which is a relationship now.
  func values(of event: NSManagedObject) -> [String: Any] {
    let keys = Array(event.entity.attributesByName.keys)
    var values = event.dictionaryWithValues(forKeys: keys)
    values.removeValue(forKey: "tags")
    return values
  }

  /// How a tag that exists already is recognised.
  func predicate(forTag name: String) -> NSPredicate {
    NSPredicate(format: "name LIKE %@", name)
  }

  private func tagNames(in text: String?) -> [String] {
    guard let text else { return [] }
    return text.components(separatedBy: ",")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }

  private func findOrCreateTags(
    named name: String, in context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    request.predicate = predicate(forTag: name)
    let found = try context.fetch(request)
    if found.count > 1 {
      NSLog("Warning. Found %d tags with name %@", found.count, name)
    }
    if !found.isEmpty { return found }
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    return [tag]
  }
}
