// Properties that are optional in Apple's headers and, with better reason, not in the engine.
//
// Declared here, these hide the engine's properties of the same names wherever `CoreData` is
// imported. Those of descriptions are in the folder Model.

extension ManagedObjectContext {
  public var persistentStoreCoordinator: PersistentStoreCoordinator? {
    get { self.Persistence::persistentStoreCoordinator }
    set { self.Persistence::persistentStoreCoordinator = newValue }
  }
}
