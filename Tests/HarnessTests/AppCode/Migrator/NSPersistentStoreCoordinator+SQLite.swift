import CoreData

extension NSPersistentStoreCoordinator {
  static func metadata(at storeURL: URL) -> [String: Any]? {
    try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: storeURL, options: nil)
  }

  static func destroyStore(at storeURL: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.destroyPersistentStore(
      at: storeURL, ofType: NSSQLiteStoreType, options: nil)
  }

  static func replaceStore(at targetURL: URL, withStoreAt sourceURL: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.replacePersistentStore(
      at: targetURL, destinationOptions: nil, withPersistentStoreFrom: sourceURL,
      sourceOptions: nil, ofType: NSSQLiteStoreType)
  }

  func addSQLiteStore(at storeURL: URL, options: [AnyHashable: Any]) throws -> NSPersistentStore {
    try addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
  }
}
