import CoreData

/// Answers in the last hook.
final class EndPolicy: NSEntityMigrationPolicy {
  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    for question in manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: nil)
    {
      question.setValue("in the end", forKey: "answer")
    }
    try super.end(mapping, manager: manager)
  }
}
