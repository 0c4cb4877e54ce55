/// How fast the machine is just now: what a fixed piece of work takes.
///
/// Two measurements at different times are compared only as far as the machine was the same: another
/// tenant, a hot processor or a full disk change it more than most commits.
enum MachinePace {
  /// Seconds; the fastest of three, since nothing makes it faster by chance. Some milliseconds in all.
  static func seconds() -> Double {
    (0..<3).map { _ in
      let start = ContinuousClock.now
      work()
      return (ContinuousClock.now - start).seconds
    }.min() ?? 0
  }

  private static func work() {
    var chance = Chance(state: 1)
    var numbers = [UInt64](repeating: 0, count: 4096)
    for _ in 0..<200_000 {
      let number = chance.next()
      numbers[Int(number & 4095)] &+= number
    }
    withExtendedLifetime(numbers) {}
  }
}
