import Persistence

/// Simpler predicates and expressions, to be tried in place of one that fails.
extension Predicate {
  /// The simplest predicate, reached by replacing parts, for which `fails` still holds.
  func shrunk(while fails: (Predicate) -> Bool) -> Predicate {
    var best = self
    var tries = 0
    search: while tries < 300 {
      for candidate in best.simpler {
        tries += 1
        if fails(candidate) {
          best = candidate
          continue search
        }
      }
      break
    }
    return best
  }

  /// Predicates with one part less or one part simpler.
  var simpler: [Predicate] {
    switch self {
    case let compound as CompoundPredicate: compound.simplerCompounds
    case let comparison as ComparisonPredicate: comparison.simplerComparisons
    default: []
    }
  }
}

extension CompoundPredicate {
  fileprivate var simplerCompounds: [Predicate] {
    subpredicates
      + subpredicates.indices.flatMap { index in
        subpredicates[index].simpler.map { part in
          var parts = subpredicates
          parts[index] = part
          return CompoundPredicate(type: compoundPredicateType, subpredicates: parts)
        }
      }
  }
}

extension ComparisonPredicate {
  fileprivate var simplerComparisons: [Predicate] {
    let plain = options.isEmpty ? [] : [with(leftExpression, rightExpression, [])]
    return plain + leftExpression.simpler.map { with($0, rightExpression, options) }
      + rightExpression.simpler.map { with(leftExpression, $0, options) }
  }

  private func with(
    _ left: Expression, _ right: Expression, _ options: Options
  ) -> ComparisonPredicate {
    ComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: comparisonPredicateModifier,
      type: predicateOperatorType, options: options)
  }
}

extension Expression {
  fileprivate var simpler: [Expression] {
    switch expressionType {
    case .function: arguments ?? []
    case .conditional: [self.true, self.false].compactMap { $0 }
    case .aggregate: (collection ?? []).map { Expression(forAggregate: [$0]) }
    case .unionSet, .minusSet, .intersectSet: [left, right].compactMap { $0 }
    default: []
    }
  }
}
