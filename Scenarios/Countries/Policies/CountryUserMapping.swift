import CoreData

/// One policy for all countries. The mapping says which it is: its destination entity by its name,
/// unless its user info names the country.
final class CountryUserMapping: NSEntityMigrationPolicy {
  private static let newCities = ["Trosa": "Nora", "Loviisa": "Porvoo"]
  private static let countries = ["SwedenUser": "Sweden", "FinlandUser": "Finland"]

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let destination = mapping.destinationEntityName ?? ""
    let wanted = mapping.userInfo?["country"] as? String ?? Self.countries[destination]
    guard let country = sInstance.value(forKey: "userCountry") as? String, country == wanted else {
      return
    }
    let user = NSEntityDescription.insertNewObject(
      forEntityName: destination, into: manager.destinationContext)
    let city = sInstance.value(forKey: "userCity") as? String
    user.setValue(sInstance.value(forKey: "userName"), forKey: "userName")
    user.setValue(city.map { Self.newCities[$0] ?? $0 }, forKey: "userCity")
    manager.associate(sourceInstance: sInstance, withDestinationInstance: user, for: mapping)
  }
}
