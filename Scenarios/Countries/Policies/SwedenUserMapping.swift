import CoreData

/// Takes the users of Sweden out of InternationalUser. Those in Trosa are looked after from Nora.
final class SwedenUserMapping: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.entity.name == "InternationalUser" else { return }
    let name = sInstance.value(forKey: "userName") as? String
    let city = sInstance.value(forKey: "userCity") as? String
    let country = sInstance.value(forKey: "userCountry") as? String
    guard country == "Sweden" else { return }

    let user = NSEntityDescription.insertNewObject(
      forEntityName: "SwedenUser", into: manager.destinationContext)
    user.setValue(name, forKey: "userName")
    user.setValue(city == "Trosa" ? "Nora" : city, forKey: "userCity")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: user, for: mapping)
  }
}
