extension Predicate {
  /// An equality that every object meeting the predicate has to meet, so that an index over `key`
  /// can name the few objects worth evaluating; nil when there is none.
  ///
  /// Recognized are `key == constant`, either way round, and `key LIKE constant` without wildcards,
  /// both without options, alone or among the parts of a top-level AND. A number is given only when
  /// it is whole, as `.integer` whatever its type: others may equal a value of another type that an
  /// index doesn't find. The caller still evaluates the whole predicate.
  public func equalityProbe() -> (key: String, value: Value)? {
    switch self {
    case let comparison as ComparisonPredicate: comparison.probe
    case let compound as CompoundPredicate where compound.compoundPredicateType == .and:
      compound.subpredicates.lazy.compactMap { $0.equalityProbe() }.first
    default: nil
    }
  }
}

extension Predicate {
  /// The one key that the predicate compares with a constant, by an operator that takes an attribute of
  /// any type; nil for other predicates.
  package var keyComparedWithConstant: String? {
    (self as? ComparisonPredicate)?.keyBesideConstant
  }

  /// The key and the text that the predicate wants to be equal, where it asks for nothing else and any
  /// store takes it: what ``equalityProbe()`` gives of such a predicate.
  package func onlyTextProbe() -> (key: String, value: Value)? {
    guard type(of: self) == ComparisonPredicate.self else { return nil }
    let comparison = unsafeDowncast(self, to: ComparisonPredicate.self)
    guard comparison.keyBesideConstant != nil, let probe = comparison.probe,
      case .string = probe.value
    else { return nil }
    return probe
  }
}

extension ComparisonPredicate {
  fileprivate var keyBesideConstant: String? {
    guard comparisonPredicateModifier == .direct, case .constant = rightExpression.node else {
      return nil
    }
    switch predicateOperatorType {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo,
      .like, .beginsWith, .endsWith:
      return leftExpression.keyOfEvaluatedObject
    default: return nil
    }
  }

  fileprivate var probe: (key: String, value: Value)? {
    guard comparisonPredicateModifier == .direct, !options.foldsText else { return nil }
    switch predicateOperatorType {
    case .equalTo:
      return Self.probe(leftExpression, rightExpression)
        ?? Self.probe(rightExpression, leftExpression)
    case .like:
      guard let key = leftExpression.keyOfEvaluatedObject,
        case .constant(.string(let pattern)) = rightExpression.node
      else { return nil }
      return LikePattern.onlyMatch(of: pattern).map { (key, .string($0)) }
    default: return nil
    }
  }

  private static func probe(_ a: Expression, _ b: Expression) -> (key: String, value: Value)? {
    guard let key = a.keyOfEvaluatedObject, case .constant(let value) = b.node else { return nil }
    switch value {
    case .null, .string, .date, .data, .uuid, .uri, .integer, .object: return (key, value)
    case .double(let number): return Int64(exactly: number).map { (key, .integer($0)) }
    case .decimal, .transformable, .collection: return nil
    }
  }
}

extension Expression {
  /// The key, when the expression is one key of the evaluated object.
  var keyOfEvaluatedObject: String? {
    switch node {
    case .keyPath(nil, let path): path.singleKey
    case .keyPath(let operand?, let path) where operand.node == .evaluatedObject: path.singleKey
    default: nil
    }
  }
}
