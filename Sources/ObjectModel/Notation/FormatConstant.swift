/// How constants and keys are written in the format language of predicates.
///
/// Numbers, text and nil have literals. Other values are written as casts (Core Data does so for
/// dates only), which the parser reads back as constants.
package enum FormatConstant {
  /// The text of `value`; for objects their description, which doesn't parse.
  package static func text(of value: Value) -> String {
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

  /// `text` in quotes, with escapes where needed.
  package static func quoted(_ text: String) -> String {
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

// MARK: - Keys

extension FormatConstant {
  /// The words of the language, in upper case. A key that is one of them, in any case, needs `#`.
  package static let reservedWords: Set<String> = [
    "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI",
    "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE",
    "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST",
    "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS",
  ]

  /// A key path with `#` where a key needs it. Collection operators stay as they are.
  static func keyPath(_ path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false).map { key($0) }
      .joined(separator: ".")
  }

  private static func key(_ key: Substring) -> String {
    if key.hasPrefix("@") { return String(key) }
    let isPlain = key.first?.isNumber == false && key.utf8.allSatisfy(isPlain)
    if !isPlain { return "#" + quoted(String(key)) }
    return reservedWords.contains(key.uppercased()) ? "#\(key)" : String(key)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
