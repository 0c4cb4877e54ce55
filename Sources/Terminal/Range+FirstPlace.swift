extension Range<Int> {
  /// The first place of those that something holds for, which are the last ones; the upper bound where it holds for none.
  /// - Complexity: O(log *count*)
  package func firstPlace(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
