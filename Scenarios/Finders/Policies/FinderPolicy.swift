import CoreData

/// Answers questions by the app's finders, in contexts of the app's own.
final class FinderPolicy: NSEntityMigrationPolicy {
  @objc func answer(_ question: String, in manager: NSMigrationManager) -> String {
    do {
      // A store in memory can't become unreadable.
      let needsFile = question == "failing" || question == "stale error"
      let types = needsFile ? [NSSQLiteStoreType] : [NSSQLiteStoreType, NSInMemoryStoreType]
      let answers = try types.map { type -> String in
        let store = try AppStore(manager.destinationModel, ofType: type)
        return try store.context.performAndWait { try answer(question, store) }
      }
      return answers.first == answers.last
        ? answers[0] : "SQLite: \(answers[0]); memory: \(answers[1])"
    } catch { return "\(error)" }
  }

  private func answer(_ question: String, _ store: AppStore) throws -> String {
    let context = store.context
    switch question {
    case "all": return titles(Song.findAll(with: nil, context: context))
    case "predicate":
      return titles(Song.findAll(with: NSPredicate(format: "title > %@", "B"), context: context))
    case "first":
      let found = Song.findFirst(with: NSPredicate(format: "title > %@", "B"), context: context)
      return found?.title ?? "none"
    case "nothing":
      let found = Song.findFirst(with: NSPredicate(format: "title == %@", "x"), context: context)
      return found?.title ?? "none"
    case "orders":
      let items = RecentItem.findAll(with: nil, context: context).map { $0.name ?? "-" }
      return titles(Song.findAll(with: nil, context: context)) + "; " + items.joined(separator: " ")
    case "failing": return try failing(store)
    case "bad key":
      let found = Song.findAll(with: NSPredicate(format: "nothing == 1"), context: context)
      return "found \(found.count)"
    case "names":
      return [Song.entityName, RecentItem.entityName].joined(separator: " ")
    case "names of classes":
      return [NSStringFromClass(Song.self), NSStringFromClass(RecentItem.self)]
        .joined(separator: " ")
    case "made": return try made(context)
    case "unknown":
      let name = Comet.entityName
      return NSEntityDescription.insertNewObject(forEntityName: name, into: context).description
    case "unknown fetch":
      var error: Error?
      return "\(Comet.allObjects(in: context, error: &error)?.count ?? -1)"
    case "stale error": return try staleError(store)
    default: return "what is \(question)?"
    }
  }

  private func titles(_ songs: [Song]) -> String {
    return songs.map { $0.title ?? "-" }.joined(separator: " ")
  }

  /// A store that can't be read any more.
  private func failing(_ store: AppStore) throws -> String {
    try store.damage()
    let all = Song.findAll(with: nil, context: store.context)
    let first = Song.findFirst(with: NSPredicate(format: "title == %@", "Bach"), context: store.context)
    return "found \(all.count) \(first?.title ?? "none")"
  }

  private func made(_ context: NSManagedObjectContext) throws -> String {
    for title in ["Dvořák", "Elgar"] {
      let song = Song.insertNewObject(into: context)
      song.title = title
    }
    try context.save()
    var error: Error?
    let songs = Song.allObjects(in: context, error: &error) as? [Song]
    let request = Song.requestForAll()
    request.predicate = NSPredicate(format: "title BEGINSWITH %@", "E")
    return "\(songs?.count ?? -1) \(try context.count(for: request))"
  }

  /// A fetch that fails, and after it one that succeeds, both told about in one variable.
  private func staleError(_ store: AppStore) throws -> String {
    let broken = try AppStore(
      store.context.persistentStoreCoordinator!.managedObjectModel, ofType: NSSQLiteStoreType)
    var error: Error?
    try broken.damage()
    let before = Song.allObjects(in: broken.context, error: &error)
    let judged = Song.allObjects(in: store.context, error: &error)
    let misjudged = Song.allObjectsJudgedByTheError(in: store.context, error: &error)
    return "\(before == nil ? "failed" : "found"), then \(judged?.count ?? -1), \(misjudged?.count ?? -1)"
  }
}

/// Looks for the migration's songs, by one finder or the other.
class SongFinderPolicy: NSEntityMigrationPolicy {
  override func endInstanceCreation(
    forMapping mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.endInstanceCreation(forMapping: mapping, manager: manager)
    let app = try AppStore(manager.destinationModel, ofType: NSInMemoryStoreType)
    app.context.performAndWait {
      print("the app found \(Song.findAll(with: nil, context: app.context).count)")
    }
    try find(manager)
  }

  func find(_ manager: NSMigrationManager) throws {
    let songs = try SongFinderPolicy.find(
      entityName: "Song", in: manager.destinationContext,
      sortDescriptors: Song.defaultSortDescriptors(),
      with: NSPredicate(format: "title != %@", "Swing"), limit: 2)
    let titles = songs.map { $0.value(forKey: "title") as? String ?? "-" }
    print("the policy found", titles.joined(separator: " "))
  }
}

final class TypedFinderPolicy: SongFinderPolicy {
  override func find(_ manager: NSMigrationManager) throws {
    let songs = Song.findAll(with: nil, context: manager.destinationContext)
    print("the policy found", songs.map { $0.title ?? "-" }.joined(separator: " "))
  }
}
