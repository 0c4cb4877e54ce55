import Persistence
import TestSupport
import Testing

/// Songs of libraries, on a store of one of the backends.
final class SongLibrary {
  let stack: AppStack
  let context: ManagedObjectContext

  init(_ backend: Backend) throws {
    stack = try AppStack(backend, Self.model())
    context = stack.context()
  }

  private static func model() throws -> ManagedObjectModel {
    let initial = LibraryModel.attribute("computed", .string, optional: true)
    initial.isTransient = true
    let song = LibraryModel.entity(
      "Song",
      [
        LibraryModel.attribute("title", .string, optional: true),
        LibraryModel.attribute("group", .string, optional: true),
        LibraryModel.attribute("rank", .integer32, optional: true),
        LibraryModel.attribute("number", .integer32, optional: true),
        LibraryModel.attribute("note", .string, optional: true), initial,
        LibraryModel.toOne("library", "Library", "songs"),
      ])
    let library = LibraryModel.entity(
      "Library",
      [LibraryModel.attribute("name", .string), LibraryModel.toMany("songs", "Song", "library")])
    return try ManagedObjectModel(entities: [song, library])
  }

  @discardableResult
  func insert(_ entity: String, _ values: [String: Any] = [:]) -> ManagedObject {
    context.insert(entity, values)
  }

  /// Inserts and saves songs with these titles; each is grouped by its first letter.
  @discardableResult
  func add(_ titles: String...) throws -> [ManagedObject] {
    let songs = titles.enumerated().map { index, title in
      insert(
        "Song", ["title": title, "group": String(title.prefix(1)), "rank": index, "number": index])
    }
    try context.save()
    return songs
  }

  /// Ends an event: what changed is told to everybody who listens.
  func announce() { context.processPendingChanges() }

  func request(sortedBy keys: String...) -> FetchRequest<ManagedObject> {
    let request = FetchRequest<ManagedObject>(entityName: "Song")
    request.sortDescriptors = keys.map { SortDescriptor(key: $0, ascending: true) }
    return request
  }

  /// A controller of all songs by title, grouped by their first letters.
  func controller(
    _ request: FetchRequest<ManagedObject>? = nil, by keyPath: String? = "group",
    cache: String? = nil
  ) -> FetchedResultsController<ManagedObject> {
    FetchedResultsController(
      fetchRequest: request ?? self.request(sortedBy: "title"), managedObjectContext: context,
      sectionNameKeyPath: keyPath, cacheName: cache)
  }
}

extension FetchedResultsController {
  /// The sections with their titles: `A: Anna Abba`.
  var shown: [String] {
    (sections ?? []).map { section in
      let titles = (section.objects ?? []).map { ($0 as? ManagedObject)?.value(forKey: "title") }
      return "\(section.name): " + titles.map { $0 as? String ?? "-" }.joined(separator: " ")
    }
  }
}

/// Writes down what a controller tells, and keeps a list up to date by it.
final class ChangeRecorder: FetchedResultsControllerDelegate {
  private(set) var log: [String] = []
  /// The sections with their rows, by name, made from the changes told so far.
  private(set) var list: [(name: String, rows: [ManagedObject])] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [(Int, String)] = []
  private var removed: [IndexPath] = []
  private var added: [(IndexPath, ManagedObject)] = []

  /// Starts from what the controller has.
  func start(with controller: FetchedResultsController<ManagedObject>) {
    list = (controller.sections ?? []).map {
      ($0.name, ($0.objects ?? []).compactMap { $0 as? ManagedObject })
    }
    log = []
  }

  func controllerWillChangeContent(_ controller: AnyFetchedResultsController) {
    log.append("will")
    (deletedSections, insertedSections, removed, added) = ([], [], [], [])
  }

  func controller(
    _ controller: AnyFetchedResultsController, didChange sectionInfo: any FetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
  ) {
    log.append("\(type) section \(sectionIndex) \(sectionInfo.name)")
    if type == .delete {
      if sectionInfo.numberOfObjects > 0 || sectionInfo.objects?.isEmpty == false {
        log.append("it still has objects")
      }
      deletedSections.append(sectionIndex)
    } else {
      insertedSections.append((sectionIndex, sectionInfo.name))
    }
  }

  func controller(
    _ controller: AnyFetchedResultsController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? ManagedObject else { return }
    let paths = [indexPath, newIndexPath].map { $0.map { "\($0.section).\($0.row)" } ?? "-" }
    let title = type == .delete ? "" : object.value(forKey: "title") as? String ?? ""
    log.append("\(type) \(title) \(paths.joined(separator: " -> "))")
    if type == .delete || type == .move, let indexPath { removed.append(indexPath) }
    if type == .insert || type == .move, let newIndexPath { added.append((newIndexPath, object)) }
  }

  /// As a table view applies a batch of changes.
  func controllerDidChangeContent(_ controller: AnyFetchedResultsController) {
    log.append("did")
    for path in removed.sorted().reversed() { list[path.section].rows.remove(at: path.row) }
    for section in deletedSections.sorted().reversed() { list.remove(at: section) }
    for (section, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) {
      list.insert((name, []), at: section)
    }
    for (path, object) in added.sorted(by: { $0.0 < $1.0 }) {
      list[path.section].rows.insert(object, at: path.row)
    }
  }

  /// What was told since the last time.
  func take() -> [String] {
    defer { log = [] }
    return log
  }
}
