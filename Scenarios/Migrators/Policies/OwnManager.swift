import CoreData

/// Has methods of its own, which expressions of a mapping call by their selectors.
class CountingManager: NSMigrationManager {
  var asked = 0

  @objc(requestForDishesNamed:predicateString:)
  func request(forDishesNamed name: String, predicateString: String) -> NSFetchRequest<NSManagedObject> {
    asked += 1
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    request.predicate = NSPredicate(format: predicateString)
    return request
  }

  @objc func dish(_ title: String) -> String { return title.uppercased() }
}

final class LoudManager: CountingManager {
  override func dish(_ title: String) -> String { return super.dish(title) + "!" }

  func unknownToObjectiveC(_ title: String) -> String { return title }
}

extension NSMigrationManager {
  @objc func answer(for question: String) -> String { return "\(question)? To \(destinationModel.entities.count) entity" }
}

/// Notes how far a migration is.
class Watcher: NSObject {
  var seen: [String] = []

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard keyPath == #keyPath(NSMigrationManager.migrationProgress) else {
      return super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    }
    seen.append("progress")
  }
}

final class NamedWatcher: Watcher {
  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
    seen.append("of a \(type(of: object!))")
  }
}

final class OwnManagerPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try migrate(question) } catch {
      return (error as NSError).userInfo["reason"] as? String ?? error.localizedDescription
    }
  }

  private func migrate(_ question: String) throws -> String {
    let kitchen = try Kitchen(mappings: ["One to two"])
    defer { try? kitchen.leave() }
    let (source, destination) = (kitchen.model("Cookbook"), kitchen.model("Cookbook 2"))
    let manager =
      question == "subclass" || question == "watched"
      ? LoudManager(sourceModel: source, destinationModel: destination)
      : CountingManager(sourceModel: source, destinationModel: destination)
    let mapping = NSMappingModel(
      from: [kitchen.bundle], forSourceModel: source, destinationModel: destination)!
    change(mapping, question == "not exposed" ? "unknownToObjectiveC:" : "dish:")
    let watcher = NamedWatcher()
    manager.addObserver(
      watcher, forKeyPath: #keyPath(NSMigrationManager.migrationProgress), options: .new, context: nil)
    defer { manager.removeObserver(watcher, forKeyPath: #keyPath(NSMigrationManager.migrationProgress)) }
    let place = kitchen.folder.appendingPathComponent("New.sqlite")
    try manager.migrateStore(
      from: kitchen.store, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
      toDestinationURL: place, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    if question == "watched" { return watcher.seen.prefix(2).joined(separator: " ") }
    return try "asked \(manager.asked): " + kitchen.content(of: "Cookbook 2", at: place)
  }

  /// Has the recipes found, and their titles made, by methods of the manager.
  private func change(_ mapping: NSMappingModel, _ selector: String) {
    for entity in mapping.entityMappings where entity.destinationEntityName == "Recipe" {
      entity.sourceExpression = NSExpression(
        format: "FETCH(FUNCTION($manager, 'requestForDishesNamed:predicateString:', 'Recipe', %@), "
          + "$manager.sourceContext, NO)", "title != 'Stew'")
      for property in entity.attributeMappings ?? [] where property.name == "title" {
        property.valueExpression = NSExpression(
          format: "FUNCTION($manager, '\(selector)', $source.title)")
      }
    }
  }
}
