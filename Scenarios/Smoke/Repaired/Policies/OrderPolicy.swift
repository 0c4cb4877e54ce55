import CoreData

/// Links the lines of an order, and adds up their amounts.
final class OrderPolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination order: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: order, in: mapping, manager: manager)
    let sources = manager.sourceInstances(
      forEntityMappingName: mapping.name, destinationInstances: [order])
    guard let source = sources.first else { return }
    let old = source.value(forKey: "lines") as? NSOrderedSet ?? []
    // One at a time: the order of several isn't promised.
    let lines = old.compactMap { $0 as? NSManagedObject }.flatMap { line in
      manager.destinationInstances(forEntityMappingName: "LineToLine", sourceInstances: [line])
    }
    order.setValue(NSOrderedSet(array: lines), forKey: "lines")
    let total = lines.reduce(Int64(0)) { $0 + Int64($1.value(forKey: "amount") as? Int32 ?? 0) }
    order.setValue(Int32(clamping: total), forKey: "total")
  }
}
