import CoreData

/// Derives a song's slug from its title.
class SlugPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "slugFor:", $source.title)`
  func slug(for title: String) -> String {
    title.lowercased().split(separator: " ").joined(separator: "-")
  }
}
