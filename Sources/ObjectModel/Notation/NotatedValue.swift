/// Values of attributes as people write them in scenario files.
///
/// Strict, unlike the defaults in Xcode's model files: a text that isn't a value of the type is a
/// mistake.
public enum NotatedValue {
  /// The text as a value of `type`; nil when it isn't one. Quotation marks aren't part of it.
  public static func parse(_ text: String, as type: AttributeType) -> Value? {
    switch type {
    case .string: .string(text)
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .double: real(text).map { .double($0) }
    case .float: real(text).map { .double(Double(Float($0))) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .boolean: truth(text).map { .integer($0 ? 1 : 0) }
    case .date: date(text).map { .date($0) }
    case .binaryData: data(text).map { .data($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: URL(string: text).map { .uri($0) }
    case .transformable: data(text).map { .transformable(TransformableValue(archived: $0)) }
    case .undefined, .objectID, .composite: nil
    }
  }

  private static func real(_ text: String) -> Double? {
    guard text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil else { return nil }
    return Double(text)
  }

  private static func decimal(_ text: String) -> Decimal? {
    real(text).flatMap { _ in Decimal(string: text) }
  }

  private static func truth(_ text: String) -> Bool? {
    switch text {
    case "true", "YES": true
    case "false", "NO": false
    default: nil
    }
  }

  /// Base64, or hexadecimal digits after `0x`.
  private static func data(_ text: String) -> Data? {
    guard text.hasPrefix("0x") else { return Data(base64Encoded: text) }
    let digits = text.dropFirst(2).compactMap(\.hexDigitValue)
    guard digits.count == text.count - 2, digits.count.isMultiple(of: 2) else { return nil }
    return Data(
      stride(from: 0, to: digits.count, by: 2).map {
        UInt8(digits[$0] << 4 | digits[$0 + 1])
      })
  }
}

// MARK: - Dates

extension NotatedValue {
  /// `2012-12-25`, which is midnight UTC, or `2012-12-25T18:00:00Z` with an optional fraction and
  /// with `Z` or an offset such as `+01:00`.
  private static func date(_ text: String) -> Date? {
    let pattern =
      /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d))?/
    guard let match = text.wholeMatch(of: pattern),
      let midnight = midnight(Int(match.1), Int(match.2), Int(match.3))
    else { return nil }
    guard let hour = match.4.flatMap({ Int($0) }), let minute = match.5.flatMap({ Int($0) }),
      let second = match.6.flatMap({ Int($0) })
    else { return midnight }
    guard hour < 24, minute < 60, second < 60, let offset = offset(match.8 ?? "Z") else {
      return nil
    }
    let whole = hour * 3600 + minute * 60 + second - offset
    // The fraction is added last: seconds since 2001 are exact as a whole.
    let fraction = match.7.flatMap { Double("0" + $0) } ?? 0
    return Date(
      timeIntervalSinceReferenceDate: midnight.timeIntervalSinceReferenceDate + Double(whole)
        + fraction)
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func midnight(_ year: Int?, _ month: Int?, _ day: Int?) -> Date? {
    let components = DateComponents(year: year, month: month, day: day)
    guard let date = calendar.date(from: components) else { return nil }
    // 31 February would become a day of March.
    let back = calendar.dateComponents([.year, .month, .day], from: date)
    return back.month == month && back.day == day ? date : nil
  }

  private static func offset(_ text: Substring) -> Int? {
    if text == "Z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)) else { return nil }
    return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Whether `a` is above `b`; false when either is missing.
  static func areDescending(_ a: Value, _ b: Value) -> Bool {
    if case .date(let a) = a, case .date(let b) = b { return a > b }
    guard let a = a.decimalValue, let b = b.decimalValue else { return false }
    return a > b
  }
}
