/// A binary property list, read one object at a time.
///
/// Foundation's own reader hides the references of keyed archives, and stops the process on some
/// damaged data; this one shows them, and throws.
struct BinaryPropertyList {
  /// An object; the numbers in collections are those of other objects.
  enum Object {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
    case data(Data)
    case string(String)
    /// A keyed archive's reference.
    case uid(Int)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  /// The number of the outermost object.
  let top: Int
  private let bytes: [UInt8]
  private let offsets: [Int]
  private let referenceSize: Int

  private static let trailerSize = 32

  /// Reads the table of objects only.
  init(_ data: Data) throws(KeyedArchiveError) {
    bytes = Array(data)
    guard bytes.count >= 8 + Self.trailerSize, bytes.starts(with: Array("bplist00".utf8)) else {
      throw KeyedArchiveError(.notABinaryPropertyList)
    }
    let trailer = bytes.count - Self.trailerSize
    let offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(bytes, at: trailer + 8, size: 8),
      let top = Self.number(bytes, at: trailer + 16, size: 8),
      let table = Self.number(bytes, at: trailer + 24, size: 8),
      table >= 8, table <= trailer, top < count, count <= (trailer - table) / offsetSize
    else { throw KeyedArchiveError(.damagedTrailer) }
    self.top = top
    offsets = try Self.offsets(bytes, table: table, count: count, size: offsetSize)
  }

  /// How many objects the list has.
  var count: Int { offsets.count }
  var byteCount: Int { bytes.count }

  private static func offsets(
    _ bytes: [UInt8], table: Int, count: Int, size: Int
  ) throws(KeyedArchiveError) -> [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = number(bytes, at: table + index * size, size: size),
        offset >= 8, offset < table
      else { throw KeyedArchiveError(.truncatedObject(index)) }
      offsets.append(offset)
    }
    return offsets
  }

  /// A big-endian number; nil beyond the end or beyond `Int.max`.
  private static func number(_ bytes: [UInt8], at start: Int, size: Int) -> Int? {
    guard size >= 0, start >= 0, start <= bytes.count - size else { return nil }
    var number: UInt64 = 0
    for byte in bytes[start..<start + size] { number = number << 8 | UInt64(byte) }
    return Int(exactly: number)
  }
}

// MARK: - Objects

extension BinaryPropertyList {
  /// The object with a number, collections without their members.
  func object(at index: Int) throws(KeyedArchiveError) -> Object {
    guard offsets.indices.contains(index) else {
      throw KeyedArchiveError(.danglingReference(from: index, to: index))
    }
    let offset = offsets[index]
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try singleton(marker, of: index)
    case 0x1: return .integer(try integer(at: offset + 1, size: 1 << low, of: index))
    case 0x2: return .real(try real(at: offset + 1, size: 1 << low, of: index))
    case 0x3: return .date(try real(at: offset + 1, size: 8, of: index))
    case 0x8: return .uid(try natural(at: offset + 1, size: low + 1, of: index))
    default: return try sized(marker, at: offset, of: index)
    }
  }

  private func singleton(_ marker: UInt8, of index: Int) throws(KeyedArchiveError) -> Object {
    switch marker {
    case 0x00: return .null
    case 0x08: return .bool(false)
    case 0x09: return .bool(true)
    default: throw KeyedArchiveError(.unknownMarker(marker, object: index))
    }
  }

  /// An object that begins with how many elements it has.
  private func sized(
    _ marker: UInt8, at offset: Int, of index: Int
  ) throws(KeyedArchiveError) -> Object {
    let (count, start) = try length(at: offset, of: index)
    switch marker >> 4 {
    case 0x4: return .data(Data(try slice(at: start, count: count, of: index)))
    case 0x5, 0x7:
      return .string(String(decoding: try slice(at: start, count: count, of: index), as: UTF8.self))
    case 0x6: return .string(try utf16(at: start, count: count, of: index))
    // Sets (0xB, 0xC) are in no archive, and stop Foundation's reader.
    case 0xA: return .array(try references(at: start, count: count, of: index))
    case 0xD:
      let keys = try references(at: start, count: count, of: index)
      let values = try references(at: start + count * referenceSize, count: count, of: index)
      return .dictionary(keys: keys, values: values)
    default: throw KeyedArchiveError(.unknownMarker(marker, object: index))
    }
  }

  /// The count of a sized object, and where its elements begin. Counts above 14 follow as an
  /// integer.
  private func length(
    at offset: Int, of index: Int
  ) throws(KeyedArchiveError) -> (count: Int, start: Int) {
    let low = Int(bytes[offset] & 0x0F)
    if low < 0x0F { return (low, offset + 1) }
    guard offset + 1 < bytes.count, bytes[offset + 1] >> 4 == 0x1 else {
      throw KeyedArchiveError(.truncatedObject(index))
    }
    let size = 1 << Int(bytes[offset + 1] & 0x0F)
    let count = try natural(at: offset + 2, size: size, of: index)
    return (count, offset + 2 + size)
  }

  private func references(
    at start: Int, count: Int, of index: Int
  ) throws(KeyedArchiveError) -> [Int] {
    guard count <= bytes.count / referenceSize else {
      throw KeyedArchiveError(.truncatedObject(index))
    }
    var references: [Int] = []
    references.reserveCapacity(count)
    for position in 0..<count {
      let reference = try natural(
        at: start + position * referenceSize, size: referenceSize, of: index)
      guard reference < self.count else {
        throw KeyedArchiveError(.danglingReference(from: index, to: reference))
      }
      references.append(reference)
    }
    return references
  }
}

