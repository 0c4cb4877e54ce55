// Sorting objects of any kind, as Foundation's collections do it.

extension SortDescriptor {
  /// The order of two objects in the descriptor's direction.
  public func compare(_ a: Any, to b: Any) -> ComparisonResult {
    raising(.orderedSame) {
      let sorting = ObjectSorting([self])
      return sorting.compare(try sorting.keys(of: a), try sorting.keys(of: b))
    }
  }

  /// The same order the other way round.
  public var reversedSortDescriptor: Any {
    if let comparator {
      return SortDescriptor(key: key, ascending: !ascending, comparator: comparator)
    }
    return SortDescriptor(key: key, ascending: !ascending, selectorName: selectorName)
  }
}

extension [SortDescriptor] {
  /// Objects in the order of the first descriptor that tells them apart; those that none does stay as
  /// they are. A key that an object doesn't have raises.
  package func sorted(_ objects: [Any]) -> [Any] {
    raising(objects) {
      let sorting = ObjectSorting(self)
      let keyed = try objects.enumerated().map {
        (index: $0, keys: try sorting.keys(of: $1), object: $1)
      }
      return keyed.sorted { a, b in
        let order = sorting.compare(a.keys, b.keys)
        return order == .orderedSame ? a.index < b.index : order == .orderedAscending
      }.map(\.object)
    }
  }
}

extension ObjectSorting {
  fileprivate func keys(of object: Any) throws -> [Value] {
    try keys(of: Value(evaluating: object))
  }
}

private func raising<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
  do { return try body() } catch {
    ExceptionTrap.raise(error)
    return fallback
  }
}
