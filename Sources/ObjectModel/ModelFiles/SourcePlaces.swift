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
    return place(at: start)
  }

  /// The first place of a text; nil when the file doesn't have it.
  func place(of text: String) -> Place? {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return nil }
    let start = bytes.indices.first {
      bytes[$0] == first && bytes[$0...].starts(with: wanted)
    }
    return start.map(place)
  }

  private func place(at offset: Int) -> Place {
    let line = lineStarts.lastIndex { $0 <= offset } ?? 0
    return Place(line: line + 1, column: offset - lineStarts[line] + 1)
  }
}
