import CoreData

class Song: NSManagedObject, CoreDataFinders {
  @NSManaged var title: String?

  static func defaultSortDescriptors() -> [NSSortDescriptor] {
    return [NSSortDescriptor(key: #keyPath(Song.title), ascending: true)]
  }
}

@objc(RecentItem)
class RecentItem: NSManagedObject, CoreDataFinders {
  @NSManaged var name: String?
  @NSManaged var lastViewed: Date?

  static func defaultSortDescriptors() -> [NSSortDescriptor] {
    return [NSSortDescriptor(key: #keyPath(RecentItem.lastViewed), ascending: false)]
  }
}

/// A class that the model has no entity for.
class Comet: NSManagedObject {}

/// The app's stores.
struct AppStore {
  let context: NSManagedObjectContext
  let url: URL?

  init(_ model: NSManagedObjectModel, ofType type: String) throws {
    url = type == NSInMemoryStoreType ? nil
      : URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: url,
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try fill()
  }

  private func fill() throws {
    try context.performAndWait {
      for title in ["Coltrane", "Abba", "Bach"] {
        Song(context: context).title = title
      }
      for (name, seconds) in [("old", 1.0), ("new", 3.0), ("middle", 2.0)] {
        let item = RecentItem(context: context)
        item.name = name
        item.lastViewed = Date(timeIntervalSinceReferenceDate: seconds)
      }
      try context.save()
      context.reset()
    }
  }

  /// Overwrites the file, as a failing disk does.
  func damage() throws {
    let file = try FileHandle(forUpdating: url!)
    let size = try file.seekToEnd()
    try file.seek(toOffset: 0)
    try file.write(contentsOf: Data(repeating: 0x5a, count: Int(size)))
    try file.close()
  }
}
