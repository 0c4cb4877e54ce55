/// A time limit as a person writes it.
package struct RunTime: Sendable, Hashable {
  package let seconds: Double

  /// - Parameter argument: Seconds, or a number with `ms`, `s`, `m` or `h`.
  package init?(argument: String) {
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
    guard let (unit, factor) = units.first(where: { argument.lowercased().hasSuffix($0.0) }),
      let number = Double(argument.dropLast(unit.count)), number > 0, number.isFinite
    else { return nil }
    seconds = number * factor
  }
}

extension RunTime: CustomStringConvertible {
  package var description: String { TimeText.text(seconds) }
}

/// A memory limit as a person writes it.
package struct RunMemory: Sendable, Hashable {
  package let bytes: Int

  /// - Parameter argument: Bytes, or a number with `k`, `M` or `G`, 1024-fold each; a `B` may
  ///   follow.
  package init?(argument: String) {
    var text = argument.lowercased()
    if text.hasSuffix("b") { text.removeLast() }
    let units: [(String, Double)] = [
      ("k", 1024), ("m", 1_048_576), ("g", 1_073_741_824), ("", 1),
    ]
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number > 0, number * factor < 1e15
    else { return nil }
    bytes = Int(number * factor)
  }

  /// Why it can't be a run's limit; nil for one that can. Whoever forgets the unit finds no run that fits.
  package var problemAsLimit: String? {
    if bytes >= Self.leastLimit { return nil }
    return
      "--memory: no run can work with less than \(Self.leastLimit >> 20)M; give a unit, as in 500M."
  }

  /// What a process takes before it has played anything, rounded down.
  private static let leastLimit = 16 << 20
}
