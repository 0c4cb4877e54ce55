/// A dictionary as predicates see it: an object whose missing keys are nil.
/// Sendable unchecked: nothing in it changes once it is made.
public final class KeyedValues: NSObject, KeyValueCoding, @unchecked Sendable {
  public let values: [String: Value]

  public init(_ values: [String: Value]) { self.values = values }

  public func typedValue(forKey key: String) -> Value { values[key] ?? .null }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? KeyedValues)?.values == values
  }

  public override var hash: Int { values.hashValue }

  public override var description: String { values.description }
}

extension Value {
  /// `any` as an object to evaluate: like `Value(_:)`, with dictionaries at any depth made
  /// ``KeyedValues``.
  public init(evaluating any: Any?) {
    // Nearly all arguments are text; the casts below would look for bridges first.
    if let any, type(of: any) == String.self, let text = any as? String {
      self = .string(text)
      return
    }
    switch any {
    case let value as Value: self = value
    case let text as String: self = .string(text)
    case let dictionary as [String: Any]:
      self = .object(KeyedValues(dictionary.mapValues { Value(evaluating: $0) }))
    case let dictionary as NSDictionary:
      self = .object(KeyedValues(dictionary))
    case let array as [Any]: self = .collection(.init(.array, array.map { Value(evaluating: $0) }))
    default: self = Value(any)
    }
  }

  /// The value with a dictionary, however it came here, made ``KeyedValues``; a transformable
  /// array or set is the collection of its elements.
  var withKeys: Value {
    switch self {
    case .object(let object): (object as? NSDictionary).map { .object(KeyedValues($0)) } ?? self
    case .transformable: decoded.container ?? self
    default: self
    }
  }

  /// What a transformable holds, where it is a value that predicates know; another value itself.
  var decoded: Value {
    if case .transformable(let value) = self { Value(evaluating: value.object) } else { self }
  }

  /// The value itself when it holds others; nil for a single one.
  private var container: Value? {
    switch self {
    case .collection, .object(is KeyedValues): self
    default: nil
    }
  }
}

extension KeyedValues {
  fileprivate convenience init(_ dictionary: NSDictionary) {
    var values: [String: Value] = [:]
    for (key, value) in dictionary {
      values["\(key)"] = Value(evaluating: value)
    }
    self.init(values)
  }
}
