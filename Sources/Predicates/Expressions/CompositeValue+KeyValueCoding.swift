extension CompositeValue: KeyValueCoding {
  public func typedValue(forKey key: String) throws -> Value {
    if let value = value(of: key) { return value }
    throw PredicateEvaluationError(
      .undefinedKey, "the composite has no element '\(key)' (value: \(self))")
  }
}
