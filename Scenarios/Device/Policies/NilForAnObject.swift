import CoreData

final class ProbePolicy: NSEntityMigrationPolicy {
  @objc func text(_ note: NSString) -> String { note as String }
}
