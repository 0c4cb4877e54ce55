/// The objects that a fetch request finds, in sections, kept up to date as their context changes.
///
/// Changes are followed while there is a delegate, at each `didChangeObjectsNotification` of the
/// context: when pending changes are processed, and when changes of another context are merged.
/// Only changed objects of the entity are judged anew, as Core Data does it: a predicate that looks
/// through a relationship doesn't notice changes at its other end. A migration's own
/// contexts tell nobody of their changes.
open class FetchedResultsController<ResultType>: NSObject {
  private let results: FetchedResults

  /// - Parameters:
  ///   - fetchRequest: Must have a sort descriptor, the first of which orders the sections; else an
  ///     exception is raised.
  ///   - sectionNameKeyPath: Gives the name of an object's section; nil for one section only.
  ///   - cacheName: While a cache with this name exists, the request mustn't be changed; see
  ///     ``deleteCache(withName:)``.
  public init(
    fetchRequest: FetchRequest<ResultType>, managedObjectContext context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName name: String?
  ) {
    if fetchRequest.sortDescriptors?.isEmpty ?? true {
      ExceptionTrap.raise(CoreDataError.unsortedResults)
    }
    self.fetchRequest = fetchRequest
    results = FetchedResults(
      FetchRequest<ManagedObject>(), context, sectionNameKeyPath: sectionNameKeyPath,
      cacheName: name)
  }

  /// Another view of the same results.
  init(results: FetchedResults) {
    self.results = results
    fetchRequest = FetchRequest<ResultType>()
    results.request.describe(fetchRequest)
  }

  /// Changes take effect at the next ``performFetch()``.
  public let fetchRequest: FetchRequest<ResultType>
  public var managedObjectContext: ManagedObjectContext { results.context }
  public var sectionNameKeyPath: String? { results.sectionNameKeyPath }
  public var cacheName: String? { results.cacheName }

  /// Who is told about changes. Without one the results stay as they were fetched.
  public var delegate: (any FetchedResultsControllerDelegate)? {
    get { results.delegate }
    set { results.delegate = newValue }
  }

  /// Fetches, and makes the sections.
  /// - Throws: `CoreDataError` without sort descriptors, for a request that was changed under a
  ///   cache, for sections out of order, and what the fetch throws.
  open func performFetch() throws {
    fetchRequest.describe(results.request)
    try results.performFetch()
  }

  /// Why changes of the context couldn't be followed any more, for example a section out of order.
  /// Core Data only logs that. The next ``performFetch()`` starts anew.
  public var changeError: (any Error)? { results.changeError }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? any SharingResults)?.sharedResults === results
  }

  open override var hash: Int { ObjectIdentifier(results).hashValue }

  // MARK: Results

  /// All objects in order; nil before the first fetch.
  public var fetchedObjects: [ResultType]? {
    results.rows?.rows.compactMap { $0.object as? ResultType }
  }

  /// The sections; nil before the first fetch. Without a key path there is one, even when it is
  /// empty.
  public var sections: [any FetchedResultsSectionInfo]? {
    results.rows.map { rows in (0..<rows.sectionCount).map { results.section($0, of: rows) } }
  }

  /// The object at a path. One that doesn't exist raises.
  public func object(at indexPath: IndexPath) -> ResultType {
    if let object = results.rows?.object(at: indexPath) as? ResultType { return object }
    ExceptionTrap.raise(CoreDataError.noObject(at: indexPath))
    let detached = ManagedObject(entity: .withoutProperties(), insertInto: nil)
    guard let harmless = detached as? ResultType else {
      preconditionFailure("results of type \(ResultType.self) aren't managed objects")
    }
    return harmless
  }

  /// Where an object is; nil when it isn't among the results.
  public func indexPath(forObject object: ResultType) -> IndexPath? {
    (object as? ManagedObject).flatMap { results.rows?.indexPath(of: $0) }
  }

  // MARK: An index beside the list

  /// The titles of all sections, each once.
  public var sectionIndexTitles: [String] {
    var seen = Set<String>()
    return (sections ?? []).compactMap(\.indexTitle).filter { seen.insert($0).inserted }
  }

  /// The first letter of a section's name, upper-cased, unless the delegate knows better.
  open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
    results.indexTitle(of: sectionName)
  }

  /// The first section with the title at a place among ``sectionIndexTitles``. A place or title that
  /// doesn't exist raises.
  public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
    let titles = sectionIndexTitles
    if titles.indices.contains(sectionIndex), titles[sectionIndex] == title,
      let section = sections?.firstIndex(where: { $0.indexTitle == title })
    {
      return section
    }
    ExceptionTrap.raise(CoreDataError.noSection(titled: title, at: sectionIndex))
    return 0
  }

  /// Forgets a cache of sections, so that the request of its controllers may be changed.
  /// - Parameter name: nil for all caches.
  public static func deleteCache(withName name: String?) { SectionCache.delete(named: name) }
}

/// Something that shows the results of a controller.
private protocol SharingResults {
  var sharedResults: FetchedResults { get }
}

extension FetchedResultsController: SharingResults {
  fileprivate var sharedResults: FetchedResults { results }
}

extension EntityDescription {
  /// An entity for an object that an exception leaves behind.
  fileprivate static func withoutProperties() -> EntityDescription {
    let entity = EntityDescription(name: "")
    // Of one entity without properties nothing can be wrong.
    _ = try? ManagedObjectModel(entities: [entity])
    return entity
  }
}
