/// A picture of a figure against the number of objects, both axes logarithmic, as SVG.
struct LogChart {
  let title: String
  let series: [Series]
  /// How a value is shown at its axis.
  let label: (Double) -> String
  /// Tells charts of one page apart.
  let identifier: String
  /// Whether values are bytes, of which powers of two are round numbers.
  var isOfBytes = false

  struct Series {
    let name: String
    /// The class of its looks: `s0`, `s1` …
    let look: String
    let points: [(objects: Int, value: Double)]
    /// Below and above each point: what most samples lie between. Empty when there is no such thing.
    var ranges: [ClosedRange<Double>] = []
  }

  private static let (width, height) = (360.0, 230.0)
  private static let (left, right, top, bottom) = (76.0, 348.0, 14.0, 196.0)

  /// Empty without a point to be shown.
  func svg() -> String {
    let points = series.flatMap(\.points).filter { $0.objects > 0 && $0.value > 0 }
    guard !points.isEmpty else { return "" }
    let ranges = series.flatMap(\.ranges)
    let x = LogAxis(
      points.map { Double($0.objects) }, from: Self.left + 12, to: Self.right - 12, leastFactor: 1)
    let y = LogAxis(
      points.map(\.value) + ranges.map(\.lowerBound) + ranges.map(\.upperBound), from: Self.bottom,
      to: Self.top, leastFactor: 4)
    return """
      <svg class="plot" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" \
      aria-labelledby="plot-\(identifier)"><title id="plot-\(identifier)">\(description)</title>
      \(grid(along: x, and: y, at: Set(points.map(\.objects)).sorted()))
      \(series.map { line($0, along: x, and: y) }.joined(separator: "\n"))
      </svg>
      """
  }

  private var description: String {
    let texts = series.map { series in
      let values = series.points.map { "\(CountText.text($0.objects)) objects \(label($0.value))" }
      return "\(series.name): \(values.joined(separator: ", "))"
    }
    return "\(title) against objects, logarithmic. \(texts.joined(separator: "; "))".markupEscaped
  }

  // MARK: Axes

  private func grid(along x: LogAxis, and y: LogAxis, at sizes: [Int]) -> String {
    let rows = (isOfBytes ? y.binaryTicks : y.ticks).map { value in
      let place = Self.text(y.place(of: value))
      return """
        <path class="grid" d="M\(Int(Self.left)) \(place)H\(Int(Self.right))"/>\
        <text class="y" x="\(Int(Self.left) - 6)" y="\(place)" dy="4">\(label(value))</text>
        """
    }
    let columns = sizes.map { size in
      let place = Self.text(x.place(of: Double(size)))
      return """
        <path class="grid" d="M\(place) \(Int(Self.top))V\(Int(Self.bottom))"/>\
        <text class="x" x="\(place)" y="\(Int(Self.bottom) + 18)">\(Self.short(size))</text>
        """
    }
    return (rows + columns).joined(separator: "\n")
  }

  /// `1k`, `1.5M`; whole copies of rows make sizes a little uneven.
  static func short(_ size: Int) -> String {
    let (number, unit) =
      size >= 1_000_000
      ? (Double(size) / 1e6, "M") : size >= 1000 ? (Double(size) / 1000, "k") : (Double(size), "")
    let text = String(format: "%.1f", number)
    return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + unit
  }

  // MARK: Lines

  private func line(_ series: Series, along x: LogAxis, and y: LogAxis) -> String {
    let shown = series.points.enumerated().filter { $1.objects > 0 && $1.value > 0 }
    let places = shown.map { (x.place(of: Double($1.objects)), y.place(of: $1.value)) }
    let path = places.map { "\(Self.text($0.0)) \(Self.text($0.1))" }.joined(separator: "L")
    let marks = zip(shown, places).map { point, place in
      """
      <circle cx="\(Self.text(place.0))" cy="\(Self.text(place.1))" r="4"><title>\
      \(series.name.markupEscaped), \(CountText.text(point.element.objects)) objects: \
      \(label(point.element.value))</title></circle>
      """
    }
    let spreads = shown.filter { series.ranges.indices.contains($0.offset) }.map { index, point in
      let place = Self.text(x.place(of: Double(point.objects)))
      let (low, high) = (series.ranges[index].lowerBound, series.ranges[index].upperBound)
      return "<path class=\"spread\" d=\"M\(place) \(Self.text(y.place(of: low)))V"
        + "\(Self.text(y.place(of: high)))\"/>"
    }
    return "<g class=\"\(series.look)\">\(spreads.joined())<path class=\"line\" d=\"M\(path)\"/>"
      + "\(marks.joined())</g>"
  }

  private static func text(_ place: Double) -> String { String(format: "%.1f", place) }
}

/// One axis of a chart.
struct LogAxis {
  private let (low, high): (Double, Double)
  private let (start, end): (Double, Double)

  /// - Parameter leastFactor: How many times the lowest value the highest is at least.
  init(_ values: [Double], from start: Double, to end: Double, leastFactor: Double) {
    let known = values.filter { $0 > 0 }
    let (low, high) = (known.min() ?? 1, known.max() ?? 1)
    let missing = max(1, (leastFactor * low / high).squareRoot())
    self.low = low / missing
    self.high = high * missing
    (self.start, self.end) = (start, end)
  }

  func place(of value: Double) -> Double {
    guard high > low, value > 0 else { return (start + end) / 2 }
    return start + (end - start) * log(value / low) / log(high / low)
  }

  /// Powers of two on the axis, or of four, sixteen … where that is many.
  var binaryTicks: [Double] {
    let powers = Int(log2(low).rounded(.up))...max(Int(log2(high)), Int(log2(low).rounded(.up)))
    let step = (powers.count + 6) / 7
    return powers.filter { $0.isMultiple(of: step) }.map { pow(2, Double($0)) }
      .filter { $0 >= low && $0 <= high }
  }

  /// Round numbers on the axis: 1, 2 and 5 of each power of ten, or the powers only where that is many.
  var ticks: [Double] {
    let powers = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
    let all = powers.flatMap { power in [1.0, 2, 5].map { $0 * pow(10, Double(power)) } }
      .filter { $0 >= low && $0 <= high }
    return all.count <= 7
      ? all : powers.map { pow(10, Double($0)) }.filter { $0 >= low && $0 <= high }
  }
}
