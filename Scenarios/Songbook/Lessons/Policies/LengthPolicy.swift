import CoreData

/// Only a function for expressions; all else is left to Core Data.
class LengthPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "lengthOf:", $source.text)`
  func length(of text: String?) -> Int {
    text?.count ?? 0
  }
}
