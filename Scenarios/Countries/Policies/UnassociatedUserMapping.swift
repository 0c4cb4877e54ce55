import CoreData

/// As SwedenUserMapping and FinlandUserMapping, but the manager isn't told what became of whom.
final class UnassociatedUserMapping: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let country = sInstance.value(forKey: "userCountry") as? String,
      mapping.destinationEntityName == "\(country)User"
    else { return }
    let user = NSEntityDescription.insertNewObject(
      forEntityName: "\(country)User", into: manager.destinationContext)
    user.setValue(sInstance.value(forKey: "userName"), forKey: "userName")
    user.setValue(sInstance.value(forKey: "userCity"), forKey: "userCity")
  }
}
