/// The methods of text that expressions can call, by selector.
enum TextMethods {
  typealias Method = @Sendable (String, [Value]) throws -> Value

  static let bySelector: [String: Method] = [
    "length": { text, _ in .integer(Int64(text.utf16.count)) },
    "uppercaseString": { text, _ in .string(text.uppercased()) },
    "lowercaseString": { text, _ in .string(text.lowercased()) },
    "capitalizedString": { text, _ in .string(text.capitalized) },
    "description": { text, _ in .string(text) },
    "intValue": { text, _ in .integer(Int64(plain(text).intValue)) },
    "integerValue": { text, _ in .integer(Int64(plain(text).integerValue)) },
    "longLongValue": { text, _ in .integer(plain(text).longLongValue) },
    "doubleValue": { text, _ in .double(plain(text).doubleValue) },
    "boolValue": { text, _ in .integer(plain(text).boolValue ? 1 : 0) },
    "lastPathComponent": { text, _ in .string((text as NSString).lastPathComponent) },
    "pathExtension": { text, _ in .string((text as NSString).pathExtension) },
    "hasPrefix:": {
      .integer(CodeUnits.hasPrefix($0, try text($1[0], for: "hasPrefix:")) ? 1 : 0)
    },
    "hasSuffix:": {
      .integer(CodeUnits.hasSuffix($0, try text($1[0], for: "hasSuffix:")) ? 1 : 0)
    },
    "isEqualToString:": {
      .integer(CodeUnits.areEqual($0, try text($1[0], for: "isEqualToString:")) ? 1 : 0)
    },
    "stringByAppendingString:": {
      .string($0 + (try text($1[0], for: "stringByAppendingString:")))
    },
    "stringByReplacingOccurrencesOfString:withString:": { receiver, arguments in
      let selector = "stringByReplacingOccurrencesOfString:withString:"
      let target = try text(arguments[0], for: selector)
      return .string(
        receiver.replacingOccurrences(of: target, with: try text(arguments[1], for: selector)))
    },
    "componentsSeparatedByString:": { receiver, arguments in
      let separator = try text(arguments[0], for: "componentsSeparatedByString:")
      let parts = receiver.components(separatedBy: separator)
      return .collection(.init(.array, parts.map { .string($0) }))
    },
    "substringFromIndex:": { receiver, arguments in
      let index = try index(arguments[0], in: receiver, for: "substringFromIndex:")
      return .string(part(of: receiver, index..<receiver.utf16.count))
    },
    "substringToIndex:": { receiver, arguments in
      let index = try index(arguments[0], in: receiver, for: "substringToIndex:")
      return .string(part(of: receiver, 0..<index))
    },
  ]

  /// A text for Foundation's reading of numbers, which stops the process at a character of two units.
  private static func plain(_ text: String) -> NSString {
    guard text.unicodeScalars.contains(where: { $0.value > 0xFFFF }) else {
      return text as NSString
    }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value > 0xFFFF ? "x" : $0 }))
      as NSString
  }

  /// Some units of a text. Half of a character of two is U+FFFD: no text of Swift's can hold it.
  private static func part(of text: String, _ range: Range<Int>) -> String {
    String(decoding: Array(text.utf16)[range], as: UTF16.self)
  }

  /// The argument as text.
  static func text(_ argument: Value, for selector: String) throws -> String {
    guard case .string(let text) = argument else {
      throw PredicateEvaluationError(
        .invalidArgument, "\(selector) takes text, not \(ConstantNotation.text(of: argument)).")
    }
    return text
  }

  private static func index(
    _ argument: Value, in text: String, for selector: String
  ) throws -> Int {
    guard case .integer(let index) = argument, (0...Int64(text.utf16.count)).contains(index) else {
      throw PredicateEvaluationError(
        .invalidIndex,
        "-[NSString \(selector)]: Index \(ConstantNotation.text(of: argument)) out of bounds; "
          + "string length \(text.utf16.count)")
    }
    return Int(index)
  }
}
