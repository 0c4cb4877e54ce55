import CoreData

/// The app's surroundings for a while: a folder with its bundle, and a store of the first version.
struct Kitchen {
  let folder: URL
  let bundle: Bundle
  var store: URL { folder.appendingPathComponent("Cookbook.sqlite") }

  /// - Parameter mappings: The names of the mapping models that the app was built with.
  init(mappings: [String]) throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
      .appendingPathComponent(UUID().uuidString, isDirectory: true)
    let app = folder.appendingPathComponent("App.bundle", isDirectory: true)
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    try Kitchen.copy("Cookbook.xcdatamodeld", to: app)
    for name in mappings { try Kitchen.copy(name + ".xcmappingmodel", to: app) }
    bundle = Bundle(url: app)!
    try fill()
  }

  /// The next release of the app has one more.
  func add(mapping name: String) throws {
    try Kitchen.copy(name + ".xcmappingmodel", to: bundle.bundleURL)
  }

  private static func copy(_ name: String, to folder: URL) throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    try FileManager.default.copyItem(
      at: sources.appendingPathComponent(name), to: folder.appendingPathComponent(name))
  }

  func model(_ version: String) -> NSManagedObjectModel {
    let file = "Cookbook.xcdatamodeld/\(version).xcdatamodel"
    return NSManagedObjectModel(contentsOf: bundle.bundleURL.appendingPathComponent(file))!
  }

  var versions: [String] { ["Cookbook", "Cookbook 2", "Cookbook 3"] }

  private func fill() throws {
    try inContext(of: "Cookbook", at: store) { context in
      for (title, author, duration) in [
        ("Soup", "Ada", "45 min"), ("Salad", "Ben", "2 h"), ("Stew", "Ada", "1 h 20 min"),
      ] {
        let recipe = NSEntityDescription.insertNewObject(forEntityName: "Recipe", into: context)
        recipe.setValue(title, forKey: "title")
        recipe.setValue(author, forKey: "authorName")
        recipe.setValue(duration, forKey: "duration")
      }
      try context.save()
    }
  }

  /// Opens a store with a version of the model, without migrating it.
  func inContext<Result>(
    of version: String, at url: URL, _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(version))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let result = try context.performAndWait { try body(context) }
    try coordinator.remove(store)
    return result
  }

  /// What a store of a version holds, in one line.
  func content(of version: String, at url: URL) throws -> String {
    try inContext(of: version, at: url) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Recipe")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      return try context.fetch(request).map { recipe in
        let time = version == "Cookbook 3" ? "minutes" : "duration"
        let author = version == "Cookbook" ? "authorName" : "author.name"
        return [
          recipe.value(forKey: "title"), recipe.value(forKey: time),
          recipe.value(forKeyPath: author),
        ]
        .map { "\($0 ?? "-")" }.joined(separator: " ")
      }.joined(separator: ", ")
    }
  }

  /// How many files of the folder are stores of a version; one that was destroyed is of none.
  var storeCount: Int {
    get throws {
      try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .count { url in
          url.pathExtension == "sqlite" && (try? version(at: url)).map { $0 != "none" } ?? false
        }
    }
  }

  /// Mapping models are looked for in every bundle of the process: the next app mustn't find this one's.
  func leave() throws {
    try FileManager.default.removeItem(at: bundle.bundleURL)
  }

  /// The name of the version that a store has.
  func version(at url: URL) throws -> String {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: url, options: nil)
    return versions.first {
      model($0).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    } ?? "none"
  }
}
