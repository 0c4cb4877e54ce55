import CoreData

/// Makes songs, but doesn't associate them with the old ones.
class ForgetfulPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let song = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    song.setValue(sInstance.value(forKey: "name"), forKey: "title")
  }
}
