// How values are written into a file.

extension Notation {
  /// How a scalar is to be quoted.
  package enum Quoting {
    /// Only if it must be.
    case none
    case single, double
  }

  /// The value in one line.
  /// - Parameter isInFlow: Whether it goes between brackets or braces.
  package func yaml(_ quoting: Quoting = .none, inFlow isInFlow: Bool) -> String {
    switch self {
    case .null: "null"
    case .text(let text): Self.scalar(text, quoting, inFlow: isInFlow)
    case .quoted(let text):
      Self.scalar(text, quoting == .none ? .double : quoting, inFlow: isInFlow)
    case .list(let items): "[\(items.map { $0.yaml(inFlow: true) }.joined(separator: ", "))]"
    case .entry(let key, let value):
      Self.scalar(key, .none, inFlow: isInFlow) + ": " + value.yaml(inFlow: isInFlow)
    case .map(let fields) where fields.isEmpty: "{}"
    case .map(let fields):
      "{ \(fields.map { Notation.entry($0.key, $0.value).yaml(inFlow: true) }.joined(separator: ", ")) }"
    }
  }

  private static func scalar(_ text: String, _ quoting: Quoting, inFlow: Bool) -> String {
    switch quoting {
    case .none where isPlain(text, inFlow: inFlow): return text
    case .single where !text.unicodeScalars.contains(where: isOdd):
      return "'\(text.replacing("'", with: "''"))'"
    default: return doubleQuoted(text)
    }
  }

  /// Whether a text means itself without quotes.
  private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, text != "~", text != "null", let last = scalars.last,
      !first.properties.isWhitespace, !last.properties.isWhitespace, last != ":"
    else { return false }
    if inFlow, text.utf8.contains(where: "[]{},".utf8.contains) { return false }
    return !scalars.contains(where: isOdd) && !text.contains(": ")
      && !text.contains(" #")
      && canBegin(text, first, inFlow: inFlow)
  }

  private static func canBegin(_ text: String, _ first: Unicode.Scalar, inFlow: Bool) -> Bool {
    if "-?:".unicodeScalars.contains(first) {
      // A sign before a number, but no item of a list and no key.
      guard let second = text.unicodeScalars.dropFirst().first else { return false }
      return !second.properties.isWhitespace && !text.hasPrefix("---")
        && !(inFlow && "[]{},".unicodeScalars.contains(second))
    }
    return !"[]{},#&*!|>'\"%@`".unicodeScalars.contains(first) && !text.hasPrefix("...")
  }

  /// Whether a character can only stand in a file by its number, or would end a line.
  private static func isOdd(_ scalar: Unicode.Scalar) -> Bool {
    // Large data are texts of many digits.
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return [.control, .format, .lineSeparator, .paragraphSeparator].contains(
      scalar.properties.generalCategory)
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isOdd(scalar) {
          result += "\\U" + String(format: "%08X", scalar.value)
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
