/// Finds rows of a table by a key that the table itself keeps: open addressing over row numbers,
/// four bytes each, so that an index over millions of rows stays small.
///
/// The table passes closures for the hash of a row and for equality; the index stores no keys.
struct RowIndex {
  /// Row number plus one; 0 for a free place. The size is a power of two.
  private var places: ContiguousArray<UInt32> = []
  private var used = 0

  /// The row whose key is the wanted one, or nil.
  @inline(__always)
  func row(hash: Int, matches: (Int) -> Bool) -> Int? {
    if places.isEmpty { return nil }
    var place = Self.start(hash, mask: places.count - 1)
    while places[place] != 0 {
      let row = Int(places[place]) - 1
      if matches(row) { return row }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// Adds a row whose key isn't in the index yet.
  mutating func insert(_ row: Int, hash: Int, hashOfRow: (Int) -> Int) {
    if (used + 1) * 4 > places.count * 3 { grow(hashOfRow: hashOfRow) }
    place(UInt32(row + 1), hash: hash)
    used += 1
  }

  private mutating func place(_ entry: UInt32, hash: Int) {
    var place = Self.start(hash, mask: places.count - 1)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = entry
  }

  private mutating func grow(hashOfRow: (Int) -> Int) {
    let old = places
    assert(old.count & (old.count - 1) == 0, "the size isn't a power of two")
    places = ContiguousArray(repeating: 0, count: max(16, old.count * 2))
    for entry in old where entry != 0 { place(entry, hash: hashOfRow(Int(entry) - 1)) }
  }

  /// Spreads the hash: primary keys are consecutive, addresses are multiples of 16.
  @inline(__always)
  private static func start(_ hash: Int, mask: Int) -> Int {
    let spread = UInt(bitPattern: hash) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: spread >> 32) & mask
  }
}
