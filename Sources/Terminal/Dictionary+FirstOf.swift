extension Dictionary {
  /// With the first value of each key.
  package init(firstOf pairs: some Sequence<(Key, Value)>) {
    self.init(pairs) { first, _ in first }
  }
}
