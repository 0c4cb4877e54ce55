/// The rows of a hierarchy of entities, in the order of their keys.
struct RowTable {
  struct Row {
    let key: Int64
    let entity: EntityDescription
    var version: Int64
    var values: ContiguousArray<Value>
  }

  private(set) var rows: ContiguousArray<Row> = []
  var lastKey: Int64 = 0

  /// The place of the first row whose key isn't lower.
  private func firstPlace(notBelow key: Int64) -> Int {
    // Keys mostly follow one another without gaps, and new ones come last.
    guard let first = rows.first, let last = rows.last, key > first.key else { return 0 }
    if key > last.key { return rows.count }
    // No key comes later than as many places after the first one as it is higher.
    let (distance, isFar) = key.subtractingReportingOverflow(first.key)
    var (low, high) = (0, isFar ? rows.count : min(Int(distance), rows.count))
    if high < rows.count, rows[high].key == key { return high }
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].key < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place of a key's row; nil where there is none.
  func place(of key: Int64) -> Int? {
    let place = firstPlace(notBelow: key)
    return place < rows.count && rows[place].key == key ? place : nil
  }

  subscript(key: Int64) -> Row? { place(of: key).map { rows[$0] } }

  /// Adds a row, in place of one that has its key.
  mutating func insert(_ row: Row) {
    let place = firstPlace(notBelow: row.key)
    if place < rows.count, rows[place].key == row.key {
      rows[place] = row
    } else {
      rows.insert(row, at: place)
    }
  }

  /// Changes a row where it is; does nothing where there is none.
  mutating func change(_ key: Int64, _ body: (inout Row) -> Void) {
    if let place = place(of: key) { body(&rows[place]) }
  }

  mutating func remove(_ keys: Set<Int64>) {
    if let only = keys.first, keys.count == 1 {
      if let place = place(of: only) { rows.remove(at: place) }
    } else if !keys.isEmpty {
      rows.removeAll { keys.contains($0.key) }
    }
  }
}
