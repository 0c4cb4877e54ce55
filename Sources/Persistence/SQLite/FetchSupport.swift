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
      throw CoreDataError(
        .coreData, refusal.description,
        advice: "The SQLite store of a device raises an exception here. " + refusal.advice
      ).at(entity: query.entity.name).with(value: refusal.part)
    }
  }

  private func checkSelector(of descriptor: SortDescriptor) throws {
    if descriptor.comparator != nil {
      throw CoreDataError(
        .coreData, "unsupported NSSortDescriptor (comparator blocks are not supported)",
        advice:
          "The SQLite store of a device raises an exception here. Sort by a key and one of the "
          + "comparisons it knows, or sort the result."
      ).at(entity: query.entity.name, property: descriptor.key)
    }
    guard let selector = descriptor.selectorName, !Self.selectors.contains(selector) else { return }
    throw CoreDataError(
      .coreData, "unsupported NSSortDescriptor selector: \(selector)",
      advice: "The SQLite store of a device raises an exception here. It sorts by "
        + Self.selectors.joined(separator: ", ") + "; sort in memory by anything else."
    ).at(entity: query.entity.name, property: descriptor.key)
  }

  /// The comparisons of strings that have SQL.
  private static let selectors = [
    "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
    "localizedStandardCompare:",
  ]
}
