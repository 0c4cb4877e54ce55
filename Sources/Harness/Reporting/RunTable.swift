/// The runs of a scenario in columns.
struct RunTable {
  let nameWidth: Int
  let timeWidth: Int
  private let hopWidth: Int

  init(_ results: [RunResult]) {
    nameWidth = results.map { Self.name(of: $0).count }.max() ?? 0
    timeWidth = results.map { TimeText.text($0.seconds).count }.max() ?? 0
    hopWidth = results.flatMap(\.hops).map(\.hop.count).max() ?? 0
  }

  func name(of result: RunResult) -> String { Self.name(of: result).padded(to: nameWidth) }

  func time(of result: RunResult) -> String {
    TimeText.text(result.seconds).alignedRight(to: timeWidth)
  }

  /// `v1 -> v2  custom    2 -> 4 objects`.
  func line(for hop: HopReport) -> String {
    let mapping = (hop.mapping?.rawValue ?? "no mapping").padded(to: 8)
    return "\(hop.hop.padded(to: hopWidth))  \(mapping)  \(objects(hop))"
  }

  private func objects(_ hop: HopReport) -> String {
    guard let source = hop.sourceObjectCount else { return "" }
    guard let destination = hop.destinationObjectCount else { return "\(source) objects, failed" }
    return "\(source) -> \(destination) objects"
  }

  private static func name(of result: RunResult) -> String {
    let start = result.id.hasSeveralStarts ? " from \(result.id.start)" : ""
    return result.id.backend.rawValue + start
  }
}

/// Durations as people read them.
enum TimeText {
  static func text(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.0095: String(format: "%.1f ms", seconds * 1000)
    case ..<0.9995: String(format: "%.0f ms", seconds * 1000)
    case ..<99.5: String(format: "%.1f s", seconds)
    default: String(format: "%.0f s", seconds)
    }
  }
}
