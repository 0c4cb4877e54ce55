// What the quantifiers of a condition look at.

extension Predicate {
  /// The collections of an object without whose elements ANY, ALL or a SUBQUERY makes the condition come to `truth`,
  /// as `songs.rank` in `ALL songs.rank > 100` for true: it holds of no rank at all.
  ///
  /// Only those that the condition can't do without: of `songs.@count == 0 OR ALL songs.rank > 100` none, since
  /// there it is said what is meant by an object without songs.
  package final func collectionsWhoseLackGives(_ truth: Bool) -> [Expression] {
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
  fileprivate func collectionWhoseLackGives(_ truth: Bool) -> Expression? {
    switch comparisonPredicateModifier {
    case .all: return truth ? leftExpression : nil
    case .any: return truth ? nil : leftExpression
    case .direct: break
    }
    // SUBQUERY(songs, $s, …).@count == 0, as NONE is written where SQL is to give the same answer.
    guard leftExpression.keyPath == "@count",
      let collection = leftExpression.operand.subqueryCollection,
      case .constant(.integer(let limit)) = rightExpression.node
    else { return nil }
    switch (predicateOperatorType, limit) {
    case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1): return truth ? collection : nil
    case (.notEqualTo, 0), (.greaterThan, 0), (.greaterThanOrEqualTo, 1):
      return truth ? nil : collection
    default: return nil
    }
  }
}

extension Expression {
  /// Whether the expression gives an object's collection, and nothing is in it.
  package func isEmpty(for object: Value) throws -> Bool {
    switch try value(for: object).withKeys {
    case .null: true
    case .collection(let collection): collection.elements.isEmpty
    default: false
    }
  }
}
