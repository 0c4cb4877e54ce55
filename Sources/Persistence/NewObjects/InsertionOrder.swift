/// In which order objects of several hierarchies were inserted: runs of one hierarchy, 8 bytes each.
struct InsertionOrder {
  /// So many objects of one hierarchy in a row.
  struct Run {
    let hierarchy: UInt32
    var count: UInt32
  }
  private(set) var runs: ContiguousArray<Run> = []
  private(set) var count = 0

  @inline(__always)
  mutating func append(_ hierarchy: Int) {
    count += 1
    let last = runs.count - 1
    if last >= 0, runs[last].hierarchy == UInt32(hierarchy), runs[last].count < .max {
      runs[last].count += 1
    } else {
      runs.append(Run(hierarchy: UInt32(hierarchy), count: 1))
    }
  }
}
