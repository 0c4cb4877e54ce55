// Foundation's collections, filtered by a predicate under Apple's names. All raise where the
// predicate raises for an element.

extension NSArray {
  /// The elements that meet the predicate, in order.
  public func filtered(using predicate: Predicate) -> [Any] {
    filter { predicate.evaluate(with: $0) }
  }
}

extension NSMutableArray {
  /// Removes the elements that don't meet the predicate.
  public func filter(using predicate: Predicate) {
    setArray(filtered(using: predicate))
  }
}

extension NSSet {
  /// The members that meet the predicate.
  public func filtered(using predicate: Predicate) -> Set<AnyHashable> {
    Set(allObjects.filter { predicate.evaluate(with: $0) }.compactMap { $0 as? AnyHashable })
  }
}

extension NSMutableSet {
  /// Removes the members that don't meet the predicate.
  public func filter(using predicate: Predicate) {
    for member in allObjects where !predicate.evaluate(with: member) { remove(member) }
  }
}

extension NSOrderedSet {
  /// The members that meet the predicate, in order.
  public func filtered(using predicate: Predicate) -> NSOrderedSet {
    NSOrderedSet(array: array.filter { predicate.evaluate(with: $0) })
  }
}

extension NSMutableOrderedSet {
  /// Removes the members that don't meet the predicate.
  public func filter(using predicate: Predicate) {
    for member in array where !predicate.evaluate(with: member) { remove(member) }
  }
}
