/// The keys of rows by the values that one attribute has or has had.
///
/// For values that many rows share, which ``KeyIndex`` leaves to the store.
final class InMemoryProbe {
  /// The store index of the family's root.
  let family: Int
  let slot: Int
  /// In ascending order.
  private var keysByValue: [Value: [Int64]] = [:]

  init(family: Int, slot: Int) {
    self.family = family
    self.slot = slot
  }

  /// The keys of all rows that have a value, and perhaps of others.
  func keys(_ value: Value) -> [Int64] { keysByValue[value] ?? [] }

  /// Takes in the value that a row has now.
  func note(_ key: Int64, _ value: Value) {
    if !value.isNull { keysByValue[value, default: []].insertInOrder(key) }
  }
}

extension [Int64] {
  /// Inserts a key that isn't there yet. Most are higher than all others.
  fileprivate mutating func insertInOrder(_ key: Int64) {
    guard let last, last >= key else { return append(key) }
    let place = firstPlace(notBelow: key, before: count)
    if self[place] != key { insert(key, at: place) }
  }
}
