/// What to do when a save meets a row that was changed since it was read. Raw values are Core
/// Data's own.
public enum MergePolicy: Int, Sendable, Hashable, CaseIterable {
  /// The save fails with 133020.
  case error = 0
  /// The store's values win, property by property.
  case mergeByPropertyStoreTrump = 1
  /// The context's values win, property by property.
  case mergeByPropertyObjectTrump = 2
  /// The context's object is written whole.
  case overwrite = 3
  /// The context's changes of the object are dropped.
  case rollback = 4
}
