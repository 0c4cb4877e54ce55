/// What a predicate tells about the types of keys whose values are nil: that of the constants they
/// are compared with.
struct TypeHints {
  /// By key of the evaluated object.
  private(set) var types: [String: AttributeType] = [:]

  init(_ predicate: Predicate) { visit(predicate) }

  private mutating func visit(_ predicate: Predicate) {
    switch predicate {
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { visit(part) }
    case let comparison as ComparisonPredicate:
      note(comparison.leftExpression, beside: comparison.rightExpression)
      note(comparison.rightExpression, beside: comparison.leftExpression)
    default: break
    }
  }

  private mutating func note(_ key: Expression, beside other: Expression) {
    guard key.expressionType == .keyPath, key.operand.expressionType == .evaluatedObject,
      let type = Self.type(of: other)
    else { return }
    types[key.keyPath] = type
  }

  private static func type(of expression: Expression) -> AttributeType? {
    if let elements = expression.collection { return elements.lazy.compactMap(type).first }
    return switch expression.constant {
    case .integer?: .integer64
    case .double?: .double
    case .decimal?: .decimal
    case .date?: .date
    case .string?: .string
    default: nil
    }
  }
}
