import CoreData
import XCTest

final class TestedPolicy: NSEntityMigrationPolicy {
  private let predicate: NSPredicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
    NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "text"),
      rightExpression: NSExpression(forConstantValue: "one"), modifier: .direct, type: .notEqualTo,
      options: [])
  ])

  /// Whether a note is the first by its text, `one` apart.
  @objc func isFound(_ source: NSManagedObject) -> NSNumber {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    let found = try? source.managedObjectContext?.fetch(request)
    NSLog("found %d of %@", found?.count ?? 0, source.entity.name! as NSString)
    NSLog("looked")
    let archive = try? NSKeyedArchiver.archivedData(
      withRootObject: "found" as NSString, requiringSecureCoding: true)
    return NSNumber(value: archive != nil && found?.first == source)
  }
}
