import CoreData

/// Takes the users of Finland out of InternationalUser. Those in Loviisa are looked after from
/// Porvoo.
final class FinlandUserMapping: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.entity.name == "InternationalUser" else { return }
    let name = sInstance.value(forKey: "userName") as? String
    let city = sInstance.value(forKey: "userCity") as? String
    let country = sInstance.value(forKey: "userCountry") as? String
    guard country == "Finland" else { return }

    let user = NSEntityDescription.insertNewObject(
      forEntityName: "FinlandUser", into: manager.destinationContext)
    user.setValue(name, forKey: "userName")
    user.setValue(city == "Loviisa" ? "Porvoo" : city, forKey: "userCity")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: user, for: mapping)
  }
}
