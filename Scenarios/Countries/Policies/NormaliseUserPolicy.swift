import CoreData

/// Users named their city and country in words; now they share City and Country objects.
final class NormaliseUserPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let context = manager.destinationContext
    let user = NSEntityDescription.insertNewObject(forEntityName: "User", into: context)
    user.setValue(sInstance.value(forKey: "name"), forKey: "name")
    if let countryName = sInstance.value(forKey: "country") as? String {
      let country = try findOrCreate(
        "Country", where: NSPredicate(format: "name == %@", countryName),
        values: ["name": countryName], in: context)
      if let cityName = sInstance.value(forKey: "city") as? String {
        let city = try findOrCreate(
          "City", where: NSPredicate(format: "name == %@ AND country == %@", cityName, country),
          values: ["name": cityName, "country": country], in: context)
        user.setValue(city, forKey: "city")
      }
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: user, for: mapping)
  }

  private func findOrCreate(
    _ entityName: String, where predicate: NSPredicate, values: [String: Any],
    in context: NSManagedObjectContext
  ) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
    request.predicate = predicate
    request.fetchLimit = 1
    if let found = try context.fetch(request).first { return found }
    let made = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
    made.setValuesForKeys(values)
    return made
  }
}
