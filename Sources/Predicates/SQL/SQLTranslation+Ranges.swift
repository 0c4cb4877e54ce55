// IN and BETWEEN with aggregates.

extension SQLTranslation {
  /// More elements than this are looked up faster in memory, by hash.
  private static let largestList = 5000

  /// `left IN {…}`, or in a text.
  mutating func isIn(
    _ comparison: ComparisonPredicate, _ left: SQLOperand, _ scope: SQLScope
  ) throws -> SQLFragment {
    let container = comparison.rightExpression
    switch container.node {
    case .constant(.collection(let collection)):
      return try isIn(collection.elements, left, comparison)
    case .aggregate(let elements): return try equalsAny(of: elements, left, comparison, scope)
    case .setOperation where container.isClosed:
      guard case .collection(let collection) = try container.value(for: .null) else { return "0" }
      return try isIn(collection.elements, left, comparison)
    default:
      let text = try operand(container, scope)
      guard text.kind == .text else {
        throw UntranslatablePredicate(container, "it is neither a list nor text")
      }
      let part = ComparisonPredicate(
        leftExpression: container, rightExpression: comparison.leftExpression, type: .contains,
        options: comparison.options)
      return try SQLComparison(
        predicate: part, left: text, right: left, logic: logic
      ).condition()
    }
  }

  /// nil is never in a list, and values of other kinds are never equal.
  func isIn(
    _ elements: [Value], _ left: SQLOperand, _ comparison: ComparisonPredicate
  ) throws -> SQLFragment {
    if elements.count > Self.largestList {
      throw UntranslatablePredicate(
        comparison.leftExpression, "more than \(Self.largestList) elements are compared in memory")
    }
    let options = comparison.options
    let parts = try elements.compactMap { element -> SQLFragment? in
      guard let operand = try listed(element, beside: left, comparison) else { return nil }
      return operand.folded(for: options).fragment
    }
    if parts.isEmpty { return "0" }
    return "\(left.folded(for: options).fragment) IN (\(parts.joined(by: ", ")))"
  }

  /// An element that `left` can be equal to; nil for one that it can't.
  private func listed(
    _ element: Value, beside left: SQLOperand, _ comparison: ComparisonPredicate
  ) throws -> SQLOperand? {
    if case .null = element { return nil }
    if case .object(let hierarchy) = left.kind {
      guard case .object(let object) = element else { return nil }
      return key(of: object, hierarchy)
    }
    guard left.kind != .opaque else {
      throw UntranslatablePredicate(comparison.leftExpression, "its values are compared in memory")
    }
    guard let operand = SQLOperand(element), operand.kind.isComparable(with: left.kind) else {
      return nil
    }
    return operand
  }

  /// `left IN {low, high}` with key paths in it.
  private mutating func equalsAny(
    of elements: [Expression], _ left: SQLOperand, _ comparison: ComparisonPredicate,
    _ scope: SQLScope
  ) throws -> SQLFragment {
    var parts: [SQLFragment] = []
    for element in elements {
      // nil is in no list; a device's `IN (…, NULL)` finds no row by it either.
      if logic == .threeValued, element.isNullConstant { continue }
      let equality = ComparisonPredicate(
        leftExpression: comparison.leftExpression, rightExpression: element, type: .equalTo,
        options: comparison.options)
      parts.append(try condition(equality, left, scope))
    }
    if logic == .threeValued { return parts.isEmpty ? "0" : "(\(parts.joined(by: " OR ")))" }
    return "(\(left.fragment) IS NOT NULL AND (\(parts.joined(by: " OR "))))"
  }

  /// `left BETWEEN {low, high}`.
  mutating func isBetween(
    _ comparison: ComparisonPredicate, _ left: SQLOperand, _ scope: SQLScope
  ) throws -> SQLFragment {
    guard let bounds = comparison.rightExpression.collection, bounds.count == 2 else {
      throw UntranslatablePredicate(comparison.rightExpression, "BETWEEN needs two bounds")
    }
    let types: [ComparisonPredicate.Operator] = [.greaterThanOrEqualTo, .lessThanOrEqualTo]
    var parts: [SQLFragment] = []
    for (bound, type) in zip(bounds, types) {
      let part = ComparisonPredicate(
        leftExpression: comparison.leftExpression, rightExpression: bound, type: type,
        options: comparison.options)
      parts.append(try condition(part, left, scope))
    }
    return "(\(parts.joined(by: " AND ")))"
  }
}

extension Expression {
  fileprivate var isNullConstant: Bool {
    if case .constant(.null) = node { true } else { false }
  }
}
