/// What a run in a process of its own may take.
package struct RunLimits: Sendable {
  /// Wall-clock seconds.
  package var seconds: Double
  /// Resident bytes.
  package var bytes: Int

  package init(seconds: Double = RunLimits.defaultSeconds, bytes: Int = RunLimits.defaultBytes) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// Long enough for any real run, and short enough for somebody who waits.
  package static let defaultSeconds = 600.0

  /// The option by which a run gets the limit that it broke; none for the usual one.
  func options(for kind: Failure.Kind) -> [String] {
    switch kind {
    case .timeout where seconds != Self.defaultSeconds:
      let isWhole = seconds == seconds.rounded() && seconds < 1e9
      return ["--timeout", (isWhole ? "\(Int(seconds))" : "\(seconds)") + "s"]
    case .memory where bytes != Self.defaultBytes:
      return ["--memory", bytes % (1 << 20) == 0 ? "\(bytes >> 20)M" : "\(bytes)"]
    default: return []
    }
  }

  /// Half of the machine's memory: enough for any real run, and the machine goes on working.
  package static var defaultBytes: Int { Int(ProcessInfo.processInfo.physicalMemory / 2) }
}
