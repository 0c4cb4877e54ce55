/// Replaces dates by earlier ones in the same order, all moved by one number of days, and each one a little by itself.
struct DateAnonymizer {
  private static let day = 86_400.0
  private var seen: Set<Date> = []
  private var chosen: [Date: Date] = [:]
  /// Dates that stand for others: so many days are taken that there was no way around it.
  private(set) var crowded: Set<Date> = []

  /// Whether a date is somebody's, and not one that stands for none.
  static func replaces(_ date: Date) -> Bool {
    let marks = [
      Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSince1970: 0), .distantPast,
      .distantFuture,
    ]
    let time = date.timeIntervalSinceReferenceDate
    return time.isFinite && !marks.contains(date) && date > .distantPast && date < .distantFuture
  }

  mutating func learn(_ date: Date) { if Self.replaces(date) { seen.insert(date) } }

  /// - Parameter now: Dates after it stay after it.
  mutating func choose(now: Date = Date()) {
    // None is an old one, if that comes about.
    for _ in 0..<100 {
      chosen = draw(now)
      crowded = seen.intersection(chosen.values)
      if crowded.isEmpty { return }
    }
  }

  private func draw(_ now: Date) -> [Date: Date] {
    var chosen: [Date: Date] = [:]
    let days = Double(Int.random(in: 40...4000)) * Self.day
    let sorted = seen.sorted()
    for (place, date) in sorted.enumerated() {
      let next = place + 1 < sorted.count ? sorted[place + 1] : date + Self.day
      let shift = date > now ? days : -days
      chosen[date] = date + shift + Self.jitter(date, before: next)
    }
    return chosen
  }

  /// Whole days stay whole days, and whole seconds whole seconds.
  private static func jitter(_ date: Date, before next: Date) -> TimeInterval {
    let time = date.timeIntervalSinceReferenceDate
    if time.remainder(dividingBy: day) == 0 { return 0 }
    let room = min(next.timeIntervalSince(date) / 2, day / 4)
    let jitter = Double.random(in: 0...max(0, room))
    return time == time.rounded() ? jitter.rounded(.down) : jitter
  }

  func replacement(of date: Date) -> Date { chosen[date] ?? date }
}
