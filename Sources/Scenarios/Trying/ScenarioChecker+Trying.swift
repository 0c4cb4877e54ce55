// Conditions that say nothing, whatever a migration did.

extension ScenarioChecker {
  /// Reports a condition, or a part of one, that comes to the same for every value that its attributes can have, and
  /// what a device would refuse.
  /// - Returns: Whether there was nothing to report.
  @discardableResult
  func checkTrials(
    of predicate: Predicate, in scope: TriedPaths.Scope, _ text: Located<String>
  ) -> Bool {
    switch predicate {
    case let compound as CompoundPredicate:
      let parts = compound.subpredicates.map { checkTrials(of: $0, in: scope, text) }
      guard !parts.contains(false), compound.compoundPredicateType != .not else {
        return !parts.contains(false)
      }
      return checkDependsOnObjects(TriedCondition(predicate, in: scope), text)
    case let comparison as ComparisonPredicate:
      return check(comparison, in: scope, text)
    default: return true
    }
  }

  /// Looks for conditions within an expression: those of SUBQUERY and TERNARY.
  /// - Returns: Whether there was nothing to report.
  @discardableResult
  func checkTrials(
    in expression: Expression, _ scope: TriedPaths.Scope, _ text: Located<String>
  ) -> Bool {
    if expression.expressionType == .keyPath {
      return expression.operand.isPlain || checkTrials(in: expression.operand, scope, text)
    }
    var inner = scope
    if let collection = expression.subqueryCollection {
      guard let way = scope.way(along: collection) else { return true }
      inner = TriedPaths.Scope(object: nil, variables: scope.variables)
      inner.variables[expression.variable] = way
    }
    let parts = expression.parts + (expression.constant == nil ? expression.collection ?? [] : [])
    let areFine = parts.map { checkTrials(in: $0, scope, text) }.allSatisfy(\.self)
    return (expression.predicate.map { checkTrials(of: $0, in: inner, text) } ?? true) && areFine
  }

  /// Reports a condition that holds for every object, or for none. One that looks at nothing of an object is meant so
  /// where a mapping has it.
  /// - Returns: Whether there was nothing to report.
  @discardableResult
  func checkDependsOnObjects(
    _ condition: TriedCondition, _ text: Located<String>, isQuestion: Bool = false
  ) -> Bool {
    if condition.paths.isEmpty && !isQuestion || condition.isLeftToSQL { return true }
    let truths = condition.possibleTruths
    if truths.count == 2 { return true }
    collector.report(
      "this condition holds for \(truths.contains(true) ? "every" : "no") object, so it tests nothing; leave it "
        + "out, or name a property that the migration could get wrong", at: text.place)
    return false
  }

  private func check(
    _ comparison: ComparisonPredicate, in scope: TriedPaths.Scope, _ text: Located<String>
  ) -> Bool {
    let sides = [comparison.leftExpression, comparison.rightExpression]
    guard sides.map({ checkTrials(in: $0, scope, text) }).allSatisfy(\.self) else { return false }
    if let entity = scope.object?.entity, let refusal = comparison.refusal(of: entity) {
      collector.report(
        "SQLite stores refuse this: \(refusal); \(refusal.advice)",
        at: place(of: refusal.part, in: text))
      return false
    }
    let condition = TriedCondition(comparison, in: scope)
    if condition.paths.isEmpty, !sides.contains(where: \.isPlain) { return true }
    guard let message = condition.mistake(in: comparison) else { return true }
    let written = sides.filter { $0.constant == nil }.map(\.expressionFormat)
    let part = (written + condition.paths.names).first { text.value.range(of: $0) != nil }
    collector.report(message, at: place(of: part ?? "SELF", in: text))
    return false
  }

  private func place(of part: String, in text: Located<String>) -> SourcePlace {
    text.value.range(of: part).map { text.part($0).place } ?? text.place
  }
}

extension TriedCondition {
  /// Whether SQL alone answers it, and asks for nil among the values of several objects.
  fileprivate var isLeftToSQL: Bool { scope.isFetched && predicate.asksAnyForNil }

