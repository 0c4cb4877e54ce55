/// A table in a text: a heading, rows below it, and columns as wide as what is in them.
package struct TextTable {
  private let rows: [[String]]
  /// The columns that are aligned on the left.
  private let left: Set<Int>
  private let widths: [Int]

  /// - Parameters:
  ///   - rows: The heading, and those below it. One with fewer cells has a remark in the last of them.
  ///   - least: How wide columns of numbers are at least.
  package init(_ rows: [[String]], left: Set<Int> = [0], least: Int = 0) {
    self.rows = rows
    self.left = left
    let count = rows.first?.count ?? 0
    widths = (0..<count).map { column in
      let all = rows.filter { column == 0 || $0.count == count }.map { $0[column].count }
      return max(all.max() ?? 0, left.contains(column) ? 0 : least)
    }
  }

  /// - Parameter style: That of the heading.
  package func lines(_ style: TextStyle, indent: Int = 0) -> [String] {
    rows.enumerated().map { place, row in
      let cells = row.enumerated().map { column, cell in
        left.contains(column) || row.count < widths.count
          ? cell.padded(to: widths[column]) : cell.alignedRight(to: widths[column])
      }
      let line = (String(repeating: " ", count: indent) + cells.joined(separator: "  "))
        .trimmingTrailingSpaces
      return place == 0 ? style.faint(line) : line
    }
  }
}
