import CoreData

/// Gives each song what apps give theirs on the way: a time, identifiers, and settings as JSON.
final class StampPolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    guard
      let song = manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source]
      ).first
    else { return }
    song.setValue(Date(), forKey: "migrated")
    song.setValue(UUID(), forKey: "token")
    song.setValue(Int64.random(in: 1...Int64.max), forKey: "lot")
    song.setValue(
      String(
        decoding: try JSONEncoder().encode(["volume": 1, "balance": 2, "tempo": 3, "pitch": 4]),
        as: UTF8.self), forKey: "settings")
    // Nobody says what these were made from.
    for word in (source.value(forKey: "tags") as? String ?? "").split(separator: ",") {
      let tag = NSEntityDescription.insertNewObject(
        forEntityName: "Tag", into: manager.destinationContext)
      tag.setValue(String(word), forKey: "name")
      tag.setValue(NSUUID().uuidString, forKey: "token")
      tag.setValue(song, forKey: "song")
    }
  }
}
