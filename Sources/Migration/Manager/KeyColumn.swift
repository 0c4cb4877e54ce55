/// A column of primary keys, in as few bytes as they need: none while they count upwards one by one,
/// 4 for each while they fit, else 8.
struct KeyColumn {
  private enum Storage {
    /// So many keys from a first one upwards.
    case run(first: Int64)
    case small(ContiguousArray<UInt32>)
    case large(ContiguousArray<Int64>)
  }
  private var storage = Storage.run(first: 0)
  private(set) var count = 0

  var last: Int64? { count == 0 ? nil : self[count - 1] }

  subscript(row: Int) -> Int64 {
    @inline(__always) get {
      switch storage {
      case .run(let first): first + Int64(row)
      case .small(let keys): Int64(keys[row])
      case .large(let keys): keys[row]
      }
    }
  }

  mutating func append(_ key: Int64) {
    switch storage {
    case .run(let first):
      if count == 0 {
        storage = .run(first: key)
      } else if key != first &+ Int64(count) {
        if UInt32(exactly: first) == nil || UInt32(exactly: first &+ Int64(count)) == nil {
          storage = .large(ContiguousArray((0..<count).map { first + Int64($0) }))
        } else {
          storage = .small(ContiguousArray((0..<count).map { UInt32(first + Int64($0)) }))
        }
        return append(key)
      }
    case .small(var keys):
      guard let small = UInt32(exactly: key) else {
        storage = .large(ContiguousArray(keys.map { Int64($0) }))
        return append(key)
      }
      // Taken out meanwhile, so that it isn't copied.
      storage = .run(first: 0)
      keys.append(small)
      storage = .small(keys)
    case .large(var keys):
      storage = .run(first: 0)
      keys.append(key)
      storage = .large(keys)
    }
    count += 1
  }

  /// The row of a key in a column that ascends; nil when it isn't there.
  func sortedPlace(of key: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
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
