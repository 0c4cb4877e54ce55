/// Dates as scenario files write them.
package enum ISODate {
  /// `2012-12-25T18:00:00Z`, with a fraction where the date has one.
  package static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    // Years of more than four digits have no such form.
    guard seconds.isFinite, abs(seconds) < 1e11 else { return "\(seconds) s since 1970" }
    let isWhole = seconds == seconds.rounded()
    return date.formatted(
      .iso8601.year().month().day().time(includingFractionalSeconds: !isWhole)
        .timeZone(separator: .omitted))
  }
}
