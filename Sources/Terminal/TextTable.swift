/// A table in a text: a heading, rows below it, and columns as wide as what is in them.
package struct TextTable: Sendable, Codable {
  package let rows: [[String]]
  /// The columns that are aligned on the left.
  package let left: Set<Int>
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

  /// - Parameters:
  ///   - style: That of the heading.
  ///   - columns: How wide the text is. Columns that have no room follow in further tables below, which begin with the
  ///     first one, too; nil for one table in any case.
  package func lines(
    _ style: TextStyle, indent: Int = 0, columns: Int? = TextFlow.columns(of: STDOUT_FILENO)
  ) -> [String] {
    var parts: [Range<Int>] = []
    var first = 1
    while let columns, first < widths.count {
      var (end, width) = (first, indent + widths[0])
      while end < widths.count, end == first || width + 2 + widths[end] <= columns {
        width += 2 + widths[end]
        end += 1
      }
      parts.append(first..<end)
      first = end
    }
    if parts.count < 2 {
      return lines(style, indent: indent, rows: rows, places: Array(widths.indices))
    }
    return parts.flatMap { part in
      // A remark stands in the first of them.
      let own = rows.filter { $0.count == widths.count || part.lowerBound == 1 }
      let places = [0] + part
      return lines(
        style, indent: indent,
        rows: own.map { row in row.count < widths.count ? row : places.map { row[$0] } },
        places: places)
    }
  }

  private func lines(
    _ style: TextStyle, indent: Int, rows: [[String]], places: [Int]
  ) -> [String] {
    rows.enumerated().map { place, row in
      let cells = row.enumerated().map { column, cell in
        left.contains(places[column]) || row.count < places.count
          ? cell.padded(to: widths[places[column]]) : cell.alignedRight(to: widths[places[column]])
      }
      let line = (String(repeating: " ", count: indent) + cells.joined(separator: "  "))
        .trimmingTrailingSpaces
      return place == 0 ? style.faint(line) : line
    }
  }
}
