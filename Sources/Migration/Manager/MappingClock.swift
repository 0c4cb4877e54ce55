/// Tells the time of mapping objects from that of reading them, by a sample: two looks at the clock for
/// each object would cost more than some objects do.
struct MappingClock {
  /// So many objects are all timed: what is done once and for all falls on the first of them.
  private static let exactCount = 64
  /// Of those that follow one in so many is.
  private static let interval = 16
  private var count = 0
  private var exactSeconds = 0.0
  private var timedCount = 0
  private var timedSeconds = 0.0

  /// Runs `body` for the next object.
  mutating func time(_ body: () throws -> Void) rethrows {
    count += 1
    if count > Self.exactCount, count % Self.interval != 0 { return try body() }
    let start = ContinuousClock.now
    defer { add((ContinuousClock.now - start).seconds) }
    try body()
  }

  private mutating func add(_ seconds: Double) {
    if count <= Self.exactCount {
      exactSeconds += seconds
    } else {
      timedCount += 1
      timedSeconds += seconds
    }
  }

  /// What all objects took, by what those in the sample did.
  var seconds: Double {
    let rest = Double(count - Self.exactCount)
    if rest <= 0 { return exactSeconds }
    let each =
      timedCount == 0
      ? exactSeconds / Double(Self.exactCount) : timedSeconds / Double(timedCount)
    return exactSeconds + rest * each
  }
}
