/// Writes a binary property list, references of keyed archives included.
struct BinaryPropertyListWriter {
  /// A value to write.
  indirect enum Node: Hashable {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case data(Data)
    case string(String)
    case uid(Int)
    case array([Node])
    case dictionary([String: Node])
  }

  /// Objects in the order of writing; collections hold the numbers of their members.
  private enum Flat {
    case scalar(Node)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Flat] = []
  private var known: [Node: Int] = [:]
  /// Appended byte by byte, at which `Data` is slow.
  private var output = [UInt8]("bplist00".utf8)
  private var referenceSize = 1

  static func data(_ root: Node) -> Data {
    var writer = BinaryPropertyListWriter()
    _ = writer.flatten(root)
    return writer.write()
  }

  /// Numbers a value and all in it. Equal scalars are written once.
  private mutating func flatten(_ node: Node) -> Int {
    switch node {
    case .array(let members):
      let index = reserve()
      objects[index] = .array(members.map { flatten($0) })
      return index
    case .dictionary(let entries):
      let index = reserve()
      let sorted = entries.sorted { $0.key < $1.key }
      let keys = sorted.map { flatten(.string($0.key)) }
      objects[index] = .dictionary(keys: keys, values: sorted.map { flatten($0.value) })
      return index
    default:
      let key = Self.key(of: node)
      if let index = known[key] { return index }
      known[key] = objects.count
      objects.append(.scalar(node))
      return objects.count - 1
    }
  }

  /// What scalars of the same bytes share: texts of other code units may be equal, and the two zeros are.
  private static func key(of node: Node) -> Node {
    switch node {
    case .string(let text): .array([.data(Data(text.utf8))])
    case .real(let number): .array([.integer(Int64(bitPattern: number.bitPattern))])
    default: node
    }
  }

  private mutating func reserve() -> Int {
    objects.append(.array([]))
    return objects.count - 1
  }
}

// MARK: - Bytes

extension BinaryPropertyListWriter {
  private mutating func write() -> Data {
    referenceSize = Self.byteCount(of: objects.count)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(output.count)
      append(object)
    }
    let table = output.count
    let offsetSize = Self.byteCount(of: table)
    for offset in offsets { append(offset, size: offsetSize) }
    output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
    for number in [objects.count, 0, table] { append(number, size: 8) }
    return Data(output)
  }

  private mutating func append(_ object: Flat) {
    switch object {
    case .scalar(let node): append(scalar: node)
    case .array(let members):
      appendMarker(0xA0, count: members.count)
      for member in members { append(member, size: referenceSize) }
    case .dictionary(let keys, let values):
      appendMarker(0xD0, count: keys.count)
      for reference in keys + values { append(reference, size: referenceSize) }
    }
  }

  private mutating func append(scalar node: Node) {
    switch node {
    case .bool(let value): output.append(value ? 0x09 : 0x08)
    case .integer(let value): append(integer: value)
    case .real(let value):
      output.append(0x23)
      append(bits: value.bitPattern, size: 8)
    case .data(let value):
      appendMarker(0x40, count: value.count)
      output.append(contentsOf: value)
    case .string(let value): append(string: value)
    case .uid(let value):
      let size = Self.byteCount(of: value)
      output.append(0x80 | UInt8(size - 1))
      append(value, size: size)
    case .array, .dictionary: break
    }
  }

  private mutating func append(string: String) {
    if string.utf8.allSatisfy({ $0 < 0x80 }) {
      appendMarker(0x50, count: string.utf8.count)
      output.append(contentsOf: string.utf8)
    } else {
      appendMarker(0x60, count: string.utf16.count)
      for unit in string.utf16 { append(Int(unit), size: 2) }
    }
  }

  private mutating func append(integer: Int64) {
    // Only integers of eight bytes are signed.
    let size = integer < 0 ? 8 : Self.byteCount(of: Int(integer))
    output.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(bits: UInt64(bitPattern: integer), size: size)
  }

  private mutating func appendMarker(_ marker: UInt8, count: Int) {
    if count < 15 {
      output.append(marker | UInt8(count))
    } else {
      output.append(marker | 0x0F)
      append(integer: Int64(count))
    }
  }

  private mutating func append(_ number: Int, size: Int) {
    append(bits: UInt64(number), size: size)
  }

  private mutating func append(bits: UInt64, size: Int) {
    for byte in (0..<size).reversed() {
      output.append(UInt8(truncatingIfNeeded: bits >> UInt64(byte * 8)))
    }
  }

  /// 1, 2, 4 or 8: the bytes that a number from 0 up needs.
  private static func byteCount(of number: Int) -> Int {
    switch number {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}
