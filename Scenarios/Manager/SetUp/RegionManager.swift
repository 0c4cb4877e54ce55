import CoreData

/// Migrates with what it was told of the shop, and counts what it makes.
final class RegionManager: NSMigrationManager {
  private var made = 0

  override func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    made += 1
    destinationInstance.setValue(made, forKey: "number")
    super.associate(
      sourceInstance: sourceInstance, withDestinationInstance: destinationInstance,
      for: entityMapping)
  }
}

/// Prices of a shop by its region's tax, which the app's manager has in its `userInfo`.
final class PricePolicy: NSEntityMigrationPolicy {
  @objc func price(of net: NSNumber, manager: NSMigrationManager) -> NSNumber {
    let info = manager.userInfo ?? [:]
    guard let taxes = info["taxes"] as? [String: Double], let region = info["region"] as? String,
      let tax = taxes[region]
    else { return -1 }
    return NSNumber(value: (net.doubleValue * (1 + tax)).rounded())
  }
}
