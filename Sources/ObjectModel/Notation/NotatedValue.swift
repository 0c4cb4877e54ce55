/// Values of attributes as people write them in scenario files.
///
/// Strict, unlike the defaults in Xcode's model files: a text that isn't a value of the type is a
/// mistake.
public enum NotatedValue {
  /// The text as a value of `type`; nil when it isn't one. Quotation marks aren't part of it.
  public static func parse(_ text: String, as type: AttributeType) -> Value? {
    switch type {
    case .string: .string(text)
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .double: real(text).map { .double($0) }
    case .float: float(text).map { .double(Double($0)) }
    case .decimal: decimal(text).map { .decimal($0) }
    case .boolean: truth(text).map { .integer($0 ? 1 : 0) }
    case .date: NotatedDate(text).map { .date($0.date) }
    case .binaryData: (json(text) ?? data(text)).map { .data($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .uri: URL(string: text).map { .uri($0) }
    case .transformable: data(text).map { .transformable(TransformableValue(archived: $0)) }
    case .undefined, .objectID, .composite: nil
    }
  }

  /// Only digits, sign, point and exponent: Swift's own reading also takes `nan`, `inf` and
  /// hexadecimal numbers.
  private static func real(_ text: String) -> Double? {
    let isPlain = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    // What is too large for the type would be read as infinite.
    return isPlain ? Double(text).flatMap { $0.isFinite ? $0 : nil } : nil
  }

  private static func float(_ text: String) -> Float? {
    real(text).map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// `NaN` is a value of its type, and one that apps' stores have.
  private static func decimal(_ text: String) -> Decimal? {
    text == "NaN" ? .nan : real(text).flatMap { _ in Decimal(string: text) }
  }

  private static func truth(_ text: String) -> Bool? {
    switch text {
    case "true", "YES": true
    case "false", "NO": false
    default: nil
    }
  }

  /// The bytes of a text that is JSON; no base64 begins as a list or a map does.
  private static func json(_ text: String) -> Data? {
    let data = Data(text.utf8)
    return data.json == nil ? nil : data
  }

  /// Base64, or hexadecimal digits after `0x`.
  private static func data(_ text: String) -> Data? {
    text.hasPrefix("0x") ? Data(hexadecimal: text.dropFirst(2)) : Data(base64Encoded: text)
  }
}

extension Data {
  /// The text, where the bytes are a list or a map in JSON, as SwiftData stores many a `Codable` value.
  package var json: String? {
    guard let first, let last, [Array("[]".utf8), Array("{}".utf8)].contains([first, last]),
      let text = String(data: self, encoding: .utf8),
      (try? JSONSerialization.jsonObject(with: self)) != nil
    else { return nil }
    return text
  }
}

extension NotatedValue {
  /// Whether `a` is above `b`; false when either is missing.
  static func areDescending(_ a: Value, _ b: Value) -> Bool {
    if case .date(let a) = a, case .date(let b) = b { return a > b }
    guard let a = a.decimalValue, let b = b.decimalValue else { return false }
    return a > b
  }
}

extension AttributeType {
  /// What the text of a value must be, for messages.
  package var notatedForm: String {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number of at most 32 bits"
    case .integer64: "a whole number of at most 64 bits"
    case .decimal, .double, .float: "a number, as in 3.5"
    case .boolean: "true or false"
    case .string: "text"
    case .date: "a date, as in 2012-12-25T18:00:00Z or 2012-12-25"
    case .binaryData: "base64, 0x and hexadecimal digits, or a JSON list or map in quotes"
    case .transformable: "a list, a map, a text or a number"
    case .uuid: "a UUID, as in E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    case .uri: "a URI, as in https://example.com"
    case .undefined, .objectID, .composite:
      "left out: scenario files have no notation for the type \(name)"
    }
  }
}
