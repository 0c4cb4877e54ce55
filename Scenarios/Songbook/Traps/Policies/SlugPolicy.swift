import CoreData

/// Derives a song's slug from its title.
class SlugPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "slugFor:", $source.title)`
  @objc func slug(for title: String) -> String {
    title.lowercased().split(separator: " ").joined(separator: "-")
  }
}
