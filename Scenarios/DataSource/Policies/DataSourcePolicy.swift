import CoreData

/// Answers questions by the app's data sources, in contexts of the app's own.
final class DataSourcePolicy: NSEntityMigrationPolicy {
  private var context: NSManagedObjectContext!
  private let list = ListView()

  @objc func answer(_ question: String, in manager: NSMigrationManager) -> String {
    do {
      let answers = try [NSSQLiteStoreType, NSInMemoryStoreType].map { type in
        try DataSourcePolicy().answer(question, manager.destinationModel, type)
      }
      return answers[0] == answers[1] ? answers[0] : "SQLite: \(answers[0]); memory: \(answers[1])"
    } catch { return "\(error)" }
  }

  private func answer(
    _ question: String, _ model: NSManagedObjectModel, _ type: String
  ) throws -> String {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSSQLiteStoreType ? url : nil, options: nil)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait { try answer(question) }
  }

  private func answer(_ question: String) throws -> String {
    switch question {
    case "lazy":
      let source = SortedSongs(context: context, listView: list)
      let before = source.madeController == nil ? "not made" : "made"
      let first = source.fetchedResultsController
      let isSame = first === source.fetchedResultsController
      return "\(before), \(isSame ? "one" : "several"), \(first.delegate === source ? "delegate" : "-")"
    case "unsorted":
      try add("Anna")
      try BasicFetchedResultsDataSource<Song>(context: context, listView: list)
        .updateRequestAndFetch()
      return "fetched"
    case "update": return try update()
    case "sections":
      try add("Banana", "Anna", "Candy", "Angie")
      return try shown(generic())
    case "no sections":
      try add("Banana", "Anna")
      return try shown(generic(allowsGrouping: false))
    case "all abilities": return try allAbilities()
    case "out of order", "in order": return try sections(inOrder: question == "in order")
    case "sorted by group":
      try add("Banana", "Anna")
      let source = SortedSongs(context: context, listView: list)
      source.sortKeys = ["groupIndex"]
      return try shown(source)
    case "sorted in memory":
      try add("Candy", "Banana", "Anna")
      let songs = try context.fetch(NSFetchRequest<Song>(entityName: "Song")) as NSArray
      let order = [NSSortDescriptor(key: "groupIndex", ascending: true)]
      return songs.sortedArray(using: order).map { ($0 as! Song).title! }.joined(separator: " ")
    case "searching":
      try addTen()
      generic().currentSearchTerm = "zoo"
      let allowed = list.reloadCount
      generic(allowsTextSearching: false).currentSearchTerm = "zoo"
      return "\(allowed) \(list.reloadCount - allowed)"
    case "empty terms":
      try addTen()
      return [nil, "", "anna"].map { term in
        let source = generic(allowsGrouping: false)
        source.currentSearchTerm = term
        let isSearched = source.fetchedResultsController.fetchRequest.predicate != nil
        let count = source.fetchedResultsController.fetchedObjects?.count ?? -1
        return "\(count)\(isSearched ? " searched" : "")"
      }.joined(separator: ", ")
    case "special characters": return try specialCharacters()
    case "no library": return try withoutLibrary()
    case "changes": return try changes()
    default: return "what is \(question)?"
    }
  }

  // MARK: Songs

  @discardableResult
  private func add(_ titles: String...) throws -> [Song] { try add(titles) }

  private func add(_ titles: [String]) throws -> [Song] {
    let songs = titles.enumerated().map { index, title -> Song in
      let song = Song(context: context)
      song.title = title
      // The other way round than they are inserted.
      song.added = Date(timeIntervalSinceReferenceDate: -Double(index))
      return song
    }
    try context.save()
    return songs
  }

  @discardableResult
  private func addTen() throws -> [Song] {
    try add("Anna", "Angie", "Banana", "Candy", "O'Neil", "100%", "a*b", "Änderung", "Zoo", "%@")
  }

  // MARK: Sources

  private func generic(
    allowsGrouping: Bool = true, allowsTextSearching: Bool = true
  ) -> GenericFetchedResultsDataSource<Song> {
    GenericFetchedResultsDataSource(
      context: context, listView: list, allowsGrouping: allowsGrouping,
      allowsTextSearching: allowsTextSearching)
  }

  private func shown<T: Song>(_ source: BasicFetchedResultsDataSource<T>) throws -> String {
    if source.fetchedResultsController.sections == nil { try source.updateRequestAndFetch() }
    return (source.fetchedResultsController.sections ?? []).map { section in
      let titles = (section.objects as? [Song] ?? []).map { $0.title! }
      return "\(section.name) \(section.numberOfObjects): \(titles.joined(separator: " "))"
    }.joined(separator: ", ")
  }

  // MARK: Answers

  /// Each change of the request is shown once; an error is the caller's, and nothing is shown.
  private func update() throws -> String {
    try add("Banana", "Anna", "Blue")
    let source = SortedSongs(context: context, listView: list)
    source.groups = false
    let first = try "\(shown(source)) in \(list.reloadCount)"
    source.sortKeys = ["added"]
    try source.updateRequestAndFetch()
    let second = try "\(shown(source)) in \(list.reloadCount)"
    let failing = SortedSongs(context: context, listView: list)
    failing.sortKeys = ["added"]
    do {
      try failing.updateRequestAndFetch()
      return "no error"
    } catch { return "\(first); \(second); \((error as NSError).code) in \(list.reloadCount)" }
  }

  private func allAbilities() throws -> String {
    let songs = try addTen()
    let mine = Library(context: context)
    mine.name = "mine"
    for song in songs where ["Anna", "Banana", "Candy", "Zoo"].contains(song.title) {
      song.library = mine
    }
    try context.save()
    let source = generic()
    source.constraintObject = mine
    source.currentSearchTerm = "an"
    let titles = source.fetchedResultsController.sectionIndexTitles.joined()
    let second = source.fetchedResultsController.object(at: IndexPath(row: 0, section: 1))
    return try "\(shown(source)); \(titles); \(second.title!)"
  }

  /// Whether the first letters go with the order.
  private func sections(inOrder: Bool) throws -> String {
    try add("Anna", "Banana", "Angie")
    let source = SortedSongs(context: context, listView: list)
    source.sortKeys = inOrder ? ["title", "added"] : ["added"]
    do { return try shown(source) } catch {
      let text = "\(error)".contains("out of order section name 'A'") ? "A is out of order" : "\(error)"
      return "\((error as NSError).code) \(text)"
    }
  }

  private func specialCharacters() throws -> String {
    try addTen()
    let terms = ["O'Neil", "*", "%@", "0%", "ander", "\\", "\" OR 1 == 1", "zOO"]
    return terms.map { term in
      let source = generic(allowsGrouping: false)
      source.currentSearchTerm = term
      return (source.fetchedResultsController.fetchedObjects ?? []).map { $0.title! }.joined(separator: " ")
    }.joined(separator: "|")
  }

  private func withoutLibrary() throws -> String {
    try addTen()
    for title in ["Mine", "Yours"] { OwnedSong(context: context).title = title }
    try context.save()
    let all = generic(allowsGrouping: false)
    let owned = GenericFetchedResultsDataSource<OwnedSong>(
      context: context, listView: list, allowsGrouping: false)
    all.constraintObject = nil
    owned.constraintObject = nil
    return [all.fetchedResultsController.fetchedObjects?.count,
      owned.fetchedResultsController.fetchedObjects?.count]
      .map { "\($0 ?? -1)" }.joined(separator: " ")
  }

  /// One song gets another first letter, one is deleted, one changes what it isn't sorted by.
  private func changes() throws -> String {
    let songs = try add("Anna", "Banana", "Zoo")
    let source = generic()
    try source.updateRequestAndFetch()
    songs[1].title = "Candy"
    songs[2].added = nil
    context.delete(songs[0])
    try context.save()
    return try list.changes.joined(separator: ", ") + "; " + shown(source)
  }
}
