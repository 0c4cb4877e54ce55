import CoreData

/// Gives new songs what `awakeFromInsert()` would have given them.
class CuringPolicy: NSEntityMigrationPolicy {
  /// `FUNCTION($entityPolicy, "identifierFor:", $source)`
  @objc func identifier(for song: NSManagedObject) -> String {
    let name = song.value(forKey: "name") as? String ?? ""
    return "song-" + name.lowercased()
  }

  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let songs = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: nil)
    for song in songs where song.value(forKey: "length") == nil {
      let text = song.value(forKey: "text") as? String
      song.setValue(text?.utf8.count ?? 0, forKey: "length")
    }
  }
}
