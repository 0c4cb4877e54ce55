// What the quantifiers of a condition look at.

/// What a quantifier, or what is like one, looks at.
package struct QuantifiedCollection {
  package let expression: Expression
  /// What passes over elements without values, and so holds of them if none has any: `ALL`, or a sum such as
  /// `songs.@sum.rank`, which is 0 then. Nil for ANY and the like, which find none, and rightly so.
  package let passingOverNil: String?
  /// Whether its form leaves open that it is a text, as in `"a" IN name`.
  package let mayBeText: Bool
  /// What an object must meet for the collection to matter, as `name == "x"` in `name == "x" AND ANY songs.rank > 5`,
  /// which is to be false for every object.
  package fileprivate(set) var conditions: [Condition] = []

  /// What another part of the predicate must come to.
  package struct Condition {
    package let predicate: Predicate
    /// Those without whose elements the predicate is false.
    package let collections: [QuantifiedCollection]
  }
}

extension Predicate {
  /// The collections of an object without whose elements ANY, ALL, a SUBQUERY, IN, CONTAINS or a sum makes the
  /// condition come to `truth`, as `songs.rank` in `ALL songs.rank > 100` for true: it holds of no rank at all.
  ///
  /// Of `songs.@count == 0 OR ALL songs.rank > 100` that of the objects with songs: there it is said what is meant by
  /// an object without.
  package final func collectionsWhoseLackGives(_ truth: Bool) -> [QuantifiedCollection] {
    switch self {
    case let compound as CompoundPredicate:
      let parts = compound.subpredicates
      switch compound.compoundPredicateType {
      case .not: return parts.flatMap { $0.collectionsWhoseLackGives(!truth) }
      case .and where truth, .or where !truth:
        return parts.flatMap { $0.collectionsWhoseLackGives(truth) }
      case .and, .or:
        // Where another part gives it, the collection doesn't matter.
        let own = parts.map { $0.collectionsWhoseLackGives(truth) }
        return parts.indices.flatMap { index -> [QuantifiedCollection] in
          var collections = own[index]
          if collections.isEmpty { return [] }
          let conditions = parts.indices.filter { $0 != index }.map { other in
            let part = parts[other]
            let predicate: Predicate =
              truth ? CompoundPredicate(notPredicateWithSubpredicate: part) : part
            return QuantifiedCollection.Condition(predicate: predicate, collections: own[other])
          }
          for place in collections.indices { collections[place].conditions += conditions }
          return collections
        }
      }
    case let comparison as ComparisonPredicate:
      return comparison.collectionsOfComparison(truth)
    default: return []
    }
  }

  /// The key paths of which it says that they lead nowhere, where it comes to `truth` for every object: `songs` in
  /// `songs.@count == 0`, for true.
  package final func pathsSaidToBeEmpty(_ truth: Bool) -> [String] {
    switch self {
    case let compound as CompoundPredicate:
      let parts = compound.subpredicates
      switch compound.compoundPredicateType {
      case .not: return parts.flatMap { $0.pathsSaidToBeEmpty(!truth) }
      case .and where truth, .or where !truth: return parts.flatMap { $0.pathsSaidToBeEmpty(truth) }
      case .and, .or: return []
      }
    case let comparison as ComparisonPredicate:
      return comparison.pathSaidToBeEmpty(truth).map { [$0] } ?? []
    default: return []
    }
  }
}

extension ComparisonPredicate {
  fileprivate func collectionsOfComparison(_ truth: Bool) -> [QuantifiedCollection] {
    switch comparisonPredicateModifier {
    case .all:
      return truth ? [looking(at: leftExpression, passingOverNil: isEqualToNil ? nil : "ALL")] : []
    case .any: return truth ? [] : [looking(at: leftExpression)]
    case .direct: break
    }
    switch predicateOperatorType {
    // Nothing is in an empty collection, whatever is looked for.
    case .in where rightExpression.isPath:
      return truth ? [] : [looking(at: rightExpression, mayBeText: true)]
    case .contains where leftExpression.isPath:
      return truth ? [] : [looking(at: leftExpression, mayBeText: true)]
    default: break
    }
    return collectionsOfTernary(truth) ?? summedUpCollections(truth)
  }