  /// Why a comparison comes to the same for every value; nil where it doesn't.
  fileprivate func mistake(in comparison: ComparisonPredicate) -> String? {
    let (left, right) = (comparison.leftExpression, comparison.rightExpression)
    for other in right.collection ?? [right] {
      if let message = mistake(comparing: left, with: other) { return message }
    }
    let unmet =
      possibleTruths.count < 2
      ? comparison : isOpen ? nil : comparison.members.first { part($0).possibleTruths.count < 2 }
    guard let unmet, !part(unmet).isLeftToSQL else { return nil }
    let holds = part(unmet).possibleTruths.contains(true) ? "every" : "no"
    let subjects = paths.leaves.map { "'\($0.path)' (\($0.attribute.attributeType.notation))" }
    return "'\(unmet)' holds for \(holds) value"
      + (subjects.isEmpty ? "" : " of \(subjects.joined(separator: " and "))")
      + ", so it tests nothing"
  }

  /// Says that two sides have values of different sorts, if they have.
  private func mistake(comparing left: Expression, with right: Expression) -> String? {
    let sorts = [left, right].map { Set(results(of: $0).compactMap(TriedSort.init)) }
    guard let one = sorts[0].first, let other = sorts[1].first, sorts[0].isDisjoint(with: sorts[1])
    else { return nil }
    let known = left.constant == nil ? (left, one) : (right, other)
    let second = left.constant == nil ? (right, other) : (left, one)
    let types = Set(paths.leaves.map(\.attribute.attributeType))
    let advice =
      second.0.constant == nil
      ? "compare values of one type"
      : types == [.boolean] && known.1 == .number
        ? "write YES or NO without quotes" : known.1.advice
    return
      "\(known.0.shown) is \(known.1.noun) and \(second.0.shown) \(second.1.noun): they are never equal here, "
      + "and how a device compares them isn't known; \(advice)"
  }

  /// What an expression gives, each element of a collection for itself.
  private func results(of expression: Expression) -> Set<Value> {
    if let constant = expression.constant { return Set(constant.members) }
    let paths = TriedPaths(expression, in: scope)
    let axes = TrialAxes(
      of: values.filter { paths.names.contains($0.key) }, links: paths.links,
      counts: paths.counts)
    var results: Set<Value> = []
    _ = axes.first(ofAtMost: 200, takesSample: true) { trial in
      let value = evaluate(in: trial) { try? expression.value(for: $0, variables: $1) }
      results.formUnion(value?.members ?? [])
      return false
    }
    return results
  }
}

extension Value {
  fileprivate var members: [Value] {
    if case .collection(let collection) = self {
      collection.elements.flatMap(\.members)
    } else {
      [self]
    }
  }
}

extension Expression {
  fileprivate var isPlain: Bool { [.evaluatedObject, .variable].contains(expressionType) }

  /// As messages show it.
  fileprivate var shown: String { constant == nil ? "'\(expressionFormat)'" : expressionFormat }
}

extension Predicate {
  /// Whether it, or a part of it, is about nil among the values of several objects.
  fileprivate var asksAnyForNil: Bool {
    if let compound = self as? CompoundPredicate {
      return compound.subpredicates.contains(where: \.asksAnyForNil)
    }
    guard let comparison = self as? ComparisonPredicate else { return false }
    return comparison.comparisonPredicateModifier == .any
      && comparison.predicateOperatorType == .equalTo
      && comparison.rightExpression.constant == .null
  }
}

extension ComparisonPredicate {
  /// The comparisons with each member of a list, of which one must hold.
  fileprivate var members: [ComparisonPredicate] {
    guard predicateOperatorType == .in, comparisonPredicateModifier == .direct,
      rightExpression.constant != nil, let elements = rightExpression.collection
    else { return [] }
    return elements.map {
      ComparisonPredicate(
        leftExpression: leftExpression, rightExpression: $0, type: .equalTo, options: options)
    }
  }

  /// What a SQLite store refuses of the to-many keys in it. What memory answers has no sense then: a set beside a value,
  /// or a set of sets.
  fileprivate func refusal(of entity: EntityDescription) -> UnsupportedByStore? {
    do {
      try StoreSupport(entity: entity).check(self)
    } catch let refusal as UnsupportedByStore {
      switch refusal.kind {
      case .severalToManyKeys: return refusal
      case .toManyKey: return [.in, .contains].contains(predicateOperatorType) ? nil : refusal
      case .keyPath, .aggregateSortKey, .comparison, .function, .block, .nilOnTheRight: return nil
      }
    } catch {}
    return nil
  }
}
