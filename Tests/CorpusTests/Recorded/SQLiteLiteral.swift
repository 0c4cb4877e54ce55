import ObjectModel

/// A value as SQLite's `quote()` writes it.
enum SQLiteLiteral: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
  var isNull: Bool { self == .null }
}

/// Reads the output of the sqlite3 command line's quote mode: literals with commas between, one
/// row a line.
struct SQLiteLiteralParser {
  struct Malformed: Error { var offset: Int }

  private let bytes: [UInt8]
  private var position = 0

  init(_ data: Data) { bytes = Array(data) }

  mutating func rows() throws -> [[SQLiteLiteral]] {
    var rows: [[SQLiteLiteral]] = []
    var row: [SQLiteLiteral] = []
    while position < bytes.count {
      row.append(try literal())
      switch next() {
      case UInt8(ascii: ","): continue
      case UInt8(ascii: "\n"), nil:
        rows.append(row)
        row = []
      default: throw Malformed(offset: position)
      }
    }
    return rows
  }

  private mutating func next() -> UInt8? {
    defer { position += 1 }
    return position < bytes.count ? bytes[position] : nil
  }

  private mutating func literal() throws -> SQLiteLiteral {
    switch bytes[position] {
    case UInt8(ascii: "'"): return .text(try quoted())
    case UInt8(ascii: "X"):
      position += 1
      return .blob(try data(try quoted()))
    case UInt8(ascii: "N"):
      position += 4
      return .null
    default: return try number()
    }
  }

  /// Text between quotes, in which a quote is doubled.
  private mutating func quoted() throws -> String {
    position += 1
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte != UInt8(ascii: "'") {
        text.append(byte)
      } else if position < bytes.count, bytes[position] == byte {
        text.append(byte)
        position += 1
      } else {
        return String(decoding: text, as: UTF8.self)
      }
    }
    throw Malformed(offset: position)
  }

  private func data(_ digits: String) throws -> Data {
    let digits = Array(digits.utf8)
    return Data(
      try stride(from: 0, to: digits.count, by: 2).map { index in
        let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { throw Malformed(offset: position) }
        return byte
      })
  }

  private mutating func number() throws -> SQLiteLiteral {
    let start = position
    while position < bytes.count, !",\n".utf8.contains(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text) else { throw Malformed(offset: start) }
    return .real(real)
  }
}
