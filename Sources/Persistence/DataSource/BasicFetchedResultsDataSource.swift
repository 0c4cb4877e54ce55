/// The objects of an entity for a view, kept up to date by a fetched results controller.
///
/// Subclasses say which objects, in which order, in which sections. As it is, there is no order,
/// which the controller refuses.
open class BasicFetchedResultsDataSource<Entity: FetchableEntity>: NSObject,
  FetchedResultsControllerDelegate
{
  public let managedObjectContext: ManagedObjectContext
  /// Is told to show what changed.
  public weak var view: (any DataSourceView)?
  private var changes = FetchedResultsChange()

  public init(context: ManagedObjectContext, view: (any DataSourceView)? = nil) {
    managedObjectContext = context
    self.view = view
  }

  /// Made when it is first asked for; raises without sort descriptors.
  public private(set) lazy var fetchedResultsController:
    FetchedResultsController<Entity.FoundObject> =
      makeController()

  private func makeController() -> FetchedResultsController<Entity.FoundObject> {
    let request = Entity.fetchRequest()
    request.predicate = searchPredicateForFetchRequest
    request.sortDescriptors = sortDescriptorsForFetchRequest
    let controller = FetchedResultsController(
      fetchRequest: request, managedObjectContext: managedObjectContext,
      sectionNameKeyPath: sectionNameKeyPath, cacheName: resultsControllerCacheName,
      sectionName: sectionName)
    controller.delegate = self
    return controller
  }

  /// Asks anew which objects in which order, fetches them, and has everything shown again.
  /// - Throws: What the fetch throws; the view isn't told then.
  open func updateRequestAndFetch() throws {
    let request = fetchedResultsController.fetchRequest
    request.predicate = searchPredicateForFetchRequest
    request.sortDescriptors = sortDescriptorsForFetchRequest
    try fetchedResultsController.performFetch()
    view?.reloadData()
  }

  // MARK: What subclasses replace

  /// The key path of section names; nil for one section.
  open var sectionNameKeyPath: String? { nil }

  /// Computes section names in place of the key path; nil for none.
  open var sectionName: ((ManagedObject) throws -> String?)? { nil }

  open var resultsControllerCacheName: String? { nil }

  open var sortDescriptorsForFetchRequest: [SortDescriptor] { [] }

  open var searchPredicateForFetchRequest: Predicate? { nil }

  // MARK: FetchedResultsControllerDelegate

  public func controllerWillChangeContent(_ controller: AnyFetchedResultsController) {
    changes = FetchedResultsChange()
  }

  public func controller(
    _ controller: AnyFetchedResultsController, didChange sectionInfo: any FetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
  ) {
    if type == .delete {
      changes.deletedSections.append(sectionIndex)
    } else {
      changes.insertedSections.append(sectionIndex)
    }
  }

  public func controller(
    _ controller: AnyFetchedResultsController, didChange anObject: Any, at indexPath: IndexPath?,
    for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let object = anObject as? ManagedObject else { return }
    changes.rows.append(
      .init(object: object, type: type, indexPath: indexPath, newIndexPath: newIndexPath))
  }

  public func controllerDidChangeContent(_ controller: AnyFetchedResultsController) {
    view?.apply(changes)
    changes = FetchedResultsChange()
  }
}

// MARK: - What a view asks

extension BasicFetchedResultsDataSource {
  public var numberOfSections: Int { fetchedResultsController.sections?.count ?? 0 }

  /// 0 for a section that doesn't exist.
  public func numberOfObjects(inSection section: Int) -> Int {
    self.section(section)?.numberOfObjects ?? 0
  }

  /// nil for a section that doesn't exist.
  public func title(ofSection section: Int) -> String? { self.section(section)?.name }

  /// The object at a path. One that doesn't exist raises.
  public func object(at indexPath: IndexPath) -> Entity.FoundObject {
    fetchedResultsController.object(at: indexPath)
  }

  public var sectionIndexTitles: [String] { fetchedResultsController.sectionIndexTitles }

  private func section(_ number: Int) -> (any FetchedResultsSectionInfo)? {
    guard let sections = fetchedResultsController.sections, sections.indices.contains(number) else {
      return nil
    }
    return sections[number]
  }
}
