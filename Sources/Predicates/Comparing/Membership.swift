import Synchronization

/// Answers whether a collection has an element; looks larger collections up by hash.
final class Membership: Sendable {
  private let collection: ValueCollection
  private let keys: Set<Value>?
  private static let smallCount = 8

  init(_ collection: ValueCollection) {
    self.collection = collection
    let isLarge = collection.elements.count > Self.smallCount
    keys = isLarge ? Set(collection.elements.map(\.membershipKey)) : nil
  }

  func contains(_ value: Value) -> Bool {
    if let keys { return keys.contains(value.membershipKey) }
    return Self.contains(value, in: collection)
  }

  func isOf(_ other: ValueCollection) -> Bool { collection === other }

  /// Looks through all elements; for a collection that is asked once.
  static func contains(_ value: Value, in collection: ValueCollection) -> Bool {
    collection.elements.contains { ValueComparison.areEqual($0, value) }
  }
}

/// Keeps the last collection that was asked about, which for a constant is the only one.
final class MembershipCache: Sendable {
  private let last = Mutex<Membership?>(nil)

  func membership(of collection: ValueCollection) -> Membership {
    if let known = last.withLock({ $0 }), known.isOf(collection) { return known }
    let made = Membership(collection)
    last.withLock { $0 = made }
    return made
  }
}
