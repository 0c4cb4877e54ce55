import CoreData

/// A table view, as far as a data source knows it.
final class ListView {
  private(set) var reloadCount = 0
  var changes: [String] = []

  func reloadData() { reloadCount += 1 }
}

/// The objects of a class for a list, kept up to date by a results controller. Subclasses say which
/// objects, in which order and sections.
class BasicFetchedResultsDataSource<T: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate
{
  let managedObjectContext: NSManagedObjectContext
  let listView: ListView

  init(context: NSManagedObjectContext, listView: ListView) {
    self.managedObjectContext = context
    self.listView = listView
  }

  private(set) var madeController: NSFetchedResultsController<T>?

  var fetchedResultsController: NSFetchedResultsController<T> {
    if let madeController = madeController { return madeController }
    let request = T.fetchRequest()
    request.predicate = searchPredicateForFetchRequest
    request.sortDescriptors = sortDescriptorsForFetchRequest
    let controller = NSFetchedResultsController(
      fetchRequest: request as! NSFetchRequest<T>, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: resultsControllerCacheName)
    controller.delegate = self
    madeController = controller
    return controller
  }

  func updateRequestAndFetch() throws {
    fetchedResultsController.fetchRequest.predicate = searchPredicateForFetchRequest
    fetchedResultsController.fetchRequest.sortDescriptors = sortDescriptorsForFetchRequest
    try fetchedResultsController.performFetch()
    listView.reloadData()
  }

  // MARK: For subclasses

  var sectionNameKeyPath: String? { return nil }
  var resultsControllerCacheName: String? { return nil }
  var sortDescriptorsForFetchRequest: [NSSortDescriptor]! { return [] }
  var searchPredicateForFetchRequest: NSPredicate? { return nil }

  // MARK: NSFetchedResultsControllerDelegate

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    listView.changes.append("begin")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>,
    didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    listView.changes.append("\(type == .insert ? "insert" : "delete") section \(sectionIndex)")
  }

  func controller(
    _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    func place(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.row)" } ?? "-" }
    switch type {
    case .insert: listView.changes.append("insert \(place(newIndexPath))")
    case .delete: listView.changes.append("delete \(place(indexPath))")
    case .update: listView.changes.append("update \(place(indexPath))")
    case .move: listView.changes.append("move \(place(indexPath)) to \(place(newIndexPath))")
    default: break
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
    listView.changes.append("end")
  }
}