  /// Those of the condition in `TERNARY(ANY songs.rank > 5, 1, 0) == 1`; nil for other comparisons.
  private func collectionsOfTernary(_ truth: Bool) -> [QuantifiedCollection]? {
    let sides = [leftExpression, rightExpression]
    guard let index = sides.firstIndex(where: { $0.expressionType == .conditional }),
      case .conditional(let condition, let yes, let no) = sides[index].node,
      [yes, no, sides[1 - index]].allSatisfy({ $0.constant != nil })
    else { return nil }
    let gives = [yes, no].map { branch -> Bool in
      let comparison = ComparisonPredicate(
        leftExpression: index == 0 ? branch : leftExpression,
        rightExpression: index == 1 ? branch : rightExpression, type: predicateOperatorType,
        options: options)
      return (try? comparison.evaluate(.null)) == truth
    }
    // Where both give it, the condition doesn't matter; where none does, the expectation has failed.
    return gives[0] == gives[1] ? [] : condition.collectionsWhoseLackGives(gives[0])
  }

  /// Those of sums, as in `songs.@max.rank < 5`, and of counts of SUBQUERY, also
  /// `SUBQUERY(songs, $s, …).@count == songs.@count`.
  private func summedUpCollections(_ truth: Bool) -> [QuantifiedCollection] {
    let sides = [leftExpression, rightExpression]
    let summedUp = sides.filter { $0.summedUpCollection != nil }
    if summedUp.isEmpty { return [] }
    // Who compares with nil, or with a sum of nothing, means objects that have nothing.
    if sides.contains(where: \.isSum), isEqualityWithSumOfNothing { return [] }
    let isWithConstant = sides.contains(where: { $0.constant != nil })
    let ofNothing = sides.map { side in
      side.replacing { part in part.valueOfNothing.map { Expression.constant($0) } }
    }
    guard ofNothing.allSatisfy({ $0.constant != nil }) else { return [] }
    let comparison = ComparisonPredicate(
      leftExpression: ofNothing[0], rightExpression: ofNothing[1], type: predicateOperatorType,
      options: options)
    let givesTruth = (try? comparison.evaluate(.null)) == truth
    // That a sum isn't some number says nothing of values, as NOT doesn't.
    let isOfValues = truth == (predicateOperatorType != .notEqualTo)
    let own = summedUp.compactMap { side in
      side.summedUpCollection.map {
        looking(at: $0, passingOverNil: side.isSum && isOfValues ? "\(side)" : nil)
      }
    }
    // With elements, the quantifiers in the SUBQUERY decide whether they are counted.
    let truths = isWithConstant ? [!givesTruth] : [false, true]
    let inner = sides.flatMap { side -> [QuantifiedCollection] in
      truths.flatMap { side.operand.collectionsInSubquery($0) }
    }
    return (givesTruth ? own : []) + inner
  }

  private var isEqualityWithSumOfNothing: Bool {
    switch predicateOperatorType {
    case .equalTo, .notEqualTo: break
    default: return false
    }
    let (left, right) = (leftExpression, rightExpression)
    return left.constant != nil && left.constant == right.valueOfNothing
      || right.constant != nil && right.constant == left.valueOfNothing
  }

  fileprivate func pathSaidToBeEmpty(_ truth: Bool) -> String? {
    guard comparisonPredicateModifier == .direct, let counted = leftExpression.countedPath,
      case .constant(.integer(let limit)) = rightExpression.node
    else { return nil }
    switch (predicateOperatorType, limit) {
    case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1): return truth ? counted : nil
    case (.notEqualTo, 0), (.greaterThan, 0), (.greaterThanOrEqualTo, 1):
      return truth ? nil : counted
    default: return nil
    }
  }

  private func looking(
    at collection: Expression, passingOverNil: String? = nil, mayBeText: Bool = false
  ) -> QuantifiedCollection {
    QuantifiedCollection(
      expression: collection, passingOverNil: passingOverNil, mayBeText: mayBeText)
  }

  private var isEqualToNil: Bool {
    guard predicateOperatorType == .equalTo, case .constant(.null) = rightExpression.node else {
      return false
    }
    return true
  }
}

