import CoreData

/// Notes the manager's progress on the objects it makes, rounded to four digits.
class ProgressPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let entity = mapping.destinationEntityName ?? ""
    let made = NSEntityDescription.insertNewObject(
      forEntityName: entity, into: manager.destinationContext)
    made.setValue(sInstance.value(forKey: "title"), forKey: "title")
    made.setValue(progress(of: manager), forKey: "whenMade")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: made, for: mapping)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    dInstance.setValue(progress(of: manager), forKey: "whenLinked")
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    let check = NSEntityDescription.insertNewObject(
      forEntityName: "Check", into: manager.destinationContext)
    check.setValue(progress(of: manager), forKey: "seen")
    check.setValue(manager.userInfo?["stepsBack"] as? Int ?? 0, forKey: "stepsBack")
  }

  /// The progress now; a value below the last one is counted in the manager's user info, which all
  /// policies share.
  private func progress(of manager: NSMigrationManager) -> Double {
    let now = Double(manager.migrationProgress)
    var notes = manager.userInfo ?? [:]
    let stepsBack = notes["stepsBack"] as? Int ?? 0
    if now < notes["last"] as? Double ?? 0 { notes["stepsBack"] = stepsBack + 1 }
    notes["last"] = now
    manager.userInfo = notes
    return (now * 10_000).rounded() / 10_000
  }
}
