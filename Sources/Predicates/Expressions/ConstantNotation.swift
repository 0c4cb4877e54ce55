/// How constants are written in the format language.
///
/// Numbers, text and nil have literals. Other values are written as casts (Core Data does so for
/// dates only), which the parser reads back as constants.
enum ConstantNotation {
  /// The text of `value`; for objects their description, which doesn't parse.
  static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .integer(let value): String(value)
    case .double(let value): text(of: value)
    case .string(let value): quoted(value)
    case .date(let value): cast(seconds(of: value), "NSDate")
    case .decimal(let value): cast(quoted("\(value)"), "NSDecimalNumber")
    case .data(let value): cast(quoted(value.base64EncodedString()), "NSData")
    case .uuid(let value): cast(quoted(value.uuidString), "NSUUID")
    case .uri(let value): cast(quoted(value.absoluteString), "NSURL")
    case .collection(let values): "{" + values.elements.map(text).joined(separator: ", ") + "}"
    case .object(let object): "\(object)"
    case .transformable(let value): "\(value.object)"
    }
  }

  /// The value that a cast of `literal` writes; nil when the cast is to be evaluated.
  static func constant(writtenAs literal: Value, type: String) -> Value? {
    switch (type, literal) {
    case ("NSDate", .integer), ("NSDate", .double), ("NSData", .string), ("NSUUID", .string),
      ("NSURL", .string), ("NSDecimalNumber", .string):
      return try? Casting.cast(literal, to: type)
    case ("NSNumber", .string(let text)) where ["nan", "inf", "-inf"].contains(text):
      return Double(text).map { .double($0) }
    default: return nil
    }
  }

  /// `text` in quotes, with escapes where needed.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func text(of value: Double) -> String {
    value.isFinite ? "\(value)" : cast(quoted("\(value)"), "NSNumber")
  }

  /// Seconds since 2001 with Core Data's six decimals, or as many as the instant needs.
  private static func seconds(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    let short = String(format: "%.6f", seconds)
    return Double(short) == seconds ? short : "\(seconds)"
  }

  private static func cast(_ text: String, _ type: String) -> String {
    "CAST(\(text), \"\(type)\")"
  }
}