// MARK: - All of it

extension Data {
  /// The property list that these bytes are. In a binary one, few bytes may stand for very many values, by lists that
  /// have another several times; Foundation makes all of them, and stops the process at sets.
  /// - Throws: ``KeyedArchiveError``, or Foundation's error.
  package func propertyList() throws -> Any {
    if starts(with: Data("bplist".utf8)) { try BinaryPropertyList(self).checkNesting() }
    return try PropertyListSerialization.propertyList(from: self, format: nil)
  }
}

extension BinaryPropertyList {
  fileprivate func checkNesting() throws {
    let entries = try (0..<count).map { index -> KeyedArchive.Entry in
      switch try object(at: index) {
      case .array(let members): .array(members.map { .reference($0) })
      case .dictionary(let keys, let values):
        .dictionary(keys: keys.map { .reference($0) }, values: values.map { .reference($0) })
      default: .value(.null)
      }
    }
    try NestingCheck(
      entries: entries, deepest: KeyedArchiveReader.deepestCollection,
      largest: KeyedArchiveReader.largestCollection
    ).run()
  }
}

// MARK: - Scalars

extension BinaryPropertyList {
  private func slice(
    at start: Int, count: Int, of index: Int
  ) throws(KeyedArchiveError) -> ArraySlice<UInt8> {
    guard count >= 0, start >= 0, count <= bytes.count, start <= bytes.count - count else {
      throw KeyedArchiveError(.truncatedObject(index))
    }
    return bytes[start..<start + count]
  }

  private func natural(at start: Int, size: Int, of index: Int) throws(KeyedArchiveError) -> Int {
    guard size <= 8, let number = Self.number(bytes, at: start, size: size) else {
      throw KeyedArchiveError(.truncatedObject(index))
    }
    return number
  }

  /// Integers of 1, 2 and 4 bytes are unsigned, those of 8 signed; of 16 bytes, which hold large
  /// unsigned numbers, the low half is taken.
  private func integer(
    at start: Int, size: Int, of index: Int
  ) throws(KeyedArchiveError) -> Int64 {
    guard size <= 16 else { throw KeyedArchiveError(.truncatedObject(index)) }
    let bytes = try slice(at: start, count: size, of: index).suffix(8)
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  private func real(at start: Int, size: Int, of index: Int) throws(KeyedArchiveError) -> Double {
    let bits = try slice(at: start, count: size, of: index).reduce(0) { $0 << 8 | UInt64($1) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default: throw KeyedArchiveError(.truncatedObject(index))
    }
  }

  private func utf16(at start: Int, count: Int, of index: Int) throws(KeyedArchiveError) -> String {
    guard count <= bytes.count else { throw KeyedArchiveError(.truncatedObject(index)) }
    let slice = try slice(at: start, count: count * 2, of: index)
    let units = stride(from: slice.startIndex, to: slice.endIndex, by: 2).map {
      UInt16(slice[$0]) << 8 | UInt16(slice[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
