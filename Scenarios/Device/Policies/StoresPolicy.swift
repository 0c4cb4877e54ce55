import CoreData

/// Answers questions about stores and errors by trying them out in the folder for temporary files.
final class StoresPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String) -> String {
    do { return try answered(question) } catch { return "error \((error as NSError).code)" }
  }

  private func answered(_ question: String) throws -> String {
    switch question {
    case "134100":
      let url = try place(with: model(["title"]))
      return text(of: refusal(model(["text"]), url))
    case "134130":
      let url = try place(with: model(["title"]))
      return text(of: refusal(model(["text"], entity: "Page"), url, options: migrating))
    case "no database":
      let url = place()
      try Data("remember the milk".utf8).write(to: url)
      let error = refusal(model(["title"]), url)
      return
        "\(error?.code ?? 0) \(error?.domain ?? "") \(error?.userInfo[NSSQLiteErrorDomain] ?? "none")"
    case "missing": return missing()
    case "missing, read-only":
      return
        "\(refusal(model(["title"]), place(), options: [NSReadOnlyPersistentStoreOption: true])?.code ?? 0)"
    case "conflict": return try conflict()
    case "predicate":
      return try validation {
        $0.setValidationPredicates(
          [NSPredicate(format: "length <= 3")], withValidationWarnings: ["too long"])
      }
    case "urls": return try failedMigration()
    case "progress": return try progress()
    case "deleted": return try deletion()
    case "null device": return try nullDevice()
    case "destroyed": return try destroyed()
    case "no store":
      let url = place()
      try Data("remember the milk".utf8).write(to: url)
      do {
        try NSPersistentStoreCoordinator(managedObjectModel: model(["title"]))
          .destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        return "destroyed"
      } catch {
        return "\((error as NSError).code) \(try String(contentsOf: url, encoding: .utf8))"
      }
    case "replaced": return try replaced()
    case "version ignored":
      let same = model(["title"])
      same.entities[0].attributesByName["title"]!.versionHashModifier = "2"
      let url = try place(with: model(["title"]))
      let code = refusal(same, url)?.code ?? 0
      return refusal(same, url, options: [NSIgnorePersistentStoreVersioningOption: true]) == nil
        ? "\(code), then opened" : "refused"
    case "derived in memory": return derivedInMemory()
    case "equal models":
      let (one, other) = (model(["title"]), model(["title"]))
      return
        "\(one == other) \(one.isEqual(other) && one.hash == other.hash) \(one == model(["text"]))"
    default: return "what is \(question)?"
    }
  }

  // MARK: Models and stores

  private func model(_ attributes: [String], entity name: String = "Book") -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map {
      let attribute = NSAttributeDescription()
      attribute.name = $0
      attribute.attributeType = .stringAttributeType
      attribute.isOptional = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }

  private func place(_ name: String = UUID().uuidString + ".sqlite") -> URL {
    URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(name)
  }

  /// A store with one book.
  private func place(with model: NSManagedObjectModel) throws -> URL {
    let url = place()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try add(to: coordinator, url)
    try insertBook(coordinator)
    try coordinator.remove(store)
    return url
  }

  @discardableResult
  private func add(to coordinator: NSPersistentStoreCoordinator, _ url: URL) throws
    -> NSPersistentStore
  {
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
  }

  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func insertBook(_ coordinator: NSPersistentStoreCoordinator) throws {
    let context = context(coordinator)
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue(
        "Emma", forKey: "title")
      try context.save()
    }
  }

  private func count(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
    let context = context(coordinator)
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }
  }

  private func inMemory(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    _ = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    return coordinator
  }

  // MARK: Errors

  private var migrating: [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
  }

  private func refusal(
    _ model: NSManagedObjectModel, _ url: URL, options: [AnyHashable: Any]? = nil
  ) -> NSError? {
    do {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      _ = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      return nil
    } catch { return error as NSError }
  }

  private func text(of error: NSError?) -> String {
    guard let error else { return "opened" }
    return
      "\(error.code) \(error.localizedDescription) | \(error.userInfo["reason"] as? String ?? "none")"
  }

  private func missing() -> String {
    do {
      _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        ofType: NSSQLiteStoreType, at: place("nothing.sqlite"), options: nil)
      return "read"
    } catch { return "\((error as NSError).code) \(error.localizedDescription)" }
  }

  private func conflict() throws -> String {
    let coordinator = try inMemory(model(["title"]))
    try insertBook(coordinator)
    let one = context(coordinator)
    let two = context(coordinator)
    let all = NSFetchRequest<NSManagedObject>(entityName: "Book")
    try two.performAndWait { try two.fetch(all)[0].setValue("third", forKey: "title") }
    try one.performAndWait {
      try one.fetch(all)[0].setValue("second", forKey: "title")
      try one.save()
    }
    return two.performAndWait {
      do {
        try two.save()
        return "saved"
      } catch {
        let key = NSPersistentStoreSaveConflictsErrorKey
        let conflicts = (error as NSError).userInfo[key] as? [NSMergeConflict]
        return "\(key) \(conflicts?.first?.objectSnapshot?["title"] ?? "none")"
      }
    }
  }

  private func validation(_ change: (NSAttributeDescription) -> Void) throws -> String {
    let model = model(["title"])
    change(model.entities[0].attributesByName["title"]!)
    do {
      try insertBook(inMemory(model))
      return "saved"
    } catch {
      let predicate = (error as NSError).userInfo[NSValidationPredicateErrorKey] as? NSPredicate
      return "\((error as NSError).code) \(predicate?.predicateFormat ?? "none")"
    }
  }

  private func failedMigration() throws -> String {
    let old = model(["title"])
    let new = model(["title", "note"])
    let (from, to) = (place(), place())
    do {
      try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: from, sourceType: NSSQLiteStoreType, options: nil,
        with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
        toDestinationURL: to, destinationType: NSSQLiteStoreType, destinationOptions: nil)
      return "migrated"
    } catch {
      let info = (error as NSError).userInfo
      let models = [
        info["sourceModel"] as? NSManagedObjectModel == old,
        info["destinationModel"] as? NSManagedObjectModel == new,
      ]
      return
        "\(info["sourceURL"] as? URL == from) \(info["destinationURL"] as? URL == to) \(models[0]) \(models[1])"
    }
  }

  // MARK: Objects and managers

  private func progress() throws -> String {
    let old = model(["title"])
    let new = model(["title", "note"])
    let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
    var last: Float = 0
    let observation = manager.observe(\.migrationProgress, options: [.new]) { manager, _ in
      last = manager.migrationProgress
    }
    try manager.migrateStore(
      from: place(with: old), sourceType: NSSQLiteStoreType, options: nil,
      with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
      toDestinationURL: place(), destinationType: NSSQLiteStoreType, destinationOptions: nil)
    observation.invalidate()
    return "\(last) \(manager.migrationProgress)"
  }

  private func deletion() throws -> String {
    let context = context(try inMemory(model(["title"])))
    return try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      try context.save()
      context.delete(book)
      let before = book.isDeleted
      try context.save()
      return "\(before) \(book.isDeleted)"
    }
  }

  // MARK: Stores

  private func nullDevice() throws -> String {
    let url = URL(fileURLWithPath: "/dev/null")
    let container = NSPersistentContainer(name: "Books", managedObjectModel: model(["title"]))
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    try insertBook(container.persistentStoreCoordinator)
    let other = NSPersistentStoreCoordinator(managedObjectModel: model(["title"]))
    try add(to: other, url)
    return
      "\(try count(container.persistentStoreCoordinator)) book, \(try count(other)) in \(other.persistentStores.count) store opened again"
  }

  private func destroyed() throws -> String {
    let url = try place(with: model(["title"]))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(["title"]))
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    let size = try Data(contentsOf: url).count
    try add(to: coordinator, url)
    try insertBook(coordinator)
    return "\(size) bytes, then \(try count(coordinator)) book"
  }

  private func replaced() throws -> String {
    let model = model(["title"])
    let source = try place(with: model)
    let url = place()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try add(to: coordinator, url)
    let before = coordinator.persistentStores.count
    try coordinator.replacePersistentStore(
      at: url, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil,
      ofType: NSSQLiteStoreType)
    let stores = coordinator.persistentStores.count
    try add(to: coordinator, url)
    return "\(before) store, \(stores) stores, then \(try count(coordinator)) book"
  }

  private func derivedInMemory() -> String {
    let plain = NSDerivedAttributeDescription()
    plain.name = "plain"
    plain.attributeType = .stringAttributeType
    plain.derivationExpression = NSExpression(format: "canonical:(title)")
    let model = model(["title"])
    model.entities[0].properties.append(plain)
    do {
      _ = try inMemory(model)
      return "added"
    } catch { return "\((error as NSError).code)" }
  }
}
