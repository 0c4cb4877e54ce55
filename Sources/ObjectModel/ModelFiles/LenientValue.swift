/// Values as model files spell them. Xcode keeps a default's text when the attribute's type is
/// changed later, so that integers with the default `NO` and Booleans with `0.0` are common.
enum LenientValue {
  /// The text as a value of `type`: `YES` and `NO` count as 1 and 0, otherwise a number's leading
  /// part counts, and 0 where there is none (observed in model caches made from such files). `.null`
  /// for types that have no text form.
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
    let number = text.prefixMatch(of: /\s*([+-]?[0-9]+)/)
    return number.flatMap { Int64($0.1) } ?? 0
  }

  private static func real(_ text: String) -> Double {
    if let truth = spelledTruth(text) { return truth ? 1 : 0 }
    return number(in: text).flatMap { Double($0) } ?? 0
  }

  private static func decimal(_ text: String) -> Decimal {
    if let truth = spelledTruth(text) { return truth ? 1 : 0 }
    return number(in: text).flatMap { Decimal(string: String($0)) } ?? 0
  }

  private static func number(in text: String) -> Substring? {
    text.prefixMatch(of: /\s*([+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)/)?.1
  }
}
