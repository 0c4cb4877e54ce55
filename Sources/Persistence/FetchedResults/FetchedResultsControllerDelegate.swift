/// Is told what changes in the results of a controller: before, section by section, row by row,
/// and after. Every method may be left out.
public protocol FetchedResultsControllerDelegate: AnyObject {
  typealias AnyFetchedResultsController = FetchedResultsController<any FetchRequestResult>

  func controllerWillChangeContent(_ controller: AnyFetchedResultsController)

  func controller(
    _ controller: AnyFetchedResultsController, didChange sectionInfo: any FetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType)

  /// - Parameters:
  ///   - indexPath: Where the object was; nil for an insertion.
  ///   - newIndexPath: Where it is after all changes; nil for a deletion or an update.
  func controller(
    _ controller: AnyFetchedResultsController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: FetchedResultsChangeType, newIndexPath: IndexPath?)

  func controllerDidChangeContent(_ controller: AnyFetchedResultsController)

  /// What an index beside the list shows for a section; nil for the default, its first letter.
  func controller(
    _ controller: AnyFetchedResultsController, sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

extension FetchedResultsControllerDelegate {
  public func controllerWillChangeContent(_ controller: AnyFetchedResultsController) {}

  public func controller(
    _ controller: AnyFetchedResultsController, didChange sectionInfo: any FetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
  ) {}

  public func controller(
    _ controller: AnyFetchedResultsController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  public func controllerDidChangeContent(_ controller: AnyFetchedResultsController) {}

  public func controller(
    _ controller: AnyFetchedResultsController, sectionIndexTitleForSectionName sectionName: String
  ) -> String? { nil }
}
