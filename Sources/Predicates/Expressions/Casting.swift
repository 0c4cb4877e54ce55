/// Conversions of `CAST(value, "type")`.
enum Casting {
  /// - Throws: ``PredicateEvaluationError`` when the value has no meaning in the type.
  static func cast(_ value: Value, to type: String) throws -> Value {
    if case .null = value { return .null }
    guard let convert = conversions[type] else {
      throw PredicateEvaluationError(
        .invalidCast,
        "Don't know how to cast to \"\(type)\"; known are \(conversions.keys.sorted().joined(separator: ", "))."
      )
    }
    guard let result = convert(value) else {
      throw PredicateEvaluationError(
        .invalidCast, "Can't cast \(FormatConstant.text(of: value)) to \"\(type)\".")
    }
    return result
  }

  /// The constant that a cast of `literal` writes; nil when the cast is to be evaluated.
  static func constant(writtenAs literal: Value, type: String) -> Value? {
    switch (type, literal) {
    case ("NSDate", .integer), ("NSDate", .double), ("NSData", .string), ("NSUUID", .string),
      ("NSURL", .string), ("NSDecimalNumber", .string):
      // What isn't such a constant is a function call, which fails when it is evaluated.
      return try? cast(literal, to: type)
    case ("NSNumber", .string(let text)) where ["nan", "inf", "-inf"].contains(text):
      return Double(text).map { .double($0) }
    default: return nil
    }
  }

  private static let conversions: [String: @Sendable (Value) -> Value?] = [
    "NSDate": date, "NSNumber": number, "NSDecimalNumber": decimal, "NSString": text,
    "NSData": data, "NSUUID": uuid, "NSURL": url,
  ]

  @Sendable private static func date(_ value: Value) -> Value? {
    if case .date = value { return value }
    return value.doubleValue.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
  }

  @Sendable private static func number(_ value: Value) -> Value? {
    switch value {
    case .integer, .double, .decimal: value
    case .date(let date): .double(date.timeIntervalSinceReferenceDate)
    case .string(let text): Int64(text).map { .integer($0) } ?? Double(text).map { .double($0) }
    default: nil
    }
  }

  @Sendable private static func decimal(_ value: Value) -> Value? {
    switch value {
    case .string(let text): Decimal(string: text).map { .decimal($0) }
    default: value.decimalValue.map { .decimal($0) }
    }
  }

  @Sendable private static func text(_ value: Value) -> Value? {
    switch value {
    case .string: value
    case .integer(let number): .string(String(number))
    case .double(let number): .string("\(NSNumber(value: number))")
    case .decimal(let number): .string("\(number)")
    case .date(let date): .string(date.description)
    case .uuid(let uuid): .string(uuid.uuidString)
    case .uri(let url): .string(url.absoluteString)
    default: nil
    }
  }

  @Sendable private static func data(_ value: Value) -> Value? {
    switch value {
    case .data: value
    case .string(let text): Data(base64Encoded: text).map { .data($0) }
    default: nil
    }
  }

  @Sendable private static func uuid(_ value: Value) -> Value? {
    switch value {
    case .uuid: value
    case .string(let text): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  @Sendable private static func url(_ value: Value) -> Value? {
    switch value {
    case .uri: value
    case .string(let text): URL(string: text).map { .uri($0) }
    default: nil
    }
  }
}
