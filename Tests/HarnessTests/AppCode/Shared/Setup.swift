import CoreData

/// Where the app keeps its store and how it is opened.
enum Setup {
  static var storeURL: URL?
  static var openings = 0

  static let model: NSManagedObjectModel = {
    let event = NSEntityDescription()
    event.name = "Event"
    event.managedObjectClassName = NSStringFromClass(Event.self)
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let seats = NSAttributeDescription()
    seats.name = "seats"
    seats.attributeType = .integer32AttributeType
    seats.isOptional = true
    event.properties = [name, seats]
    let model = NSManagedObjectModel()
    model.entities = [event]
    return model
  }()

  static func open() -> NSPersistentStoreCoordinator? {
    openings += 1
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    do {
      _ = try coordinator.addPersistentStore(
        ofType: storeURL == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
        at: storeURL,
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
        ])
      return coordinator
    } catch let error as NSError {
      NSLog("Persistent store not opened: %@", error.localizedDescription)
      return nil
    }
  }
}
