/// Rows as they come from a statement, one after the other in arrays that are filled again and again.
///
/// Whoever reads them and whoever takes them may be on different threads, one at a time: nothing in
/// it is shared with other rows, so that no reference is counted by both.
struct RowBatch {
  private(set) var keys: ContiguousArray<Int64> = []
  private(set) var versions: ContiguousArray<Int64> = []
  /// Their `Z_ENT`.
  private(set) var numbers: ContiguousArray<Int64> = []
  /// ``width`` of each row: by slot what ``StoreRow/values`` has, but of to-one relationships the keys,
  /// and behind them the numbers of their entities.
  var values: ContiguousArray<Value> = []
  let width: Int
  private var size = 0

  /// Most rows, and most bytes of texts and data beside what a row always takes.
  private static let (rowLimit, byteLimit) = (256, 256 * 1024)

  init(width: Int) { self.width = width }

  var count: Int { keys.count }
  var isFull: Bool { count >= Self.rowLimit || size >= Self.byteLimit }

  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    versions.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    size = 0
  }

  /// Appends a row without values.
  /// - Returns: Where its values belong.
  mutating func append(key: Int64, number: Int64, version: Int64) -> Int {
    let start = count * width
    keys.append(key)
    versions.append(version)
    numbers.append(number)
    if values.count < start + width {
      values.append(contentsOf: repeatElement(.null, count: start + width - values.count))
    }
    return start
  }

  @inline(__always)
  mutating func set(_ value: Value, at index: Int) {
    switch value {
    case .string(let text): size += text.utf8.count
    case .data(let data): size += data.count
    default: break
    }
    values[index] = value
  }

  /// Counts bytes that a value takes elsewhere.
  mutating func note(size more: Int) { size += more }
}
