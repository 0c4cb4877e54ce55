import CoreData

/// Tells what a new song is in the migration, and in a context of the app's over the same model.
class AppBesidesPolicy: NSEntityMigrationPolicy {
  override func performCustomValidation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.performCustomValidation(forMapping: mapping, manager: manager)
    let made = manager.destinationInstances(
      forEntityMappingName: mapping.name, sourceInstances: nil)
    for song in made {
      tell("migration", song)
      song.setValue(UUID(), forKey: "uuid")
    }
    let context = try AppContext.make(manager.destinationModel)
    context.performAndWait {
      tell("app", NSEntityDescription.insertNewObject(forEntityName: "Song", into: context))
    }
  }

  private func tell(_ place: String, _ song: NSManagedObject) {
    let identifier = song.value(forKey: "uuid") == nil ? "no identifier" : "an identifier"
    print("in the \(place): \(identifier), Song is \(song is Song)")
  }
}

enum AppContext {
  /// A context as the app has it, over an empty store.
  static func make(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }
}
