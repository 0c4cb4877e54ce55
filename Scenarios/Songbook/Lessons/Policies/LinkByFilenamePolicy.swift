import CoreData

/// Links a song's recording in code, by the filename they share.
class LinkByFilenamePolicy: NSEntityMigrationPolicy {
  override func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Recording")
    request.predicate = NSPredicate(
      format: "songFilename == %@", dInstance.value(forKey: "filename") as? String ?? "")
    request.fetchLimit = 1
    dInstance.setValue(try manager.destinationContext.fetch(request).first, forKey: "recording")
  }
}
