extension ComparisonPredicate {
  /// The elements that ANY and ALL range over; none for nil.
  func elements(of value: Value) throws -> [Value] {
    switch value.withKeys {
    case .null: return []
    case .collection(let collection): return collection.elements
    default:
      throw PredicateEvaluationError(
        .quantifiedScalar,
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet; "
          + "\(leftExpression) is \(ConstantNotation.text(of: value)).")
    }
  }

  /// Whether the operator holds between two values.
  func holds(_ left: Value, _ right: Value) throws -> Bool {
    switch predicateOperatorType {
    case .equalTo: try areEqual(left, right)
    case .notEqualTo: try !areEqual(left, right)
    case .lessThan: try order(left, right) == .orderedAscending
    case .greaterThan: try order(left, right) == .orderedDescending
    case .lessThanOrEqualTo: try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterThanOrEqualTo: try order(left, right).map { $0 != .orderedAscending } ?? false
    case .beginsWith, .endsWith, .like, .matches: try matches(left, right)
    case .contains: try contains(left, right)
    case .in: try left.isNull ? false : contains(right, left)
    case .between: try isBetween(left, right)
    case .utiConformsTo, .utiEquals: try areTypesRelated(left, right)
    case .customSelector: try methodHolds(left, right)
    }
  }

  // MARK: Equality and order

  private func areEqual(_ left: Value, _ right: Value) throws -> Bool {
    guard options.foldsText, case (.string(let text), .string(let other)) = (left, right) else {
      return ValueComparison.areEqual(left, right)
    }
    return try patterns.pattern(other, for: .equalTo, options: options).matches(text)
  }

  /// nil when one side is nil, NaN or the like, which makes every ordering comparison false.
  private func order(_ left: Value, _ right: Value) throws -> ComparisonResult? {
    if left.isNull || right.isNull || left.isNotANumber || right.isNotANumber { return nil }
    guard options.foldsText, case (.string(let text), .string(let other)) = (left, right) else {
      return try ValueComparison.order(left, right)
    }
    return CodeUnits.order(text.folded(for: options), other.folded(for: options))
  }

  private func isBetween(_ value: Value, _ bounds: Value) throws -> Bool {
    guard case .collection(let collection) = bounds.withKeys, collection.elements.count == 2 else {
      throw PredicateEvaluationError(
        .invalidBounds,
        "BETWEEN needs two bounds {low, high}, not \(ConstantNotation.text(of: bounds)).")
    }
    guard let low = try order(value, collection.elements[0]), low != .orderedAscending,
      let high = try order(value, collection.elements[1])
    else { return false }
    return high != .orderedDescending
  }

  // MARK: Text

  private func matches(_ left: Value, _ right: Value) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.string(let text), .string(let pattern)) = (left, right) else {
      throw notText(left, right)
    }
    if !options.foldsText {
      switch predicateOperatorType {
      case .beginsWith: return CodeUnits.hasPrefix(text, pattern)
      case .endsWith: return CodeUnits.hasSuffix(text, pattern)
      default: break
      }
    }
    return try patterns.pattern(pattern, for: predicateOperatorType, options: options).matches(text)
  }

  private func areTypesRelated(_ left: Value, _ right: Value) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.string(let type), .string(let other)) = (left, right) else {
      throw notText(left, right)
    }
    return predicateOperatorType == .utiEquals
      ? UniformTypes.areEqual(type, other) : UniformTypes.conforms(type, to: other)
  }

  private func methodHolds(_ left: Value, _ right: Value) throws -> Bool {
    let call = MethodCall(receiver: left, selector: customSelector ?? "", arguments: [right])
    return try (call.result().doubleValue ?? 0) != 0
  }

  private func notText(_ left: Value, _ right: Value) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .notText,
      "Can't do a substring operation with something that isn't a string (operator "
        + "\(predicateOperatorType.symbol), lhs = \(ConstantNotation.text(of: left)), "
        + "rhs = \(ConstantNotation.text(of: right))).")
  }

  // MARK: Membership

  /// Whether `container` has `value` as an element, or as a part of its text.
  private func contains(_ container: Value, _ value: Value) throws -> Bool {
    switch (container.withKeys, value) {
    case (.null, _): return false
    case (.collection(let collection), _): return isMember(value, of: collection)
    case (.string, .null): return false
    case (.string(let text), .string(let part)):
      if !options.foldsText { return CodeUnits.contains(text, part) }
      return try patterns.pattern(part, for: .contains, options: options).matches(text)
    case (.string, _): throw notText(container, value)
    case (.object(let dictionary as KeyedValues), _):
      return dictionary.values.values.contains { ValueComparison.areEqual($0, value) }
    default:
      throw PredicateEvaluationError(
        .notACollection,
        "Can't use in/contains operator with collection \(ConstantNotation.text(of: container)) "
          + "(not a collection)")
    }
  }

  private func isMember(_ value: Value, of collection: ValueCollection) -> Bool {
    if options.foldsText, case .string(let text) = value {
      let folded = text.folded(for: options)
      return collection.elements.contains {
        if case .string(let other) = $0 {
          CodeUnits.areEqual(other.folded(for: options), folded)
        } else {
          false
        }
      }
    }
    // A constant is asked again and again; anything else is a new collection each time.
    let container = predicateOperatorType == .in ? rightExpression : leftExpression
    guard case .constant = container.node else {
      return Membership.contains(value, in: collection)
    }
    return memberships.membership(of: collection).contains(value)
  }
}

extension Value {
  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}
