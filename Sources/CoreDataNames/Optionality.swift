// Properties that are optional in Apple's headers and, with better reason, not in the engine.
//
// An app says `entity.name!` or `if let name = entity.name`. Declared here, these hide the engine's
// properties of the same names wherever `CoreData` is imported.

extension EntityDescription {
  public var name: String? { self.ObjectModel::name }

  public var userInfo: [AnyHashable: Any]? { self.ObjectModel::userInfo }
}

extension PropertyDescription {
  public var userInfo: [AnyHashable: Any]? { self.ObjectModel::userInfo }
}

extension ManagedObjectContext {
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    self.Persistence::persistentStoreCoordinator
  }
}
