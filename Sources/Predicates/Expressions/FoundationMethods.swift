/// The methods of Foundation's classes that expressions can call on plain values, by selector.
/// Those without arguments can be read as keys too: `name.length`.
enum FoundationMethods {
  typealias Method = ([Value]) throws -> Value

  /// The method of the value's class; nil when there is none.
  static func method(_ selector: String, of value: Value) -> Method? {
    switch value {
    case .string(let text):
      return TextMethods.bySelector[selector].map { method in { try method(text, $0) } }
    case .integer, .double, .decimal:
      return numberMethods[selector].map { method in { _ in method(value) } }
    case .collection(let collection): return collectionMethod(selector, of: collection)
    case .transformable(let value) where value.object is [AnyHashable: Any]:
      let entries = value.object as? [AnyHashable: Any] ?? [:]
      return dictionaryMethod(selector, of: entries)
    default:
      return otherMethods[selector].flatMap { $0(value) }.map { result in { _ in result } }
    }
  }

  private static let numberMethods: [String: @Sendable (Value) -> Value] = [
    "stringValue": { .string(NSNumber.text(of: $0)) },
    "description": { .string(NSNumber.text(of: $0)) },
    "intValue": { .integer(integer($0)) }, "integerValue": { .integer(integer($0)) },
    "longLongValue": { .integer(integer($0)) },
    "doubleValue": { .double($0.doubleValue ?? 0) },
    "boolValue": { .integer($0.doubleValue == 0 ? 0 : 1) },
  ]

  private static func integer(_ value: Value) -> Int64 {
    if case .integer(let integer) = value { return integer }
    return Int64(exactly: (value.doubleValue ?? 0).rounded(.towardZero)) ?? 0
  }

  /// Properties of dates, data, UUIDs and URLs; nil for a value of another class.
  private static let otherMethods: [String: @Sendable (Value) -> Value?] = [
    "timeIntervalSince1970": { date($0).map { .double($0.timeIntervalSince1970) } },
    "timeIntervalSinceReferenceDate": {
      date($0).map { .double($0.timeIntervalSinceReferenceDate) }
    },
    "length": {
      if case .data(let data) = $0 { .integer(Int64(data.count)) } else { nil }
    },
    "UUIDString": {
      if case .uuid(let uuid) = $0 { .string(uuid.uuidString) } else { nil }
    },
    "absoluteString": { url($0).map { .string($0.absoluteString) } },
    "path": { url($0).map { .string($0.path) } },
    "host": { url($0).map { $0.host().map { .string($0) } ?? .null } },
    "lastPathComponent": { url($0).map { .string($0.lastPathComponent) } },
    "pathExtension": { url($0).map { .string($0.pathExtension) } },
  ]

  private static func date(_ value: Value) -> Date? {
    if case .date(let date) = value { date } else { nil }
  }

  private static func url(_ value: Value) -> URL? {
    if case .uri(let url) = value { url } else { nil }
  }

  private static func collectionMethod(
    _ selector: String, of collection: ValueCollection
  ) -> Method? {
    let elements = collection.elements
    switch selector {
    case "count": return { _ in .integer(Int64(elements.count)) }
    case "firstObject": return { _ in elements.first ?? .null }
    case "lastObject": return { _ in elements.last ?? .null }
    case "anyObject": return { _ in elements.first ?? .null }
    case "allObjects", "array": return { _ in .collection(.init(.array, elements)) }
    case "set": return { _ in .collection(.init(.set, elements.distinctMembers())) }
    case "containsObject:":
      return { arguments in
        .integer(elements.contains { ValueComparison.areEqual($0, arguments[0]) } ? 1 : 0)
      }
    case "componentsJoinedByString:":
      return { arguments in
        let separator = try TextMethods.text(arguments[0], for: selector)
        return .string(elements.map(shown).joined(separator: separator))
      }
    default: return nil
    }
  }

  private static func dictionaryMethod(
    _ selector: String, of entries: [AnyHashable: Any]
  ) -> Method? {
    switch selector {
    case "objectForKey:", "objectForKeyedSubscript:":
      return { arguments in
        Value((arguments[0].boxed as? AnyHashable).flatMap { entries[$0] })
      }
    case "count": return { _ in .integer(Int64(entries.count)) }
    case "allKeys":
      return { _ in .collection(.init(.array, entries.keys.map { Value($0.base) })) }
    case "allValues": return { _ in .collection(.init(.array, entries.values.map { Value($0) })) }
    default: return nil
    }
  }

  private static func shown(_ value: Value) -> String {
    if case .string(let text) = value { return text }
    return value.doubleValue == nil ? FormatConstant.text(of: value) : NSNumber.text(of: value)
  }
}

extension NSNumber {
  /// The number as `stringValue` gives it; a decimal with all its digits.
  fileprivate static func text(of value: Value) -> String {
    switch value {
    case .integer(let number): String(number)
    case .decimal(let number): "\(number)"
    default: NSNumber(value: value.doubleValue ?? 0).stringValue
    }
  }
}
