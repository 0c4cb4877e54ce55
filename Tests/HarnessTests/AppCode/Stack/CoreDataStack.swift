import CoreData

/// The stack as the app has it: one container, a context for the user interface that follows what
/// others save, and contexts for the background.
final class CoreDataStack {
  let container: NSPersistentContainer

  var viewContext: NSManagedObjectContext { container.viewContext }

  init(model: NSManagedObjectModel, url: URL?) throws {
    container = NSPersistentContainer(name: "Music", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    if let url {
      description.url = url
    } else {
      description.type = NSInMemoryStoreType
    }
    description.shouldMigrateStoreAutomatically = true
    description.shouldInferMappingModelAutomatically = true
    container.persistentStoreDescriptions = [description]
    var failure: Error?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
  }

  func close() throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}
