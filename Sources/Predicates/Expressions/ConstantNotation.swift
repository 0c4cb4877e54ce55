/// How constants are written in the format language, and read back.
enum ConstantNotation {
  /// The text of `value`; for objects their description, which doesn't parse.
  static func text(of value: Value) -> String { FormatConstant.text(of: value) }

  /// `text` in quotes, with escapes where needed.
  static func quoted(_ text: String) -> String { FormatConstant.quoted(text) }

  /// The value that a cast of `literal` writes; nil when the cast is to be evaluated.
  static func constant(writtenAs literal: Value, type: String) -> Value? {
    switch (type, literal) {
    case ("NSDate", .integer), ("NSDate", .double), ("NSData", .string), ("NSUUID", .string),
      ("NSURL", .string), ("NSDecimalNumber", .string):
      // What isn't such a constant is a function call, which fails when it is evaluated.
      return try? Casting.cast(literal, to: type)
    case ("NSNumber", .string(let text)) where ["nan", "inf", "-inf"].contains(text):
      return Double(text).map { .double($0) }
    default: return nil
    }
  }
}
