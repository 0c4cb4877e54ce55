/// A file by its lines, and which of them are those of a key of a map, or of an item of a list.
struct FileLines {
  let all: [String]

  init(_ file: SourceFile) {
    all = file.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
  }

  subscript(range: some RangeExpression<Int>) -> [String] { Array(all[range]) }

  /// A part of the file: a key or an item, with the comments and empty lines above it.
  struct Part {
    let range: Range<Int>
    /// Where it begins itself.
    let first: Int
  }

  /// The parts that begin in some lines, the last of which ends with the range.
  /// - Parameter places: In the order of the file, counting from 1.
  /// - Returns: Nil where two share a line, or one isn't in the range.
  func parts(at places: [SourcePlace], in range: Range<Int>) -> [Part]? {
    let firsts = places.map { $0.line - 1 }
    guard !firsts.isEmpty, firsts.allSatisfy(range.contains),
      zip(firsts, firsts.dropFirst()).allSatisfy(<)
    else { return nil }
    var begin = range.lowerBound
    return zip(firsts, firsts.dropFirst() + [range.upperBound]).map { first, next in
      var end = next
      while next != range.upperBound, end > first + 1, isRemark(all[end - 1]) { end -= 1 }
      defer { begin = end }
      return Part(range: begin..<end, first: first)
    }
  }

  private func isRemark(_ line: String) -> Bool {
    let text = line.trimmingCharacters(in: .whitespaces)
    return text.isEmpty || text.hasPrefix("#")
  }
}
