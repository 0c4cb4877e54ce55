/// Tells the time of mapping objects from that of reading them, by a sample: two looks at the clock for
/// each object would cost more than some objects do.
struct MappingClock {
  /// So many objects are all timed: what is done once and for all falls on the first of them.
  private static let exactCount = 64
  /// Of those that follow one in so many is, at most; half as many on average.
  private static let mostInterval: UInt64 = 32
  private var count = 0
  private var nextTimed = Self.exactCount + 1
  /// Objects often come in an order that repeats: a regular interval would meet the same kind each time.
  private var chance: UInt64 = 1
  private var exactSeconds = 0.0
  private var timedCount = 0
  private var timedSeconds = 0.0

  /// Runs `body` for the next object.
  mutating func time(_ body: () throws -> Void) rethrows {
    count += 1
    if count > Self.exactCount, count < nextTimed { return try body() }
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
      chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      nextTimed = count + 1 + Int((chance >> 33) % Self.mostInterval)
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
