import CoreData

/// Leaves the events to Core Data: tags are made while events are, and linked in the second pass.
final class TagsInSecondPassPolicy: NSEntityMigrationPolicy {
  private var tagsByName: [String: NSManagedObject] = [:]

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    for name in tagNames(of: sInstance) where tagsByName[name] == nil {
      let tag = NSEntityDescription.insertNewObject(
        forEntityName: "Tag", into: manager.destinationContext)
      tag.setValue(name, forKey: "name")
      tagsByName[name] = tag
    }
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [dInstance])
    let tags = sources.flatMap(tagNames).compactMap { tagsByName[$0] }
    dInstance.setValue(Set(tags), forKey: "tags")
  }

  private func tagNames(of event: NSManagedObject) -> [String] {
    let text = event.value(forKey: "tags") as? String ?? ""
    return text.components(separatedBy: ",")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      .filter { !$0.isEmpty }
  }
}
