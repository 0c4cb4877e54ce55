/// Reads numbers and texts out of bytes, least significant byte first.
package struct ByteReader {
  /// The bytes ended before what was to be read.
  package struct Overrun: Error { package init() {} }

  private let data: Data
  var position: Int

  package init(_ data: Data, at position: Int = 0) {
    self.data = data
    self.position = position
  }

  var isAtEnd: Bool { remaining <= 0 }
  /// How many bytes are left.
  package var remaining: Int { data.count - position }

  func part(_ range: Range<Int>) throws -> Data {
    guard range.lowerBound >= 0, range.upperBound <= data.count else { throw Overrun() }
    return data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
  }

  package mutating func bytes(_ count: Int) throws -> Data {
    guard count >= 0, position >= 0, count <= data.count - position else { throw Overrun() }
    let bytes = try part(position..<(position + count))
    position += count
    return bytes
  }

  package mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type
  ) throws -> Number {
    let bytes = try bytes(MemoryLayout<Number>.size)
    return Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Number.self) })
  }

  /// Seven bits in each byte; the highest says whether another follows.
  mutating func unsigned() throws -> UInt64 {
    var (result, shift) = (UInt64(0), UInt64(0))
    while true {
      let byte = try integer(UInt8.self)
      result |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 { return result }
    }
  }

  /// The same with a sign, the highest of the bits.
  mutating func signed() throws -> Int64 {
    var (result, shift) = (Int64(0), Int64(0))
    while true {
      let byte = try integer(UInt8.self)
      result |= Int64(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 != 0 { continue }
      return shift < 64 && byte & 0x40 != 0 ? result | (-1 << shift) : result
    }
  }

  /// A text with the zero behind it.
  mutating func text() throws -> String {
    let start = position
    while try integer(UInt8.self) != 0 {}
    return String(decoding: try part(start..<(position - 1)), as: UTF8.self)
  }
}
