// Conditions whose answer doesn't depend on the object.

extension Predicate {
  /// The answer that the predicate gives for every object; nil when it depends on the object, or
  /// when that can't be seen from its form.
  ///
  /// Known are constants, comparisons of constants, of an expression with itself (`x == x`), of
  /// counts with numbers below zero, of the object with nil, with no value at all (`x IN {}`) and
  /// with bounds that exclude each other (`x BETWEEN {5, 1}`, `x > 5 AND x < 3`), and what compounds
  /// make of all these, `x OR NOT x` included.
  /// - Complexity: O(n) in the number of parts of one compound.
  public final var knownTruth: Bool? {
    switch self {
    case let comparison as ComparisonPredicate: comparison.truthFromForm
    case let compound as CompoundPredicate: compound.truthFromParts
    case _ where type(of: self) == Predicate.self: constant
    default: nil
    }
  }
}

extension CompoundPredicate {
  fileprivate var truthFromParts: Bool? {
    let parts = subpredicates
    let truths = parts.map(\.knownTruth)
    switch compoundPredicateType {
    case .not: return truths.first.flatMap { $0 }.map { !$0 }
    case .and:
      if truths.contains(false) || hasOpposites(parts) || BoundsOfValues(of: parts).excludeAll {
        return false
      }
      return truths.allSatisfy { $0 == true } ? true : nil
    case .or:
      if truths.contains(true) || hasOpposites(parts) { return true }
      return truths.allSatisfy { $0 == false } ? false : nil
    }
  }

  /// Whether one part says the opposite of another: `NOT x` beside `x`, or `x != y` beside `x == y`. Other
  /// operators have no opposite: both can be false for nil.
  private func hasOpposites(_ parts: [Predicate]) -> Bool {
    let negated = Set(parts.compactMap(\.negatedPart))
    if !negated.isEmpty, parts.contains(where: negated.contains) { return true }
    let unequal = Set(parts.compactMap { $0.sides(of: .notEqualTo) })
    return !unequal.isEmpty
      && parts.contains { $0.sides(of: .equalTo).map(unequal.contains) == true }
  }
}

/// What two values are compared, and how.
private struct ComparedSides: Hashable {
  let left: Expression
  let right: Expression
  let options: ComparisonPredicate.Options
}

extension Predicate {
  /// What a NOT negates; nil for other predicates.
  fileprivate var negatedPart: Predicate? {
    guard let compound = self as? CompoundPredicate, compound.compoundPredicateType == .not
    else { return nil }
    return compound.subpredicates.first
  }

  /// The sides of a comparison by an operator; nil for other predicates.
  fileprivate func sides(of type: ComparisonPredicate.Operator) -> ComparedSides? {
    guard let comparison = self as? ComparisonPredicate,
      comparison.predicateOperatorType == type, comparison.comparisonPredicateModifier == .direct
    else { return nil }
    return ComparedSides(
      left: comparison.leftExpression, right: comparison.rightExpression,
      options: comparison.options)
  }
}

extension ComparisonPredicate {
  fileprivate var truthFromForm: Bool? {
    if leftExpression.isConstant, rightExpression.isConstant {
      // Evaluating it says why; until then its truth isn't known.
      return try? evaluate(.null, variables: [:])
    }
    guard comparisonPredicateModifier == .direct else { return nil }
    if leftExpression == rightExpression, !leftExpression.callsCode {
      switch predicateOperatorType {
      case .equalTo: return true
      case .notEqualTo, .lessThan, .greaterThan: return false
      default: return nil
      }
    }
    return truthOfCount ?? truthOfObject ?? truthOfNothing
  }

  /// There is always an object that the predicate is about.
  private var truthOfObject: Bool? {
    let sides = [leftExpression, rightExpression]
    guard sides.contains(where: \.isObject), sides.contains(where: \.isNil) else { return nil }
    switch predicateOperatorType {
    case .equalTo: return false
    case .notEqualTo: return true
    default: return nil
    }
  }

  /// Nothing is a member of an empty list, or between bounds in the wrong order.
  private var truthOfNothing: Bool? {
    guard !leftExpression.callsCode, case .constant(.collection(let list)) = rightExpression.node
    else { return nil }
    switch predicateOperatorType {
    case .in where list.elements.isEmpty: return false
    case .between: return BoundsOfValues(of: [self]).excludeAll ? false : nil
    default: return nil
    }
  }

  /// A count is never below zero.
  private var truthOfCount: Bool? {
    guard leftExpression.isCount, let limit = rightExpression.constantNumber else { return nil }
    switch predicateOperatorType {
    case .greaterThanOrEqualTo where limit <= 0, .greaterThan where limit < 0,
      .notEqualTo where limit < 0:
      return true
    case .lessThan where limit <= 0, .lessThanOrEqualTo where limit < 0, .equalTo where limit < 0:
      return false
    default: return nil
    }
  }
}

extension Expression {
  fileprivate var isConstant: Bool {
    if case .constant = node { true } else { false }
  }

  fileprivate var isObject: Bool {
    if case .evaluatedObject = node { true } else { false }
  }

  fileprivate var isNil: Bool {
    if case .constant(.null) = node { true } else { false }
  }

  /// Whether evaluating it twice could give two values.
  var callsCode: Bool {
    switch node {
    case .evaluatedObject, .constant, .variable: false
    case .keyPath(let operand, _): operand?.callsCode ?? false
    default: true
    }
  }

  fileprivate var isCount: Bool {
    guard case .keyPath(_, let path) = node else { return false }
    return path.text.hasSuffix("@count")
  }

  fileprivate var constantNumber: Double? {
    guard case .constant(let value) = node else { return nil }
    switch value {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: return nil
    }
  }
}
