import CoreData

struct TotalError: LocalizedError, CustomNSError {
  static let errorDomain = "SongbookErrorDomain"
  let errorCode = 55
  let expected: Int
  let found: Int

  var errorDescription: String? { "The songs count \(found) lines, the album says \(expected)." }
}

/// Refuses to finish when the songs don't add up to what their album says.
class CheckedTotalPolicy: NSEntityMigrationPolicy {
  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let albums = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: nil)
    for album in albums {
      let songs = album.value(forKey: "songs") as? Set<NSManagedObject> ?? []
      let found = songs.reduce(0) { $0 + ($1.value(forKey: "lines") as? Int ?? 0) }
      let expected = album.value(forKey: "totalLines") as? Int ?? 0
      guard found == expected else { throw TotalError(expected: expected, found: found) }
    }
  }
}
