/// The values of many rows, so many for each, one after the other: no row has an array of its own.
///
/// They are in chunks of some hundred rows. So adding rows copies none, and whoever holds all as they
/// were has a change copy one chunk.
struct FlatValues {
  /// How many values each row has.
  private(set) var width = 0
  private var chunks: ContiguousArray<ContiguousArray<Value>> = []

  /// The rows of a chunk are two to the power of this.
  private static let shift = 7
  private static let mask = 1 << shift - 1

  /// Has as many rows as this at least; new ones are of nulls.
  mutating func makeRoom(for count: Int) {
    while chunks.count << Self.shift < count {
      chunks.append(ContiguousArray(repeating: .null, count: width << Self.shift))
    }
  }

  /// Gives each row more values, null at first.
  mutating func widen(to newWidth: Int) {
    if newWidth <= width { return }
    for place in chunks.indices {
      var wide = ContiguousArray(repeating: Value.null, count: newWidth << Self.shift)
      for row in 0...Self.mask {
        for slot in 0..<width { wide[row * newWidth + slot] = chunks[place][row * width + slot] }
      }
      chunks[place] = wide
    }
    width = newWidth
  }

  subscript(row: Int, slot: Int) -> Value {
    @inline(__always) get { chunks[row >> Self.shift][(row & Self.mask) * width + slot] }
    set { chunks[row >> Self.shift][(row & Self.mask) * width + slot] = newValue }
  }

  /// Gives the values of a row where they are.
  @inline(__always)
  func read<Result>(
    _ row: Int, _ body: (UnsafeBufferPointer<Value>) throws -> Result
  ) rethrows -> Result {
    let start = (row & Self.mask) * width
    return try chunks[row >> Self.shift].withUnsafeBufferPointer {
      try body(UnsafeBufferPointer(rebasing: $0[start..<start + width]))
    }
  }

  /// Changes the values of a row where they are.
  @inline(__always)
  mutating func change<Result>(
    _ row: Int, _ body: (UnsafeMutableBufferPointer<Value>) throws -> Result
  ) rethrows -> Result {
    let start = (row & Self.mask) * width
    return try chunks[row >> Self.shift].withUnsafeMutableBufferPointer { chunk in
      try body(UnsafeMutableBufferPointer(rebasing: chunk[start..<start + width]))
    }
  }
}
