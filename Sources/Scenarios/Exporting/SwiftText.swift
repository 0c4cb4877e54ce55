/// Swift's notation of values, with nothing but Foundation's types.
enum SwiftText {
  static func literal(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default:
        scalar.value < 32 || scalar.value == 127 || (0x80...0x9F).contains(scalar.value)
          || scalar.properties.generalCategory == .format
          || scalar.properties.generalCategory == .nonspacingMark
          ? "\\u{\(String(scalar.value, radix: 16))}" : "\(scalar)"
      }
    }
    return "\"\(escaped.joined())\""
  }

  static func list<Element>(_ items: [Element], _ text: (Element) -> String) -> String {
    "[\(items.map(text).joined(separator: ", "))]"
  }

  static func texts(_ texts: [String]) -> String { list(texts, literal) }

  static func map(_ texts: [String: String]) -> String {
    let entries = texts.sorted { $0.key < $1.key }.map {
      "\(literal($0.key)): \(literal($0.value))"
    }
    return "[\(entries.joined(separator: ", "))]"
  }

  /// The value as an app gives it to an attribute of a type; nil for an object that no literal makes.
  static func literal(_ value: Value, as attribute: AttributeDescription) -> String? {
    switch value {
    case .integer(let number) where attribute.attributeType == .boolean:
      number == 0 ? "false" : "true"
    case .double(let number) where attribute.attributeType == .float:
      "Float(\(literal(Double(Float(number)))))"
    case .transformable(let value):
      literal(any: value.object(transformerName: attribute.valueTransformerName))
    case .object: value.composite.flatMap { literal($0) }
    default: literal(any: value.boxed ?? NSNull())
    }
  }

  private static func literal(_ composite: CompositeValue) -> String? {
    let parts = zip(composite.elements, composite.values).filter { !$1.isNull }
      .map { element, value in
        literal(value, as: element).map { "\(literal(element.name)): \($0)" }
      }
    if parts.contains(nil) { return nil }
    return "[\(parts.compactMap(\.self).joined(separator: ", "))] as [String: Any]"
  }

  private static func literal(_ number: Double) -> String {
    if number.isNaN { return "Double.nan" }
    return number.isInfinite ? (number < 0 ? "-Double.infinity" : "Double.infinity") : "\(number)"
  }

  private static func literal(any: Any) -> String? {
    switch any {
    case is NSNull: "nil"
    case let text as String: literal(text)
    case let number as NSDecimalNumber: "NSDecimalNumber(string: \(literal(number.stringValue)))"
    case let number as NSNumber
    where number === NSNumber(value: true) || "\(type(of: any))" == "Bool":
      number.boolValue ? "true" : "false"
    case let flag as Bool where "\(type(of: any))" == "Bool": flag ? "true" : "false"
    case let number as NSNumber:
      ["d", "f"].contains(String(cString: number.objCType))
        ? literal(number.doubleValue) : number.stringValue
    case let date as Date:
      "Date(timeIntervalSinceReferenceDate: \(literal(date.timeIntervalSinceReferenceDate)))"
    case let data as Data: "Data(base64Encoded: \(literal(data.base64EncodedString())))!"
    case let uuid as UUID: "UUID(uuidString: \(literal(uuid.uuidString)))!"
    case let url as URL: "URL(string: \(literal(url.absoluteString)))!"
    case let items as [Any]:
      items.isEmpty ? "[Any]()" : joined(items.map { literal(any: $0) }, "[Any]")
    case let entries as [String: Any]:
      entries.isEmpty
        ? "[String: Any]()"
        : joined(
          entries.sorted { $0.key < $1.key }.map { key, value in
            literal(any: value).map { "\(literal(key)): \($0)" }
          }, "[String: Any]")
    default: nil
    }
  }

  private static func joined(_ parts: [String?], _ type: String) -> String? {
    parts.contains(nil) ? nil : "([\(parts.compactMap(\.self).joined(separator: ", "))] as \(type))"
  }
}

/// A call with arguments that may be left out.
struct SwiftCall {
  private let function: String
  private var arguments: [String] = []

  init(_ function: String, _ arguments: String...) {
    (self.function, self.arguments) = (function, arguments)
  }

  /// Adds an argument unless it is what the parameter is without one.
  func with(_ label: String, _ value: String?, unless usual: String? = nil) -> SwiftCall {
    guard let value, value != usual else { return self }
    var call = self
    call.arguments.append("\(label): \(value)")
    return call
  }

  func with(text label: String, _ text: String?) -> SwiftCall {
    with(label, text.map(SwiftText.literal))
  }

  func with(_ label: String, _ flag: Bool, unless usual: Bool) -> SwiftCall {
    with(label, "\(flag)", unless: "\(usual)")
  }

  func with(_ label: String, _ texts: [String: String]) -> SwiftCall {
    texts.isEmpty ? self : with(label, SwiftText.map(texts))
  }

  var text: String { "\(function)(\(arguments.joined(separator: ", ")))" }
}