extension Expression {
  /// Whether it is a key path of the evaluated object, or of a SUBQUERY's variable, without operators.
  fileprivate var isPath: Bool {
    guard case .keyPath(let operand, let path) = node, path.keys != nil else { return false }
    switch operand?.node {
    case nil, .evaluatedObject?, .variable(_)?: return true
    default: return false
    }
  }

  /// The path in `songs.@count`.
  fileprivate var countedPath: String? {
    guard case .keyPath(let operand, let path) = node,
      operand == nil || operand?.node == .evaluatedObject,
      path.components.last == .collectionOperator(.count)
    else { return nil }
    return PropertyPath(Array(path.components.dropLast())).text
  }

  /// Whether it is made of all values of a collection, as `songs.@max.rank` and `max(songs.rank)`; `@count` is not.
  fileprivate var isSum: Bool { summedUpCollection != nil && operand.subqueryCollection == nil }

  /// What is summed up by an operator or a function, as `songs.rank` by `songs.@max.rank`, or looked at by a SUBQUERY
  /// of which the count is taken. Not that of `songs.@count` by itself, which is no condition on songs.
  fileprivate var summedUpCollection: Expression? {
    switch node {
    case .keyPath(let operand?, let path) where operand.subqueryCollection != nil:
      return path.text == "@count" ? operand.subqueryCollection : nil
    case .keyPath(let operand, let path):
      guard let (keys, operation, rest) = path.dividedAtOperator, operation != .count else {
        return nil
      }
      // After an operator on plain values there is `self`.
      let values = rest.filter { $0 != .key("self") }
      return [keys + values, keys].map { Expression(.keyPath(operand: operand, PropertyPath($0))) }
        .first(where: \.isPath)
    case .function(let function, let arguments) where function.isStatistic && function != .count:
      return arguments.count == 1 && arguments[0].isPath ? arguments[0] : nil
    default: return nil
    }
  }

  /// What a sum or a count gives for an empty collection; nil for other expressions.
  fileprivate var valueOfNothing: Value? {
    let nothing = Value.collection(ValueCollection(.set, []))
    switch node {
    case .keyPath(let operand?, let path) where operand.subqueryCollection != nil:
      return path.text == "@count" ? .integer(0) : nil
    case .keyPath(_, let path):
      guard let (keys, _, _) = path.dividedAtOperator else { return nil }
      return try? PropertyPath(Array(path.components.dropFirst(keys.count))).value(of: nothing)
    case .function(let function, let arguments) where function.isStatistic:
      guard arguments.count == 1, arguments[0].isPath else { return nil }
      return try? function.value(for: [nothing])
    default: return nil
    }
  }

  /// What the condition of a SUBQUERY looks at of the collection's elements, as `songs.tags` in
  /// `SUBQUERY(songs, $s, ANY $s.tags.name == "x")`.
  fileprivate func collectionsInSubquery(_ truth: Bool) -> [QuantifiedCollection] {
    guard case .subquery(let outer, let name, let predicate) = node, outer.isPath else { return [] }
    return predicate.collectionsWhoseLackGives(truth).compactMap { inner in
      guard inner.conditions.isEmpty,
        case .keyPath(let operand?, let path) = inner.expression.node,
        operand.node == .variable(name)
      else { return nil }
      return QuantifiedCollection(
        expression: Expression(.reading(path, of: outer)), passingOverNil: inner.passingOverNil,
        mayBeText: inner.mayBeText)
    }
  }
}

extension PropertyPath {
  /// The keys before the first operator, the operator, and what follows it; nil where there is none, or nothing before
  /// it.
  fileprivate var dividedAtOperator:
    (keys: [Component], operation: CollectionOperator, rest: [Component])?
  {
    for (index, component) in components.enumerated() {
      if case .collectionOperator(let operation) = component {
        if index == 0 { return nil }
        return (Array(components[..<index]), operation, Array(components[(index + 1)...]))
      }
    }
    return nil
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
