/// Values as model files spell them. Xcode keeps a default's text when the attribute's type is
/// changed later, so that integers with the default `NO` and Booleans with `0.0` are common.
enum LenientValue {
  /// The text as a value of `type`: `YES` and `NO` count as 1 and 0, otherwise a number's leading
  /// part counts, and 0 where there is none. `.null` for types that have no text form.
  /// Core Data: observed in model caches made from such files.
  static func parse(_ text: String, as type: AttributeType) -> Value {
    switch type {
    case .string: .string(text)
    case .integer16, .integer32, .integer64: .integer(integer(text))
    case .boolean: .integer(truth(text) ? 1 : 0)
    case .double: .double(real(text))
    case .float: .double(Double(Float(real(text))))
    case .decimal: .decimal(decimal(text))
    case .uuid: UUID(uuidString: text).map { .uuid($0) } ?? .null
    case .uri: URL(string: text).map { .uri($0) } ?? .null
    case .undefined, .date, .binaryData, .transformable, .objectID, .composite: .null
    }
  }

  private static func spelledTruth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }

  private static func truth(_ text: String) -> Bool { spelledTruth(text) ?? (real(text) != 0) }

  private static func integer(_ text: String) -> Int64 {
    if let truth = spelledTruth(text) { return truth ? 1 : 0 }
    return Int64(LeadingNumber(text).integer) ?? 0
  }

  private static func real(_ text: String) -> Double {
    if let truth = spelledTruth(text) { return truth ? 1 : 0 }
    return Double(LeadingNumber(text).real) ?? 0
  }

  private static func decimal(_ text: String) -> Decimal {
    if let truth = spelledTruth(text) { return truth ? 1 : 0 }
    return Decimal(string: String(LeadingNumber(text).real)) ?? 0
  }
}

/// The number that a text begins with, after spaces. Empty parts where it doesn't begin with one.
private struct LeadingNumber {
  private let text: Substring

  init(_ text: String) { self.text = text.drop(while: \.isWhitespace) }

  /// A sign and digits.
  var integer: Substring { text[..<endOfDigits(from: endOfSign(from: text.startIndex))] }

  /// An integer with a fraction and an exponent, where they follow.
  var real: Substring {
    var end = endOfDigits(from: endOfSign(from: text.startIndex))
    if end < text.endIndex, text[end] == "." {
      let fraction = text.index(after: end)
      let endOfFraction = endOfDigits(from: fraction)
      if endOfFraction > fraction { end = endOfFraction }
    }
    return text[..<endOfExponent(from: end)]
  }

  private func endOfExponent(from start: Substring.Index) -> Substring.Index {
    guard start > text.startIndex, start < text.endIndex, "eE".contains(text[start]) else {
      return start
    }
    let digits = endOfSign(from: text.index(after: start))
    let end = endOfDigits(from: digits)
    return end > digits ? end : start
  }

  private func endOfSign(from start: Substring.Index) -> Substring.Index {
    guard start < text.endIndex, "+-".contains(text[start]) else { return start }
    return text.index(after: start)
  }

  private func endOfDigits(from start: Substring.Index) -> Substring.Index {
    text[start...].firstIndex { !$0.isASCII || !$0.isNumber } ?? text.endIndex
  }
}
