import CoreData

/// Found as `Traps.LegacyToModernPolicy` only.
class LegacyToModernPolicy: NSEntityMigrationPolicy {}

/// Found by its bare name too, because it has one in Objective-C.
@objc(LegacySongPolicy)
class LegacySongPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "loud:", $source.name)`
  @objc(loud:)
  func makeLoud(_ name: String) -> String {
    name.uppercased()
  }
}
