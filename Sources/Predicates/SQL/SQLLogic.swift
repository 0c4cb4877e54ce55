/// What NULL means to the comparisons of a translated predicate.
public enum SQLLogic: Sendable {
  /// NULL is a value like others, as nil is in memory.
  case nullSafe
  /// A comparison with NULL is neither true nor false, and so is its NOT: what a device's SQLite does.
  case threeValued
}
