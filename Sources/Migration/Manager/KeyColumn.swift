/// A column of primary keys.
struct KeyColumn {
  private var keys: ContiguousArray<Int64> = []

  var count: Int { keys.count }

  var last: Int64? { keys.last }

  subscript(row: Int) -> Int64 {
    @inline(__always) get { keys[row] }
  }

  mutating func append(_ key: Int64) { keys.append(key) }

  /// The row of a key in a column that ascends; nil when it isn't there.
  func sortedPlace(of key: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    assert(low == 0 || self[low - 1] < key, "the column doesn't ascend")
    return low < count && self[low] == key ? low : nil
  }
}

/// A column of entities by their place in the model; takes nothing while all are the same.
struct EntityColumn {
  private var first: UInt16 = 0
  private var all: ContiguousArray<UInt16> = []
  private(set) var count = 0

  subscript(row: Int) -> UInt16 {
    @inline(__always) get { all.isEmpty ? first : all[row] }
  }

  mutating func append(_ entity: UInt16) {
    if count == 0 { first = entity }
    if all.isEmpty, entity != first { all = ContiguousArray(repeating: first, count: count) }
    if !all.isEmpty { all.append(entity) }
    count += 1
  }
}
