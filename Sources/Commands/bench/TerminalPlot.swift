/// A small plot for a terminal, of a figure against the number of objects, both axes logarithmic.
struct TerminalPlot {
  let title: String
  let points: [(objects: Int, value: Double)]
  /// How a value is shown at its axis.
  let label: (Double) -> String

  private static let (width, height) = (30, 7)

  /// The lines, all of one width; none with fewer than two sizes.
  ///
  /// The dots are where the figure would be if it grew in proportion to the objects.
  var lines: [String] {
    let known = points.filter { $0.objects > 0 && $0.value > 0 }
    guard let first = known.first, Set(known.map(\.objects)).count > 1 else { return [] }
    let scale = Scale(known.map { ($0.objects, $0.value) })
    var cells = Array(repeating: Array(repeating: " ", count: Self.width), count: Self.height)
    for column in 0..<Self.width {
      let part = Double(column) / Double(Self.width - 1)
      let proportional = first.value * scale.objects(at: part) / Double(first.objects)
      if let row = scale.row(of: proportional, Self.height) { cells[row][column] = "·" }
    }
    for point in known {
      let column = Int((scale.part(of: point.objects) * Double(Self.width - 1)).rounded())
      if let row = scale.row(of: point.value, Self.height) { cells[row][column] = "●" }
    }
    return framed(cells, by: scale, at: known.map(\.objects))
  }

  private func framed(_ cells: [[String]], by scale: Scale, at sizes: [Int]) -> [String] {
    let (top, bottom) = (label(scale.highest), label(scale.lowest))
    let margin = max(top.count, bottom.count)
    let rows = cells.enumerated().map { index, row in
      let mark = index == 0 ? top : index == cells.count - 1 ? bottom : ""
      return mark.alignedRight(to: margin) + " │" + row.joined()
    }
    let axis =
      String(repeating: " ", count: margin) + " └" + String(repeating: "─", count: Self.width)
    let (low, high) = (CountText.text(sizes.min() ?? 0), CountText.text(sizes.max() ?? 0))
    let gap = max(1, Self.width - low.count - high.count)
    let names =
      String(repeating: " ", count: margin + 2) + low
      + String(repeating: " ", count: gap) + high
    let width = margin + 2 + Self.width
    return ([title] + rows + [axis, names]).map { $0.padded(to: width) }
  }

  /// Several plots side by side, or below each other where they have no room.
  static func beside(_ plots: [TerminalPlot], columns: Int?) -> [String] {
    let blocks = plots.map(\.lines).filter { !$0.isEmpty }
    let width = blocks.reduce(0) { $0 + 3 + ($1.first?.count ?? 0) }
    if let columns, width > columns {
      return Array(blocks.map { $0.map(\.trimmingTrailingSpaces) }.joined(separator: [""]))
    }
    guard let height = blocks.map(\.count).max() else { return [] }
    return (0..<height).map { row in
      blocks.map { $0[row] }.joined(separator: "   ").trimmingTrailingSpaces
    }
  }

  /// Where logarithms come to lie.
  private struct Scale {
    let lowest: Double
    let highest: Double
    private let (fewest, most): (Double, Double)

    init(_ points: [(objects: Int, value: Double)]) {
      let values = points.map(\.value)
      let (low, high) = (values.min() ?? 1, values.max() ?? 1)
      // A figure that hardly changes isn't to look as if it did.
      let middle = (low * high).squareRoot()
      lowest = min(low, middle / 2)
      highest = max(high, middle * 2)
      fewest = Double(points.map(\.objects).min() ?? 1)
      most = Double(points.map(\.objects).max() ?? 1)
    }

    func part(of objects: Int) -> Double { log(Double(objects) / fewest) / log(most / fewest) }
    func objects(at part: Double) -> Double { fewest * pow(most / fewest, part) }

    /// Counted from above; nil outside.
    func row(of value: Double, _ height: Int) -> Int? {
      let part = log(value / lowest) / log(highest / lowest)
      let row = height - 1 - Int((part * Double(height - 1)).rounded())
      return (0..<height).contains(row) ? row : nil
    }
  }
}
