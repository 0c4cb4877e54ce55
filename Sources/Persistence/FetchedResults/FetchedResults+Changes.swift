// Following the changes of the context.

extension FetchedResults {
  /// Without a delegate nobody is told, and the results stay as they were fetched.
  func contextDidChange(_ change: ContextChange) {
    guard let old = rows, delegate != nil, changeError == nil else { return }
    do {
      let relevant = change.touched.filter { old.contains($0) || isWanted($0) }
      if relevant.isEmpty { return }
      let new = try ExceptionTrap.catching { try rows(after: change, from: old) }
      rows = new
      tell(FetchedResultsChange(from: old, to: new, changed: change.touched), old, new)
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
