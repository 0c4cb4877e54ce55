/// A file's text, by lines and columns as the YAML parser counts them.
struct FileText {
  let scalars: [Unicode.Scalar]
  /// Where each line begins.
  private let starts: [Int]

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
    var starts = [0]
    for (index, scalar) in scalars.enumerated() where Self.isBreak(scalar) {
      let isHalf = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
      if !isHalf { starts.append(index + 1) }
    }
    self.starts = starts
  }

  static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
  }

  /// The offset of a place; nil when the file has no such place.
  func offset(line: Int, column: Int) -> Int? {
    guard starts.indices.contains(line - 1) else { return nil }
    let offset = starts[line - 1] + column - 1
    return offset <= scalars.count ? offset : nil
  }

  /// The whole line, its end included.
  func range(ofLine line: Int) -> Range<Int> {
    let end = starts.indices.contains(line) ? starts[line] : scalars.count
    return starts[line - 1]..<end
  }

  func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// How a line ends: as the file has it.
  func lineEnd(ofLine line: Int) -> String {
    let range = range(ofLine: line)
    let end = scalars[range].lastIndex { !Self.isBreak($0) }.map { $0 + 1 } ?? range.lowerBound
    return text(end..<range.upperBound)
  }
}

/// A change of a stretch of text.
struct TextEdit: Hashable {
  let range: Range<Int>
  let new: String
}

extension FileText {
  /// The text with all edits made; they must not overlap.
  func applying(_ edits: [TextEdit]) -> String {
    var result = ""
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position {
      result += text(position..<edit.range.lowerBound) + edit.new
      position = edit.range.upperBound
    }
    return result + text(position..<scalars.count)
  }
}
