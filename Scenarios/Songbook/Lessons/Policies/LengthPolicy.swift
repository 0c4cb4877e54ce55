import CoreData

/// Only a function for expressions; all else is left to Core Data.
class LengthPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "lengthOf:", $source.text)`
  @objc func length(of text: String?) -> NSNumber {
    NSNumber(value: text?.count ?? 0)
  }
}
