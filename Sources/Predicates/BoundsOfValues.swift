/// What conditions that all hold say of the least and the greatest value of an expression.
///
/// Only comparisons with constants are taken in: whatever else the conditions ask for can only leave fewer
/// values. None of the comparisons holds for nil.
struct BoundsOfValues {
  /// One end of a range.
  private struct Bound {
    let expression: Expression
    let value: Value
    /// Whether the value itself is within the range.
    let isIncluded: Bool
  }
  private var lowest: [Bound] = []
  private var highest: [Bound] = []

  init(of conditions: [Predicate]) {
    for condition in conditions { add(condition) }
  }

  /// Whether some expression would have to be above one value and below a lower one.
  var excludeAll: Bool {
    lowest.contains { low in
      highest.contains { high in low.expression == high.expression && excludes(low, high) }
    }
  }

  private func excludes(_ low: Bound, _ high: Bound) -> Bool {
    // Values without an order say nothing.
    switch try? ValueComparison.order(low.value, high.value) {
    case .orderedDescending: true
    case .orderedSame: !(low.isIncluded && high.isIncluded)
    case .orderedAscending, nil: false
    }
  }

  private mutating func add(_ condition: Predicate) {
    if let compound = condition as? CompoundPredicate, compound.compoundPredicateType == .and {
      for part in compound.subpredicates { add(part) }
    }
    // Folded texts have another order.
    guard let comparison = condition as? ComparisonPredicate, comparison.options.isEmpty,
      comparison.comparisonPredicateModifier == .direct
    else { return }
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    if let value = right.constant {
      add(left, comparison.predicateOperatorType, value)
    } else if let value = left.constant, let mirrored = comparison.predicateOperatorType.mirrored {
      add(right, mirrored, value)
    }
  }

  private mutating func add(
    _ expression: Expression, _ type: ComparisonPredicate.Operator, _ value: Value
  ) {
    guard !expression.callsCode, !value.isNull else { return }
    func bound(_ value: Value, isIncluded: Bool = true) -> Bound {
      Bound(expression: expression, value: value, isIncluded: isIncluded)
    }
    switch type {
    case .lessThan: highest.append(bound(value, isIncluded: false))
    case .lessThanOrEqualTo: highest.append(bound(value))
    case .greaterThan: lowest.append(bound(value, isIncluded: false))
    case .greaterThanOrEqualTo: lowest.append(bound(value))
    case .equalTo:
      lowest.append(bound(value))
      highest.append(bound(value))
    case .between:
      guard case .collection(let bounds) = value, bounds.elements.count == 2 else { return }
      lowest.append(bound(bounds.elements[0]))
      highest.append(bound(bounds.elements[1]))
    default: return
    }
  }
}

extension ComparisonPredicate.Operator {
  /// The operator with its sides exchanged; nil where that isn't one of order or equality.
  fileprivate var mirrored: Self? {
    switch self {
    case .lessThan: .greaterThan
    case .lessThanOrEqualTo: .greaterThanOrEqualTo
    case .greaterThan: .lessThan
    case .greaterThanOrEqualTo: .lessThanOrEqualTo
    case .equalTo: .equalTo
    default: nil
    }
  }
}
