import CoreData

/// Answers a question by trying it out in stores of its own.
class TrialPolicy: NSEntityMigrationPolicy {
  private let folder = URL(fileURLWithPath: NSTemporaryDirectory())
    .appendingPathComponent(UUID().uuidString)

  @objc func answer(_ question: String) -> String {
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      return try answered(question)
    } catch { return "error \((error as NSError).code)" }
  }

  func answered(_ question: String) throws -> String { return "what is \(question)?" }

  // MARK: Models

  func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  func entity(_ name: String, _ properties: NSPropertyDescription...) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = properties
    return entity
  }

  func text(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    return attribute
  }

  func book() -> NSEntityDescription { return entity("Book", text("title"), text("note")) }

  // MARK: Stores

  func place() -> URL {
    return folder.appendingPathComponent(UUID().uuidString + ".sqlite")
  }

  /// - Parameter url: Where the store's file is; nil for a store in memory.
  func coordinator(
    _ model: NSManagedObjectModel, at url: URL?, configuration: String? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: url == nil ? NSInMemoryStoreType : NSSQLiteStoreType,
      configurationName: configuration, at: url, options: options)
    return coordinator
  }

  func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any], into context: NSManagedObjectContext)
    -> NSManagedObject
  {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValuesForKeys(values)
    return object
  }

  func save(_ coordinator: NSPersistentStoreCoordinator, _ entity: String, _ values: [String: Any])
    throws
  {
    let context = context(coordinator)
    try context.performAndWait {
      insert(entity, values, into: context)
      try context.save()
    }
  }

  func all(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
    return try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// The values of all objects that a coordinator's stores have.
  func values(_ key: String, of entity: String, _ coordinator: NSPersistentStoreCoordinator) throws
    -> String
  {
    let context = context(coordinator)
    return try context.performAndWait {
      let values = try all(entity, in: context).map { "\($0.value(forKeyPath: key) ?? "nil")" }
      return values.isEmpty ? "none" : values.sorted().joined(separator: ", ")
    }
  }
}
