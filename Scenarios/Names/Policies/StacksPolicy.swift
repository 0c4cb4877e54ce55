import CoreData

/// A migration whose policy has stores of its own.
final class StacksPolicy: NSEntityMigrationPolicy {
  private func attribute(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    return attribute
  }

  /// Songs in one configuration, what isn't theirs in another.
  private func model(_ attributes: [String]) -> NSManagedObjectModel {
    let song = NSEntityDescription()
    song.name = "Song"
    song.properties = attributes.map(attribute)
    let draft = NSEntityDescription()
    draft.name = "Draft"
    draft.properties = [attribute("text")]
    let model = NSManagedObjectModel()
    model.entities = [song, draft]
    model.setEntities([song], forConfigurationName: "Songs")
    model.setEntities([draft], forConfigurationName: "Drafts")
    return model
  }

  private func context(
    _ model: NSManagedObjectModel, _ configuration: String?, at url: URL
  ) throws -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: nil)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func place() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite")
  }

  /// What a block fetched is there while the block runs, and while a pool in it does.
  private func held(_ context: NSManagedObjectContext) throws -> String {
    try context.performAndWait {
      let made = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
      made.setValue("Waltz", forKey: "title")
      try context.save()
      context.reset()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
      let pool = try autoreleasepool {
        weak var song = try context.fetch(request).first
        return song?.value(forKey: "title") as? String ?? "gone"
      }
      weak var song = try context.performAndWait { try context.fetch(request).first }
      let afterBlock = song == nil
      song = try context.fetch(request).first
      return "\(pool), \(afterBlock), \(song?.value(forKey: "title") as? String ?? "gone")"
    }
  }

  /// A migration manager takes the store of one configuration as it is.
  private func migrated() throws -> String {
    let (old, new) = (model(["title"]), model(["title", "composer"]))
    let (source, destination) = (place(), place())
    let before = try context(old, "Songs", at: source)
    NSEntityDescription.insertNewObject(forEntityName: "Song", into: before)
      .setValue("Waltz", forKey: "title")
    try before.save()
    if let coordinator = before.persistentStoreCoordinator {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
    let mapping = try NSMappingModel.inferredMappingModel(
      forSourceModel: old, destinationModel: new)
    var songs: [String] = []
    for isStoreSpecific in [true, false] {
      let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
      manager.usesStoreSpecificMigrationManager = isStoreSpecific
      try manager.migrateStore(
        from: source, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
        toDestinationURL: destination, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      let after = try context(new, "Songs", at: destination)
      songs += try after.fetch(NSFetchRequest<NSManagedObject>(entityName: "Song")).map {
        "\($0.value(forKey: "title") ?? "") \($0.entity.attributesByName.count)"
      }
    }
    return songs.joined(separator: ", ")
  }

  @objc func told(_ what: String) -> String {
    do {
      return what == "moved"
        ? try migrated() : try held(context(model(["title"]), nil, at: place()))
    } catch { return "\(error)" }
  }
}
