import CoreData

/// Notes the names of people in the manager's user info, for the policies of other mappings.
class NotesPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    guard sInstance.entity.name == "Person", let name = sInstance.value(forKey: "name") else {
      return
    }
    var notes = manager.userInfo ?? [:]
    notes["names"] = (notes["names"] as? [String] ?? []) + ["\(name)"]
    manager.userInfo = notes
  }

  /// The names noted so far, or `none` where nobody has noted any.
  @objc func notedNames(forManager manager: NSMigrationManager) -> String {
    (manager.userInfo?["names"] as? [String])?.joined(separator: ", ") ?? "none"
  }

  @objc func isNoted(_ name: String, manager: NSMigrationManager) -> NSNumber {
    NSNumber(value: (manager.userInfo?["names"] as? [String])?.contains(name) == true)
  }
}
