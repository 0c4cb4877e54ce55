import CoreData

/// Functions for value expressions that somebody wrote into the mapping file.
@objc(SongPolicy)
final class SongPolicy: NSEntityMigrationPolicy {
  @objc func loud(_ title: String) -> String {
    return title.uppercased()
  }

  @objc(artistNamed:manager:)
  func artist(named name: String?, manager: NSMigrationManager) -> NSManagedObject? {
    guard let name = name else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Artist")
    request.predicate = NSPredicate(format: "name == %@", name)
    if let found = try? manager.destinationContext.fetch(request).first { return found }
    let artist = NSEntityDescription.insertNewObject(
      forEntityName: "Artist", into: manager.destinationContext)
    artist.setValue(name, forKey: "name")
    return artist
  }
}
