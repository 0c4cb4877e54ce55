/// In which order objects of several families were inserted: runs of one family, 8 bytes each.
struct InsertionOrder {
  /// So many objects of one family in a row.
  struct Run {
    let family: UInt32
    var count: UInt32
  }
  private(set) var runs: ContiguousArray<Run> = []
  private(set) var count = 0

  @inline(__always)
  mutating func append(_ family: Int) {
    count += 1
    let last = runs.count - 1
    if last >= 0, runs[last].family == UInt32(family), runs[last].count < .max {
      runs[last].count += 1
    } else {
      runs.append(Run(family: UInt32(family), count: 1))
    }
  }
}
