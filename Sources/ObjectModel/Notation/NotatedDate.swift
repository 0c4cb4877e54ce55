/// A point in time as people write it: `2012-12-25`, which is midnight UTC, or
/// `2012-12-25T18:00:00Z`, with a fraction of a second or without, and with `Z` or an offset such as
/// `+01:00`.
struct NotatedDate {
  let date: Date
  private static let secondsPerDay = 86_400

  init?(_ text: String) {
    var rest = Substring(text)
    guard let day = Self.day(from: &rest) else { return nil }
    if rest.isEmpty {
      date = Date(timeIntervalSinceReferenceDate: Double(day * Self.secondsPerDay))
      return
    }
    guard let separator = rest.popFirst(), "T ".contains(separator),
      let time = Self.time(from: &rest), let fraction = Self.fraction(from: &rest),
      let offset = Self.offset(from: &rest), rest.isEmpty
    else { return nil }
    // The fraction is added last: whole seconds are exact.
    let seconds = day * Self.secondsPerDay + time - offset
    date = Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
  }

  /// Days since 2001-01-01; nil for a day that doesn't exist.
  private static func day(from text: inout Substring) -> Int? {
    guard let year = number(of: 4, from: &text), take("-", from: &text),
      let month = number(of: 2, from: &text), (1...12).contains(month), take("-", from: &text),
      let day = number(of: 2, from: &text),
      (1...dayCount(ofMonth: month, year: year)).contains(day)
    else { return nil }
    let earlierMonths = (1..<month).reduce(0) { $0 + dayCount(ofMonth: $1, year: year) }
    return firstDay(of: year) + earlierMonths + day - 1
  }

  /// Days from 2001-01-01 to the beginning of a year from 0 on, by the Gregorian calendar, also before it
  /// was in use: `Date.distantPast` is in the year 0.
  private static func firstDay(of year: Int) -> Int {
    // 366 days before the first year 1, and 730,485 from there on.
    guard year > 0 else { return -730_851 }
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400 - 730_485
  }

  private static func dayCount(ofMonth month: Int, year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    switch month {
    case 2: return isLeapYear ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  /// Seconds since midnight.
  private static func time(from text: inout Substring) -> Int? {
    guard let hour = number(of: 2, from: &text), hour < 24, take(":", from: &text),
      let minute = number(of: 2, from: &text), minute < 60, take(":", from: &text),
      let second = number(of: 2, from: &text), second < 60
    else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  private static func fraction(from text: inout Substring) -> Double? {
    guard take(".", from: &text) else { return 0 }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    text = text[digits.endIndex...]
    return digits.isEmpty ? nil : Double("0." + digits)
  }

  /// Seconds that the written time is ahead of UTC.
  private static func offset(from text: inout Substring) -> Int? {
    guard let sign = text.popFirst() else { return nil }
    if sign == "Z" { return 0 }
    guard "+-".contains(sign), let hours = number(of: 2, from: &text) else { return nil }
    _ = take(":", from: &text)
    guard let minutes = number(of: 2, from: &text), hours < 24, minutes < 60 else { return nil }
    return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  // MARK: Writing

  /// Year, month and day of a day since 2001-01-01; nil before the year 0 and after 9999.
  private static func parts(of day: Int) -> [Int]? {
    guard day >= firstDay(of: 0), day < firstDay(of: 10_000) else { return nil }
    var year = 2001 + Int((Double(day) / 365.2425).rounded(.down))
    while year > 0, firstDay(of: year) > day { year -= 1 }
    while firstDay(of: year + 1) <= day { year += 1 }
    var (month, rest) = (1, day - firstDay(of: year))
    while rest >= dayCount(ofMonth: month, year: year) {
      rest -= dayCount(ofMonth: month, year: year)
      month += 1
    }
    return [year, month, rest + 1]
  }

  /// The text of a date, with as many digits as tell it from others, from milliseconds to nanoseconds; nil for one that
  /// has none.
  static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSinceReferenceDate
    guard seconds.isFinite, abs(seconds) < 1e12 else { return nil }
    let whole = seconds.rounded(.down)
    let day = (whole / Double(secondsPerDay)).rounded(.down)
    guard let parts = parts(of: Int(day)) else { return nil }
    let time = Int(whole - day * Double(secondsPerDay))
    let fraction = seconds == whole ? "" : "." + digits(of: seconds, after: whole)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d", parts[0], parts[1], parts[2], time / 3600,
      time / 60 % 60, time % 60) + fraction + "Z"
  }

  private static func digits(of seconds: Double, after whole: Double) -> String {
    var text = ""
    for count in 3...9 {
      let scale = pow(10, Double(count))
      let number = min(((seconds - whole) * scale).rounded(), scale - 1)
      text = String(format: "%0\(count)d", Int(number))
      if whole + (Double("0." + text) ?? 0) == seconds { break }
    }
    return text
  }

  private static func take(_ character: Character, from text: inout Substring) -> Bool {
    guard text.first == character else { return false }
    text.removeFirst()
    return true
  }

  private static func number(of count: Int, from text: inout Substring) -> Int? {
    let digits = text.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    text = text.dropFirst(count)
    return Int(digits)
  }
}

extension Date {
  /// The date as scenario files and reports write it, `2012-12-25T18:00:00Z`, with a fraction where it has one.
  package var notation: String {
    // Years of more than four digits have no such form.
    NotatedDate.text(of: self) ?? "\(timeIntervalSince1970) s since 1970"
  }
}
