/// What Core Data's SQLite store refuses of a query, before it fetches anything.
struct FetchSupport {
  let query: StoreQuery

  /// - Throws: `CoreDataError` for the first part that is refused.
  func check() throws {
    let support = StoreSupport(entity: query.entity)
    do {
      if let predicate = query.predicate { try support.check(predicate) }
      for expression in query.computed { try support.check(expression) }
      if let having = query.having { try support.check(having) }
      for descriptor in query.sortDescriptors {
        if let key = descriptor.key { try support.check(sortKey: key) }
        try checkSelector(of: descriptor)
      }
    } catch let refusal as UnsupportedByStore {
      throw CoreDataError.unsupported(refusal, in: query)
    }
  }

  private func checkSelector(of descriptor: SortDescriptor) throws {
    if descriptor.comparator != nil {
      throw CoreDataError.comparatorInSQL(descriptor, of: query)
    }
    guard let selector = descriptor.selectorName, !Self.selectors.contains(selector) else { return }
    throw CoreDataError.selectorInSQL(
      selector, of: descriptor, known: Self.selectors, in: query)
  }

  /// The comparisons of strings that have SQL.
  private static let selectors = [
    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
    "localizedStandardCompare:",
  ]
}
