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
  /// Behind the slots of a row's values: the entity numbers of its to-one relationships.
  private let numberOffset: Int
  /// How many bytes the texts and data take beside what a row always takes.
  private(set) var size = 0

  private static let rowLimit = 256
  /// Most bytes of texts and data beside what a row always takes.
  private static let byteLimit = 256 * 1024

  init(width: Int = 0, numberOffset: Int = 0) {
    self.width = width
    self.numberOffset = numberOffset
  }

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

  /// Counts bytes that a value takes beside its row.
  mutating func note(size more: Int) { size += more }
}

extension RowBatch {
  /// Moves a row's values into an array for them.
  /// - Parameter start: Where they begin.
  @inline(__always)
  mutating func moveRow(
    at start: Int, to target: inout ContiguousArray<Value>, _ plan: RowPlan, in store: SQLiteStore
  ) throws {
    values.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        plan.plain.withUnsafeBufferPointer { fields in
          for field in fields { swap(&target[field.slot], &source[start + field.slot]) }
        }
      }
    }
    for index in plan.others.indices {
      let slot = plan.others[index].slot
      guard case .integer(let key) = values[start + slot],
        case .toOne(let toOne) = plan.others[index].kind
      else {
        target[slot] = .null
        continue
      }
      let number = entityNumber(of: index, from: start)
      target[slot] = try store.destination(toOne, key: key, number: number)
    }
  }

  /// The entity number of a to-one relationship, one of its plan's other fields.
  /// - Parameter start: Where the row's values begin.
  private func entityNumber(of index: Int, from start: Int) -> Int64? {
    guard case .integer(let number) = values[start + numberOffset + index] else { return nil }
    return number
  }
}
