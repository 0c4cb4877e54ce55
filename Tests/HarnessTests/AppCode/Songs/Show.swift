import CoreData

/// Shows a list of songs, changes some, and tells what the list was told.
final class Show: NSEntityMigrationPolicy {
  @objc func show(searching term: String) -> String {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    do {
      context.persistentStoreCoordinator = try coordinator()
      return try context.performAndWait { try play(context, term) }
    } catch {
      return "\(error)"
    }
  }

  private func play(_ context: NSManagedObjectContext, _ term: String) throws -> String {
    for title in ["Angie", "Anna", "Banana"] { add(title, to: context) }
    try context.save()
    let list = SongList(context: context)
    list.searchTerm = term
    try list.update()
    var lines = [list.shown]
    let all = Song.findAll(with: nil, context: context)
    all[0].setValue("Candy", forKey: "title")
    all[0].setValue("C", forKey: "initial")
    context.delete(all[1])
    add("Anthem", to: context)
    try context.save()
    lines.append(list.record.joined(separator: ", "))
    lines.append(list.shown)
    return lines.joined(separator: "\n")
  }

  private func add(_ title: String, to context: NSManagedObjectContext) {
    let song = NSEntityDescription.insertNewObject(forEntityName: "Song", into: context)
    song.setValue(title, forKey: "title")
    song.setValue(String(title.prefix(1)), forKey: "initial")
  }

  private func coordinator() throws -> NSPersistentStoreCoordinator {
    let song = NSEntityDescription()
    song.name = "Song"
    song.managedObjectClassName = NSStringFromClass(Song.self)
    song.properties = ["title", "initial"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      attribute.isOptional = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [song]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    return coordinator
  }
}
