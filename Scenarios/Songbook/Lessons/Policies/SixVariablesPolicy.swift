import CoreData

/// Receives all the variables that a value expression knows.
class SixVariablesPolicy: NSEntityMigrationPolicy {
  @objc func describe(
    _ manager: NSMigrationManager, source: NSManagedObject, destination: NSManagedObject,
    mapping: NSEntityMapping, property: NSPropertyMapping, policy: NSEntityMigrationPolicy
  ) -> String {
    let facts = [
      "manager of \(manager.currentEntityMapping.name ?? "?")",
      "source \(source.entity.name ?? "?") \(source.value(forKey: "name") as? String ?? "?")",
      "destination \(destination.entity.name ?? "?")",
      "mapping \(mapping.name ?? "?")",
      "property \(property.name ?? "?")",
      policy === self ? "this policy" : "another policy",
    ]
    return facts.joined(separator: ", ")
  }
}
