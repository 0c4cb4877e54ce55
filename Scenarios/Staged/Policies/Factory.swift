import CoreData

/// The app's own staged migration manager, whose handlers are closures.
struct StageFactory {
  let old: NSManagedObjectModelReference
  let new: NSManagedObjectModelReference

  func make() -> NSStagedMigrationManager {
    let stage = NSCustomMigrationStage(migratingFrom: old, to: new)
    stage.label = "Initials are filled in"
    stage.didMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      try context.performAndWait {
        for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
          let name = person.value(forKey: "name") as? String
          person.setValue(name.map { String($0.prefix(1)) }, forKey: "initial")
        }
        try context.save()
      }
    }
    return NSStagedMigrationManager([stage])
  }
}
