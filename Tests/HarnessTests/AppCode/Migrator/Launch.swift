import CoreData

/// What the app does when it starts, told in lines of text.
final class Launch: NSEntityMigrationPolicy {
  @objc func launch(in folder: String) -> String {
    let url = URL(fileURLWithPath: folder)
    let store = url.appendingPathComponent("Library.sqlite")
    guard let bundle = Bundle(url: url.appendingPathComponent("App.bundle")) else {
      return "no bundle"
    }
    let migrator = StoreMigrator(bundle: bundle)
    do {
      guard migrator.requiresMigration(at: store, toVersion: .current) else { return "up to date" }
      try migrator.migrateStore(at: store, toVersion: .current)
      let isThere = migrator.requiresMigration(at: store, toVersion: .current) == false
      return "migrated, \(migrator.customMappings) custom, \(isThere ? "current" : "old")"
    } catch let error as NSError where error.domain == NSCocoaErrorDomain {
      return "\(error.code): \(error.localizedDescription)"
    } catch StoreMigratorError.unknownVersion {
      return "unknown version"
    } catch {
      return "\(error)"
    }
  }
}
