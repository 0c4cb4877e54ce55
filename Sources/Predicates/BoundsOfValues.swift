/// What conditions that all hold say of the least and the greatest value of an expression.
///
/// Only comparisons with constants are taken in: whatever else the conditions ask for can only leave fewer
/// values. None of the comparisons holds for nil.
struct BoundsOfValues {
  /// One end of a range.
  private struct Bound {
    let value: Value
    /// Whether the value itself is within the range.
    let isIncluded: Bool
  }

  /// Values of a kind are all in one order, so that one bound says all that several say.
  private enum Kind: Hashable {
    case integer, double, decimal, text, date, uuid, notANumber

    /// Nil for values without an order, which say nothing.
    init?(of value: Value) {
      switch value {
      case .integer: self = .integer
      case .double(let number): self = number.isNaN ? .notANumber : .double
      case .decimal(let number): self = number.isNaN ? .notANumber : .decimal
      case .string: self = .text
      case .date: self = .date
      case .uuid: self = .uuid
      case .null, .data, .uri, .transformable, .object, .collection: return nil
      }
    }
  }

  /// The narrowest bounds of an expression by values of each kind.
  private struct Range {
    var lowest: [Kind: Bound] = [:]
    var highest: [Kind: Bound] = [:]
  }
  private var ranges: [Expression: Range] = [:]

  init(of conditions: [Predicate]) {
    for condition in conditions { add(condition) }
  }

  /// Whether some expression would have to be above one value and below a lower one.
  var excludeAll: Bool {
    ranges.values.contains { range in
      range.lowest.values.contains { low in
        range.highest.values.contains { high in excludes(low, high) }
      }
    }
  }

  private func excludes(_ low: Bound, _ high: Bound) -> Bool {
    // Values of different kinds may have no order: they say nothing.
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
    switch type {
    case .lessThan: lower(expression, to: value, isIncluded: false)
    case .lessThanOrEqualTo: lower(expression, to: value)
    case .greaterThan: raise(expression, to: value, isIncluded: false)
    case .greaterThanOrEqualTo: raise(expression, to: value)
    case .equalTo:
      raise(expression, to: value)
      lower(expression, to: value)
    case .between:
      guard case .collection(let bounds) = value, bounds.elements.count == 2 else { return }
      raise(expression, to: bounds.elements[0])
      lower(expression, to: bounds.elements[1])
    default: return
    }
  }

  private mutating func raise(_ expression: Expression, to value: Value, isIncluded: Bool = true) {
    narrow(expression, \.lowest, to: Bound(value: value, isIncluded: isIncluded), .orderedAscending)
  }

  private mutating func lower(_ expression: Expression, to value: Value, isIncluded: Bool = true) {
    narrow(
      expression, \.highest, to: Bound(value: value, isIncluded: isIncluded), .orderedDescending)
  }

  /// Takes a bound if it leaves fewer values than the one that is known.
  /// - Parameter looser: The order of a bound that leaves more values and one that leaves fewer.
  private mutating func narrow(
    _ expression: Expression, _ end: WritableKeyPath<Range, [Kind: Bound]>, to bound: Bound,
    _ looser: ComparisonResult
  ) {
    guard let kind = Kind(of: bound.value) else { return }
    if let known = ranges[expression]?[keyPath: end][kind] {
      let order = try? ValueComparison.order(known.value, bound.value)
      guard order == looser || order == .orderedSame && known.isIncluded else { return }
    }
    ranges[expression, default: Range()][keyPath: end][kind] = bound
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
