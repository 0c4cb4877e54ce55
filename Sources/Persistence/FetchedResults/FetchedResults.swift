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
  private(set) var sorting = ObjectSorting([])
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
    sorting = ObjectSorting(descriptors)
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

// MARK: - Changes

extension FetchedResults {
  /// Without a delegate nobody is told, and the results stay as they were fetched.
  func contextDidChange(_ change: ContextChange) {
    guard let old = rows, delegate != nil, changeError == nil else { return }
    // What others had saved before the fetch, and is told of only now, is as it was fetched.
    var change = change
    change.touched.subtract(change.merged.filter(old.contains))
    do {
      let relevant = change.touched.filter { old.contains($0) || isWanted($0) }
      if relevant.isEmpty { return }
      let new = try ExceptionTrap.catching { try rows(after: change, from: old) }
      rows = new
      tell(FetchedResultsChange(from: old, to: new, changed: change.touched), old: old, new: new)
    } catch {
      changeError = error
      ExceptionTrap.note(error)
    }
  }

  private func isWanted(_ object: ManagedObject) -> Bool {
    let entity = object.entity
    if entity.name == request.entityName { return true }
    guard request.includesSubentities else { return false }
    return sequence(first: entity.superentity, next: { $0?.superentity })
      .prefix { $0 != nil }.contains { $0?.name == request.entityName }
  }

  /// The rows with changed objects judged and placed anew; all others keep their order.
  private func rows(after change: ContextChange, from old: FetchedRows) throws -> FetchedRows {
    if request.fetchLimit > 0 || request.fetchOffset > 0 {
      return try FetchedRows(context.fetch(request).map(row), isGrouped: isGrouped)
    }
    let kept = old.rows.filter {
      !change.touched.contains($0.object) && $0.object.managedObjectContext != nil
    }
    let isNew = { (object: ManagedObject) in !old.contains(object) }
    let present = old.rows.map(\.object).filter(change.touched.contains)
    let entered = change.touched.filter(isNew).sorted(by: Self.precedes)
    let judged = try (present + entered).filter { try belongs($0, change) }.map(row)
    return try FetchedRows(merged(kept, judged), isGrouped: isGrouped)
  }

  private static func precedes(_ a: ManagedObject, _ b: ManagedObject) -> Bool {
    a.objectID.primaryKey < b.objectID.primaryKey
  }

  private func belongs(_ object: ManagedObject, _ change: ContextChange) throws -> Bool {
    if change.deleted.contains(object) || object.isMarkedDeleted
      || object.managedObjectContext == nil
    {
      return false
    }
    guard isWanted(object) else { return false }
    return try request.predicate?.evaluate(keyed: object) ?? true
  }

  /// Puts rows among others that are in order; behind those that sort alike.
  private func merged(_ kept: [FetchedRow], _ others: [FetchedRow]) -> [FetchedRow] {
    let sorted = others.enumerated().sorted { a, b in
      let order = sorting.compare(a.element.keys, b.element.keys)
      return order == .orderedSame ? a.offset < b.offset : order == .orderedAscending
    }.map(\.element)
    var result: [FetchedRow] = []
    result.reserveCapacity(kept.count + sorted.count)
    var next = sorted.startIndex
    for row in kept {
      while next < sorted.endIndex,
        sorting.compare(sorted[next].keys, row.keys) == .orderedAscending
      {
        result.append(sorted[next])
        next += 1
      }
      result.append(row)
    }
    return result + sorted[next...]
  }
}

// MARK: - The delegate

extension FetchedResults {
  func tell(_ change: FetchedResultsChange, old: FetchedRows, new: FetchedRows) {
    guard let delegate, !change.isEmpty else { return }
    let controller = FetchedResultsController<any FetchRequestResult>(results: self)
    delegate.controllerWillChangeContent(controller)
    for number in change.deletedSections {
      delegate.controller(
        controller, didChange: section(number, of: old).emptied, atSectionIndex: number,
        for: .delete)
    }
    for number in change.insertedSections {
      delegate.controller(
        controller, didChange: section(number, of: new), atSectionIndex: number, for: .insert)
    }
    for row in change.rows {
      delegate.controller(
        controller, didChange: row.object, at: row.indexPath, for: row.type,
        newIndexPath: row.newIndexPath)
    }
    delegate.controllerDidChangeContent(controller)
  }

  func section(_ number: Int, of rows: FetchedRows) -> FetchedResultsSection {
    let name = rows.name(ofSection: number)
    return FetchedResultsSection(
      name: name, indexTitle: isGrouped ? indexTitle(of: name) : nil,
      members: rows.members(ofSection: number))
  }

  func indexTitle(of name: String) -> String {
    let controller = FetchedResultsController<any FetchRequestResult>(results: self)
    return delegate?.controller(controller, sectionIndexTitleForSectionName: name)
      ?? name.prefix(1).uppercased()
  }
}
