// What a condition looks at of the objects that a store has.

extension TriedCondition {
  /// What the end of a way is to the condition's answer for an object.
  package enum Weight: Equatable {
    /// Other values there would give another answer.
    case decisive
    /// There is nothing, and something could give another answer: no object, or none with a value.
    case lacking(hasObjects: Bool)
    /// There is nothing, and that is meant.
    case meant
    /// The answer is the same anyway.
    case none
  }

  /// The ways to other objects of which it looks at something.
  package var ways: [Way] {
    var known: Set<String> = [""]
    return (paths.leaves.map(\.way) + paths.links.map(\.start)).filter {
      known.insert($0.path).inserted
    }
  }

  /// The paths of what it looks at of the objects at the end of a way.
  package func paths(at way: Way) -> [String] {
    paths.leaves.filter { $0.way.path == way.path }.map(\.path)
  }

  /// What a way's end is to the answer for an object.
  /// - Parameters:
  ///   - truth: The answer.
  ///   - isIntended: Whether it is meant that a way leads nowhere.
  /// - Throws: What evaluating the condition throws.
  package func weight(
    of way: Way, for object: ManagedObject, where truth: Bool, isIntended: (Way) -> Bool
  ) throws -> Weight {
    if way.end(from: object).isEmpty {
      let lacking = ways.filter {
        $0.end(from: object).isEmpty && ($0.path == way.path || !isIntended($0))
      }
      guard try changes(for: object, truth, makingUp: lacking) else { return .none }
      return isIntended(way) ? .meant : .lacking(hasObjects: false)
    }
    if try passesOverNil(along: way, for: object, truth) { return .lacking(hasObjects: true) }
    return try changes(for: object, truth, at: way) ? .decisive : .none
  }

  private func holds(for object: ManagedObject, in trial: Trial) throws -> Bool {
    try predicate.evaluate(.object(TrialObject(object.entity, in: trial, over: object)))
  }

  /// Whether other objects at the end of a way, or other values of those there, give another answer.
  private func changes(for object: ManagedObject, _ truth: Bool, at way: Way) throws -> Bool {
    let isVaried = { (path: String) in path.hasPrefix(way.prefix) }
    let axes = TrialAxes(
      of: values(for: object, isVaried),
      links: paths.links.filter {
        isVaried($0.path) || $0.path == way.path && $0.relationship.isToMany
      },
      counts: paths.counts, replacesLinks: true, isLinked: { $0 == way.path })
    return try changes(for: object, truth, along: axes, isVaried)
  }

  /// Whether objects at the ends of ways that lead nowhere give another answer. What is asked of the ways themselves
  /// is answered as it is: who asks that says what is meant by their leading nowhere.
  private func changes(for object: ManagedObject, _ truth: Bool, makingUp ways: [Way]) throws
    -> Bool
  {
    let isLinked = { (path: String) in ways.contains { $0.prefix.hasPrefix(path + ".") } }
    let isVaried = { (path: String) in ways.contains { path.hasPrefix($0.prefix) } }
    let asked = try part(
      predicate.answering { comparison in
        let isAsked = comparison.linkAskedFor(in: scope).map(isLinked) ?? false
        return isAsked ? try comparison.evaluate(.object(object)) : nil
      })
    let axes = TrialAxes(
      of: values(for: object, isVaried),
      links: paths.links.filter { isLinked($0.path) || isVaried($0.path) },
      counts: paths.counts, isLinked: isLinked)
    return try asked.changes(for: object, truth, along: axes, isVaried)
  }

  /// The values to try for an object: with what it has itself, where that may be compared with them.
  private func values(for object: ManagedObject, _ isVaried: (String) -> Bool) -> [String: [Value]]
  {
    let own = paths.leaves.filter { !isVaried($0.path) }.compactMap {
      try? Expression(forKeyPath: $0.path).value(for: .object(object))
    }
    return (own.isEmpty ? values : paths.values(near: own)).filter { isVaried($0.key) }
  }

  /// What values can't be tried for could be so or so.
  private func changes(
    for object: ManagedObject, _ truth: Bool, along axes: TrialAxes, _ isVaried: (String) -> Bool
  ) throws -> Bool {
    let conditions =
      isOpen
      ? [true, false].map { guess in
        part(
          predicate.answering { comparison in
            let part = part(comparison)
            return part.isOpen && part.paths.names.contains(where: isVaried) ? guess : nil
          })
      } : [self]
    return try axes.first(ofAtMost: Self.limit / 10, takesSample: true) { trial in
      try conditions.contains { try $0.holds(for: object, in: trial) != truth }
    } ?? false
  }

  /// Whether the answer would be another if values that are nil weren't left out of a collection, or of a sum.
  private func passesOverNil(along way: Way, for object: ManagedObject, _ truth: Bool) throws
    -> Bool
  {
    guard way.relationships.contains(where: \.isToMany) else { return false }
    let end = way.end(from: object)
    let empty = try paths.leaves.filter { leaf in
      guard leaf.way.path == way.path else { return false }
      let keys = leaf.path.dropFirst(way.prefix.count).split(separator: ".").map(String.init)
      return try end.allSatisfy { try $0.typedValue(forKey: keys[0]).isNull }
    }
    if empty.isEmpty { return false }
    // No number is like any other, or in an order with one, as no sum is.
    let values = paths.addsUp ? empty.map { ($0.path, [Value.double(.nan)]) } : []
    let trial = Trial(values: Dictionary(uniqueKeysWithValues: values), keepsNil: true)
    return try holds(for: object, in: trial) != truth
  }
}

extension Way {
  /// The objects at its end.
  package func end(from object: ManagedObject) -> [ManagedObject] {
    relationships.reduce([object]) { objects, relationship in
      // What isn't there is nothing.
      objects.flatMap { (try? $0.typedValue(forKey: relationship.name))?.objects ?? [] }
        .compactMap { $0 as? ManagedObject }
    }
  }
}

extension Predicate {
  /// The condition with answers in place of the comparisons that have one.
  fileprivate func answering(_ answer: (ComparisonPredicate) throws -> Bool?) rethrows -> Predicate
  {
    switch self {
    case let compound as CompoundPredicate:
      CompoundPredicate(
        type: compound.compoundPredicateType,
        subpredicates: try compound.subpredicates.map { try $0.answering(answer) })
    case let comparison as ComparisonPredicate:
      try answer(comparison).map { Predicate(value: $0) } ?? self
    default: self
    }
  }
}

extension ComparisonPredicate {
  /// The path of the relationship of which it asks whether it leads somewhere, or to how many.
  fileprivate func linkAskedFor(in scope: TriedPaths.Scope) -> String? {
    let sides = [leftExpression, rightExpression]
    guard sides.contains(where: { $0.constant != nil }) else { return nil }
    return sides.lazy.compactMap { side -> String? in
      let suffix = ".@count"
      let counted =
        side.keyPath.hasSuffix(suffix) && side.operand.expressionType != .subquery
        ? Expression(forKeyPath: String(side.keyPath.dropLast(suffix.count)), of: side.operand)
        : side
      return scope.way(along: counted)?.path
    }.first
  }
}
