/// Durations as people read them.
package enum TimeText {
  package static func text(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.0095: String(format: "%.1f ms", seconds * 1000)
    case ..<0.9995: String(format: "%.0f ms", seconds * 1000)
    case ..<99.5: String(format: "%.1f s", seconds)
    default: String(format: "%.0f s", seconds)
    }
  }
}
