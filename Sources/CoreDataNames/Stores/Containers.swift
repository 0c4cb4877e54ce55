// What Apple's headers add to containers, descriptions and coordinators.

extension PersistentContainer {
  /// A container for the model `name` in the main bundle, or else for all models there are. Without
  /// any, a container without entities, after a line to standard error.
  public convenience init(name: String) {
    let url = Bundle.main.url(forResource: name, withExtension: "momd")
    let model = url.flatMap { ManagedObjectModel(contentsOf: $0) } ?? .mergedModel(from: nil)
    if model == nil { NSLog("CoreData: Failed to load model named %@", name) }
    self.init(name: name, managedObjectModel: model ?? ManagedObjectModel())
  }

  /// Runs `block` on the queue of a new context, some time later.
  public func performBackgroundTask(_ block: @escaping (ManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs `block` on the queue of a new context and gives what it gives.
  public func performBackgroundTask<T>(
    _ block: @escaping (ManagedObjectContext) throws -> T
  ) async rethrows -> T {
    let context = newBackgroundContext()
    return try await context.perform { try block(context) }
  }
}

extension PersistentStoreDescription {
  /// SQLite's own options, by name.
  public var sqlitePragmas: [String: NSObject] {
    let given = options[NSSQLitePragmasOption] as? [String: Any] ?? [:]
    return given.mapValues { $0 as? NSObject ?? NSString(string: "\($0)") }
  }

  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(pragmas, forKey: NSSQLitePragmasOption)
  }
}

extension PersistentStoreCoordinator {
  /// Opens the store that a description tells of, and says so to `block` before it returns.
  public func addPersistentStore(
    with storeDescription: PersistentStoreDescription,
    completionHandler block: (PersistentStoreDescription, (any Error)?) -> Void
  ) {
    do {
      try addPersistentStore(
        ofType: storeDescription.type, configurationName: storeDescription.configuration,
        at: storeDescription.url, options: storeDescription.options)
      block(storeDescription, nil)
    } catch { block(storeDescription, error) }
  }
}
