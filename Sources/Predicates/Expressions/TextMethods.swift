/// The methods of text that expressions can call, by selector.
enum TextMethods {
  typealias Method = @Sendable (String, [Value]) throws -> Value

  static let bySelector: [String: Method] = [
    "length": { text, _ in .integer(Int64(text.utf16.count)) },
    "uppercaseString": { text, _ in .string(text.uppercased()) },
    "lowercaseString": { text, _ in .string(text.lowercased()) },
    "capitalizedString": { text, _ in .string(text.capitalized) },
    "description": { text, _ in .string(text) },
    "intValue": { text, _ in .integer(Int64(number(in: text).intValue)) },
    "integerValue": { text, _ in .integer(Int64(number(in: text).integerValue)) },
    "longLongValue": { text, _ in .integer(number(in: text).longLongValue) },
    "doubleValue": { text, _ in .double(number(in: text).doubleValue) },
    "boolValue": { text, _ in .integer(number(in: text).boolValue ? 1 : 0) },
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
      return .string(String(receiver.utf16[try place(index, in: receiver)...]) ?? "")
    },
    "substringToIndex:": { receiver, arguments in
      let index = try index(arguments[0], in: receiver, for: "substringToIndex:")
      return .string(String(receiver.utf16[..<(try place(index, in: receiver))]) ?? "")
    },
  ]

  /// What a number is read from: Foundation's scanner stops the process at a character that takes two UTF-16 units,
  /// which is no part of a number.
  private static func number(in text: String) -> NSString {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix { $0.value <= 0xFFFF })) as NSString
  }

  /// - Throws: Between the two units of a character: a device makes a text of half of it, which is none here.
  private static func place(_ index: Int, in text: String) throws -> String.Index {
    let place = text.utf16.index(text.utf16.startIndex, offsetBy: index)
    if place.samePosition(in: text.unicodeScalars) != nil { return place }
    throw PredicateEvaluationError(
      .invalidIndex,
      "Index \(index) is in the middle of a character (a surrogate pair) of \"\(text)\"; a device takes half of it, "
        + "which no text here can hold.")
  }

  /// The argument as text.
  static func text(_ argument: Value, for selector: String) throws -> String {
    guard case .string(let text) = argument else {
      throw PredicateEvaluationError(
        .invalidArgument, "\(selector) takes text, not \(FormatConstant.text(of: argument)).")
    }
    return text
  }

  private static func index(
    _ argument: Value, in text: String, for selector: String
  ) throws -> Int {
    guard case .integer(let index) = argument, (0...Int64(text.utf16.count)).contains(index) else {
      throw PredicateEvaluationError(
        .invalidIndex,
        "-[NSString \(selector)]: Index \(FormatConstant.text(of: argument)) out of bounds; "
          + "string length \(text.utf16.count)")
    }
    return Int(index)
  }
}
