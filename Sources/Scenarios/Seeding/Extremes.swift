/// Values at the edges of a type, and within an attribute's bounds.
package enum Extremes {
  /// The valid ones among what a type can hold at its edges and what the attribute's bounds allow at
  /// theirs; empty for types without any.
  package static func values(for attribute: AttributeDescription) -> [Value] {
    var seen = Set<Value>()
    return (ofType(attribute) + bounds(of: attribute)).filter {
      AttributeValidation.failure(of: $0, for: attribute) == nil && seen.insert($0).inserted
    }
  }

  private static func ofType(_ attribute: AttributeDescription) -> [Value] {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: attribute.attributeType.wholeNumbers.map(whole) ?? []
    case .boolean: [.integer(0), .integer(1)]
    case .double: doubles.map { .double($0) }
    case .float: floats.map { .double(Double($0)) }
    case .decimal:
      // More than 15 digits don't survive SQLite, in Core Data's own stores either.
      ["0", "0.01", "999999999999999", "-999999999999999"].compactMap { Decimal(string: $0) }
        .map { .decimal($0) }
    case .string: texts.map { .string($0) }
    case .date: dates.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .binaryData: data(attribute.allowsExternalBinaryDataStorage).map { .data($0) }
    case .uuid: [uuid(of: 0), uuid(of: 0xFF)]
    case .uri:
      ["https://example.com", "https://example.com/a%20b?q=%F0%9F%98%80#z"]
        .compactMap { URL(string: $0) }.map { .uri($0) }
    case .transformable, .undefined, .objectID, .composite: []
    }
  }

  private static let doubles: [Double] = [
    0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1,
  ]
  private static let floats: [Float] = [
    0, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.5,
  ]

  private static func uuid(of b: UInt8) -> Value {
    .uuid(UUID(uuid: (b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b)))
  }

  private static func whole(_ range: ClosedRange<Int64>) -> [Value] {
    [range.lowerBound, range.upperBound, 0, -1, 1].map { .integer($0) }
  }

  /// Empty, blank, outside the Basic Multilingual Plane, combining marks, right to left, control
  /// characters, what careless quoting or pattern matching breaks on, and long.
  private static let texts = [
    "", " ", "\u{1D518}\u{1F600}\u{1F1F8}\u{1F1EA}", "e\u{301}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}",
    "a\nb\tc\r\n", "'\"\\;--", "*?%_[a]", "NULL", "\u{FEFF}x\u{200B}",
    String(repeating: "x", count: 5000),
  ]

  /// Around 2001, 1970, the first and the last year that calendars do, a leap day, and a fraction.
  private static let dates: [Double] = [
    0, -978_307_200, -63_114_076_800, 64_092_211_200, 352_166_400, 0.000_5, -0.5,
  ]

  private static func data(_ isExternal: Bool) -> [Data] {
    [Data(), Data([0]), Data(repeating: 0xFF, count: 1000)]
      + (isExternal ? [Data(repeating: 7, count: 200_000)] : [])
  }

  private static func bounds(of attribute: AttributeDescription) -> [Value] {
    let bounds = [attribute.minimum, attribute.maximum].filter { !$0.isNull }
    guard attribute.attributeType == .string else { return bounds }
    return bounds.compactMap { bound in
      bound.doubleValue.map { .string(String(repeating: "x", count: min(Int($0), 1_000_000))) }
    }
  }
}
