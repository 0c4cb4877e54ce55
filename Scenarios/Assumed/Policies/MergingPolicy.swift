import CoreData

/// Makes one object of all that have the same name, which it is associated with.
final class MergingPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let name = source.value(forKey: "name") as? String ?? ""
    var made = manager.userInfo as? [String: NSManagedObject] ?? [:]
    guard let known = made[name] else {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      made[name] =
        manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
        .first
      manager.userInfo = made
      return
    }
    manager.associate(sourceInstance: source, withDestinationInstance: known, for: mapping)
  }
}
