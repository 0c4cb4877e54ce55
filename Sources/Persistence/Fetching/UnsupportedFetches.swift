/// What a context does with a fetch that Core Data's SQLite store refuses: with ALL, two to-many
/// keys, a key that isn't stored, code, a sort by an unknown selector, and the like.
public enum UnsupportedFetches: Sendable {
  /// The fetch fails before anything is fetched, as on a device; a store in memory answers it.
  case refused
  /// What has no SQL is evaluated in memory, for those who only want to look at a store.
  case evaluatedInMemory
}

extension StoreQuery {
  /// Whether the query is of the usual kind that needs no looking through: it wants all objects, or
  /// those whose stored attribute compares with a constant.
  fileprivate var isSupportedAnywhere: Bool {
    if !sortDescriptors.isEmpty || !computed.isEmpty || having != nil { return false }
    guard let predicate else { return true }
    guard let key = predicate.keyComparedWithConstant, let attribute = entity.attribute(named: key)
    else { return false }
    return attribute.isStored && attribute.attributeType != .composite
  }
}

extension ManagedObjectContext {
  /// - Throws: What Core Data raises for a query that one of its stores can't answer.
  func checkSupport(of query: StoreQuery) throws {
    guard unsupportedFetches == .refused, !query.isSupportedAnywhere else { return }
    try ExceptionTrap.noting {
      try reading { try source?.checkSupport(for: query) }
      try KeyPathCheck(entity: query.entity).check(query)
    }
  }
}
