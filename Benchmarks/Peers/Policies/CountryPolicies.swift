import CoreData

/// Takes the users of one country out of InternationalUser.
class CountryUserPolicy: NSEntityMigrationPolicy {
  var country: String { "" }
  /// A city that isn't called what it was, and what it is called now.
  var renamedCity: (old: String, new: String) { ("", "") }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard sInstance.entity.name == "InternationalUser" else { return }
    let name = sInstance.value(forKey: "name") as? String
    let city = sInstance.value(forKey: "city") as? String
    guard sInstance.value(forKey: "country") as? String == country else { return }

    let user = NSEntityDescription.insertNewObject(
      forEntityName: mapping.destinationEntityName!, into: manager.destinationContext)
    user.setValue(name, forKey: "name")
    user.setValue(city == renamedCity.old ? renamedCity.new : city, forKey: "city")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: user, for: mapping)
  }
}

final class SwedenUserPolicy: CountryUserPolicy {
  override var country: String { "Sweden" }
  override var renamedCity: (old: String, new: String) { ("Trosa", "Nora") }
}

final class FinlandUserPolicy: CountryUserPolicy {
  override var country: String { "Finland" }
  override var renamedCity: (old: String, new: String) { ("Loviisa", "Porvoo") }
}
