// What the quantifiers of a condition look at.

/// What a quantifier looks at.
package struct QuantifiedCollection {
  package let expression: Expression
  /// Whether ALL holds of it, as it does where its elements have no values; ANY then finds none, which is right.
  package let isOfAll: Bool
}

extension Predicate {
  /// The collections of an object without whose elements ANY, ALL or a SUBQUERY makes the condition come to `truth`,
  /// as `songs.rank` in `ALL songs.rank > 100` for true: it holds of no rank at all.
  ///
  /// Only those that the condition can't do without: of `songs.@count == 0 OR ALL songs.rank > 100` none, since
  /// there it is said what is meant by an object without songs.
  package final func collectionsWhoseLackGives(_ truth: Bool) -> [QuantifiedCollection] {
    switch self {
    case let compound as CompoundPredicate:
      switch compound.compoundPredicateType {
      case .not:
        return compound.subpredicates.flatMap { $0.collectionsWhoseLackGives(!truth) }
      case .and where truth, .or where !truth:
        return compound.subpredicates.flatMap { $0.collectionsWhoseLackGives(truth) }
      case .and, .or: return []
      }
    case let comparison as ComparisonPredicate:
      return comparison.collectionWhoseLackGives(truth).map { [$0] } ?? []
    default: return []
    }
  }
}

extension ComparisonPredicate {
  fileprivate func collectionWhoseLackGives(_ truth: Bool) -> QuantifiedCollection? {
    switch comparisonPredicateModifier {
    case .all: return truth ? looking(at: leftExpression, isOfAll: !isEqualToNil) : nil
    case .any: return truth ? nil : looking(at: leftExpression)
    case .direct: break
    }
    // SUBQUERY(songs, $s, …).@count == 0, as NONE is written where SQL is to give the same answer.
    guard leftExpression.keyPath == "@count",
      let collection = leftExpression.operand.subqueryCollection,
      case .constant(.integer(let limit)) = rightExpression.node
    else { return nil }
    switch (predicateOperatorType, limit) {
    case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1):
      return truth ? looking(at: collection) : nil
    case (.notEqualTo, 0), (.greaterThan, 0), (.greaterThanOrEqualTo, 1):
      return truth ? nil : looking(at: collection)
    default: return nil
    }
  }

  private func looking(at collection: Expression, isOfAll: Bool = false) -> QuantifiedCollection {
    QuantifiedCollection(expression: collection, isOfAll: isOfAll)
  }

  private var isEqualToNil: Bool {
    guard predicateOperatorType == .equalTo, case .constant(.null) = rightExpression.node else {
      return false
    }
    return true
  }
}

extension Expression {
  /// Whether the expression gives an object's collection, and nothing is in it.
  package func isEmpty(for object: Value) throws -> Bool {
    let value = try value(for: object)
    return if case .null = value { true } else { value.isEmptyCollection }
  }
}

extension Value {
  /// Whether nothing is in it: in a set of sets, in none of those.
  fileprivate var isEmptyCollection: Bool {
    guard case .collection(let collection) = withKeys else { return false }
    return collection.elements.allSatisfy(\.isEmptyCollection)
  }
}
