/// A column of primary keys, in as few bits as they need: half a byte for each that is a little more
/// than the one before, 2 bits for each while they count upwards one by one.
///
/// 64 keys make a block. Of each it keeps how much more it is than its place and the block's base, in
/// as many bits as the most of them takes.
struct KeyColumn {
  private struct Block {
    let base: Int64
    /// Where its bits start: `width` words of them.
    let start: UInt32
    let width: UInt8
  }
  private var blocks: ContiguousArray<Block> = []
  private var words: ContiguousArray<UInt64> = []
  /// The last keys, which don't fill a block yet.
  private var rest: ContiguousArray<Int64> = []

  var count: Int { blocks.count * 64 + rest.count }

  var last: Int64? { count == 0 ? nil : self[count - 1] }

  subscript(row: Int) -> Int64 {
    @inline(__always) get {
      let block = row >> 6
      return block < blocks.count ? key(row & 63, of: blocks[block]) : rest[row & 63]
    }
  }

  @inline(__always)
  private func key(_ place: Int, of block: Block) -> Int64 {
    let width = UInt64(block.width)
    var excess: UInt64 = 0
    if width > 0 {
      let bit = UInt64(place) * width
      let word = Int(block.start) + Int(bit >> 6)
      excess = words[word] &>> bit
      let inFirst = 64 - (bit & 63)
      if inFirst < width { excess |= words[word + 1] << inFirst }
      if width < 64 { excess &= 1 << width - 1 }
    }
    // Wraps around for keys that are far apart.
    return block.base &+ Int64(place) &+ Int64(bitPattern: excess)
  }

  mutating func append(_ key: Int64) {
    rest.append(key)
    if rest.count == 64 { pack() }
  }

  /// Makes a block of the last keys.
  private mutating func pack() {
    for place in 0..<64 { rest[place] &-= Int64(place) }
    let base = rest.min() ?? 0
    let most = rest.reduce(0) { max($0, UInt64(bitPattern: $1 &- base)) }
    let width = 64 - most.leadingZeroBitCount
    let start = words.count
    words.append(contentsOf: repeatElement(0, count: width))
    for place in 0..<64 where width > 0 {
      let excess = UInt64(bitPattern: rest[place] &- base)
      let bit = place * width
      words[start + bit >> 6] |= excess &<< UInt64(bit)
      let inFirst = 64 - bit & 63
      if inFirst < width { words[start + bit >> 6 + 1] |= excess >> UInt64(inFirst) }
    }
    blocks.append(Block(base: base, start: UInt32(start), width: UInt8(width)))
    rest.removeAll(keepingCapacity: true)
  }

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
