import CoreData

/// The comma-separated tags of an event become one Tag object per distinct name.
class TagsPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: context)
    let keys = event.entity.attributesByName.keys.filter {
      sInstance.entity.attributesByName[$0] != nil
    }
    for key in keys {
      event.setValue(sInstance.value(forKey: key), forKey: key)
    }
    for name in tagNames(in: sInstance.value(forKey: "tags") as? String) {
      for tag in try findOrCreateTags(named: name, in: context) {
        tag.mutableSetValue(forKey: "events").add(event)
      }
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: event, for: mapping)
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
    request.predicate = NSPredicate(format: "name LIKE %@", literalPattern(of: name))
    let found = try context.fetch(request)
    if !found.isEmpty { return found }
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    tag.setValue(name, forKey: "name")
    return [tag]
  }

  /// A pattern for LIKE that only this text matches: `*`, `?` and `\` stand for themselves.
  private func literalPattern(of text: String) -> String {
    guard text.contains(where: { $0 == "*" || $0 == "?" || $0 == "\\" }) else { return text }
    return text.map { "*?\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
