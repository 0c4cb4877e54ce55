/// Reads one key of any value, as `value(forKey:)` does for any object.
enum KeyValueAccess {
  /// The value of the property `key`: of an object, of a plain value, or of all elements of a
  /// collection. nil has nil for every key.
  /// - Throws: ``PredicateEvaluationError`` for an undefined key; what the object throws.
  static func value(forKey key: String, of value: Value) throws -> Value {
    switch value {
    case .null: return .null
    case .object(let object as any KeyValueCoding):
      if key == "self" { return (object as? KeyedValues)?.values[key] ?? value }
      return try object.typedValue(forKey: key)
    case .collection(let collection): return try values(forKey: key, of: collection)
    default: return try plainValue(forKey: key, of: value)
    }
  }

  /// The elements' values. A set gives a set: equal values once, nil left out.
  private static func values(forKey key: String, of collection: ValueCollection) throws -> Value {
    if key == "self" { return .collection(collection) }
    let values = try collection.elements.map { try value(forKey: key, of: $0) }
    if collection.kind == .array { return .collection(.init(.array, values)) }
    return .collection(.init(collection.kind, values.filter { !$0.isNull }.distinctMembers()))
  }

  private static func plainValue(forKey key: String, of value: Value) throws -> Value {
    let keyed = value.withKeys
    if case .object(let object as any KeyValueCoding) = keyed {
      return try self.value(forKey: key, of: .object(object))
    }
    if key == "self" { return value }
    if let method = FoundationMethods.method(key, of: value) { return try method([]) }
    throw undefined(key, of: value)
  }

  private static func undefined(_ key: String, of value: Value) -> PredicateEvaluationError {
    let shown = FormatConstant.text(of: value)
    return PredicateEvaluationError(
      .undefinedKey,
      "[<\(value.className)> valueForUndefinedKey:]: this class is not key "
        + "value coding-compliant for the key \(key) (value: \(shown)).")
  }
}
