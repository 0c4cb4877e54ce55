/// What a fetched results controller holds, whatever type it gives its objects.
final class FetchedResults {
  let request: FetchRequest<ManagedObject>
  let context: ManagedObjectContext
  let sectionNameKeyPath: String?
  let cacheName: String?

  weak var delegate: (any FetchedResultsControllerDelegate)?
  /// nil before the first fetch.
  var rows: FetchedRows?
  /// Why changes couldn't be followed; the rows are those before then.
  var changeError: (any Error)?
  private(set) var sorting = ResultOrder([])
  /// What this controller's cache was made for.
  private var cached: SectionCache.Configuration?
  private var observer: ContextObserver?

  init(
    _ request: FetchRequest<ManagedObject>, _ context: ManagedObjectContext,
    sectionNameKeyPath: String?, cacheName: String?
  ) {
    self.request = request
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.cacheName = cacheName
  }

  var isGrouped: Bool { sectionNameKeyPath != nil }
}

// MARK: - Fetching

extension FetchedResults {
  /// - Throws: `CoreDataError` for sections out of order, and what the fetch throws; without sort
  ///   descriptors and for a request changed under a cache, which are exceptions on a device.
  func performFetch() throws {
    let descriptors = request.sortDescriptors ?? []
    try ExceptionTrap.noting {
      if descriptors.isEmpty { throw CoreDataError.unsortedResults }
      try checkCache()
    }
    sorting = ResultOrder(descriptors)
    let objects = try context.fetch(request)
    let found = try ExceptionTrap.noting { try objects.map(row) }
    rows = try FetchedRows(found, isGrouped: isGrouped)
    changeError = nil
    if observer == nil {
      observer = ContextObserver(context) { [weak self] in self?.contextDidChange($0) }
    }
  }

  private func checkCache() throws {
    guard let cacheName else { return }
    let current = SectionCache.Configuration(
      entity: request.entityName ?? "", predicate: "\(request.predicate as Any)",
      sorting: (request.sortDescriptors ?? []).map(\.fingerprint).joined(separator: ","),
      sectionNameKeyPath: sectionNameKeyPath)
    if let cached, cached != current, SectionCache.configuration(named: cacheName) == cached {
      throw CoreDataError.mutatedUnderCache(named: cacheName)
    }
    cached = current
    SectionCache.keep(current, named: cacheName)
  }

  func row(_ object: ManagedObject) throws -> FetchedRow {
    FetchedRow(object: object, keys: try sorting.keys(of: object), section: try section(of: object))
  }

  private func section(of object: ManagedObject) throws -> String {
    guard let sectionNameKeyPath else { return "" }
    let name = try Expression(forKeyPath: sectionNameKeyPath).value(for: .object(object))
    return name.sectionName
  }
}

extension SortDescriptor {
  /// Code has no text, so that another descriptor with code is another one.
  fileprivate var fingerprint: String {
    let order = comparator == nil ? selectorName ?? "" : "code \(ObjectIdentifier(self))"
    return "\(key ?? "") \(ascending ? "up" : "down") \(order)"
  }
}

extension Value {
  /// The value as the name of a section.
  fileprivate var sectionName: String {
    switch self {
    case .null: ""
    case .string(let text): text
    case .integer(let number): String(number)
    default: boxed.map { "\($0)" } ?? ""
    }
  }
}

extension CoreDataError {
  static var unsortedResults: CoreDataError {
    CoreDataError(
      .coreData,
      "An instance of NSFetchedResultsController requires a fetch request with sort descriptors",
      advice: "Set at least one sort descriptor.")
  }
}
