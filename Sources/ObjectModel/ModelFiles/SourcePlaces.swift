/// Finds where tags begin in an XML file: the parser tells only where they end.
struct SourcePlaces {
  /// A line and a column, both from 1.
  struct Place: Hashable, Sendable {
    var line: Int
    var column: Int
  }

  private let bytes: [UInt8]
  private let lineStarts: [Int]

  init(_ data: Data) {
    let bytes = Array(data)
    self.bytes = bytes
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
  }

  /// The place of the `<` of a start tag. Values within a tag can't contain one.
  func tagStart(endingAt end: Place) -> Place {
    guard lineStarts.indices.contains(end.line - 1) else { return end }
    let offset = min(lineStarts[end.line - 1] + end.column, bytes.count)
    guard let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "<")) else { return end }
    let line = lineStarts.lastIndex { $0 <= start } ?? 0
    return Place(line: line + 1, column: start - lineStarts[line] + 1)
  }
}
