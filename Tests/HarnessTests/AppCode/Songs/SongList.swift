import CoreData

/// A list of songs as a table view shows it, which keeps a record of what it was told.
final class SongList: NSObject, NSFetchedResultsControllerDelegate {
  let context: NSManagedObjectContext
  var searchTerm: String?
  private(set) var record: [String] = []
  private var madeController: NSFetchedResultsController<NSManagedObject>?

  init(context: NSManagedObjectContext) {
    self.context = context
  }

  var controller: NSFetchedResultsController<NSManagedObject> {
    if let madeController { return madeController }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
    request.sortDescriptors = Song.defaultSortDescriptors()
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context,
      sectionNameKeyPath: #keyPath(Song.initial), cacheName: nil)
    controller.delegate = self
    madeController = controller
    return controller
  }

  func update() throws {
    controller.fetchRequest.predicate = searchTerm.map {
      NSPredicate(format: "title CONTAINS[cd] %@", $0)
    }
    try controller.performFetch()
  }

  var shown: String {
    let sections = controller.sections ?? []
    return sections.enumerated().map { number, section in
      let titles = (0..<section.numberOfObjects).map { row -> String in
        let song = controller.object(at: IndexPath(row: row, section: number))
        return song.value(forKey: "title") as? String ?? ""
      }
      return section.name + ": " + titles.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  // MARK: NSFetchedResultsControllerDelegate

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    record.append("begin")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    record.append("\(type) section \(sectionIndex)")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    switch type {
    case .insert: record.append("insert \(newIndexPath!.section).\(newIndexPath!.row)")
    case .delete: record.append("delete \(indexPath!.section).\(indexPath!.row)")
    case .update: record.append("update \(indexPath!.section).\(indexPath!.row)")
    case .move: record.append("move \(indexPath!.section) to \(newIndexPath!.section)")
    default: break
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    record.append("end")
  }
}
