/// A condition, and what it comes to for values of the types that its attributes have.
///
/// A condition that no value changes says nothing of a migration.
package struct TriedCondition {
  let predicate: Predicate
  let scope: TriedPaths.Scope
  let paths: TriedPaths
  /// The values that are tried, by path; none for attributes of which the model doesn't say what values they have.
  let values: [String: [Value]]
  /// So many combinations of values are tried at most.
  static let limit = 20_000

  package init(_ predicate: Predicate, about entity: EntityDescription) {
    self.init(predicate, in: TriedPaths.Scope(object: Way(from: entity)))
  }

  init(_ predicate: Predicate, in scope: TriedPaths.Scope) {
    self.predicate = predicate
    self.scope = scope
    paths = TriedPaths(predicate, in: scope)
    values = paths.values()
  }

  /// Whether it looks at something whose values can't be tried.
  var isOpen: Bool { paths.hasPatterns || !hasValues }
  private var hasValues: Bool { !paths.isOpen && values.count == paths.leaves.count }

  /// What it comes to, or an expression of it gives, in a trial.
  func evaluate<Result>(
    in trial: Trial, _ body: (_ object: Value, _ variables: [String: Value]) throws -> Result
  ) rethrows -> Result {
    let object = scope.object.map { Value.object(TrialObject($0.entity, in: trial)) } ?? .null
    let variables = scope.variables.mapValues { way in
      Value.object(TrialObject(way.entity, at: way.prefix, in: trial))
    }
    return try body(object, variables)
  }

  // MARK: What it can come to

  /// What it can come to, whatever objects there are: both, where that can't be tried out.
  package var possibleTruths: Set<Bool> {
    guard let compound = predicate as? CompoundPredicate else { return jointTruths() }
    let parts = compound.subpredicates
    switch compound.compoundPredicateType {
    case .not: return Set(parts.flatMap { part($0).possibleTruths }.map { !$0 })
    case .and: return truths(of: parts, joinedBy: .and, whereOneDecides: false)
    case .or: return truths(of: parts, joinedBy: .or, whereOneDecides: true)
    }
  }

  func part(_ predicate: Predicate) -> TriedCondition { TriedCondition(predicate, in: scope) }

  /// Parts that look at the same attributes are tried together, and others each for itself.
  /// - Parameter decisive: What all come to if one of them does.
  private func truths(
    of parts: [Predicate], joinedBy type: CompoundPredicate.LogicalType,
    whereOneDecides decisive: Bool
  ) -> Set<Bool> {
    let groups = connected(parts).map { group in
      let alone = group.map { part($0).possibleTruths }
      if group.count == 1 || alone.contains([decisive]) { return alone }
      let joint = part(CompoundPredicate(type: type, subpredicates: group))
      return [joint.jointTruths(ofParts: group.count)]
    }.joined()
    if groups.contains([decisive]) { return [decisive] }
    return Set(
      (groups.contains { $0.contains(decisive) } ? [decisive] : [])
        + (groups.allSatisfy { $0.contains(!decisive) } ? [!decisive] : []))
  }

  /// The parts in groups of which each looks at what the others don't.
  private func connected(_ parts: [Predicate]) -> [[Predicate]] {
    var groups: [(parts: [Predicate], paths: Set<String>)] = []
    for part in parts {
      let paths = Set(TriedPaths(part, in: scope).names)
      let touched = groups.indices.filter { !groups[$0].paths.isDisjoint(with: paths) }
      guard let first = touched.first else {
        groups.append(([part], paths))
        continue
      }
      for index in touched.dropFirst().reversed() {
        let other = groups.remove(at: index)
        groups[first].parts += other.parts
        groups[first].paths.formUnion(other.paths)
      }
      groups[first].parts.append(part)
      groups[first].paths.formUnion(paths)
    }
    return groups.map(\.parts)
  }

  private func jointTruths(ofParts count: Int = 1) -> Set<Bool> {
    if !hasValues { return [false, true] }
    var truths: Set<Bool> = []
    let axes = TrialAxes(of: values, links: paths.links, counts: paths.counts)
    let end = axes.first(ofAtMost: max(Self.limit / count, 2_000), takesSample: false) { trial in
      // What can't be compared with any value is neither true nor false.
      let truth = evaluate(in: trial) { try? predicate.evaluate($0, variables: $1) }
      if let truth { truths.insert(truth) }
      return truths.count == 2
    }
    let isTriedOut = !paths.hasPatterns || (predicate is ComparisonPredicate && truths == [true])
    return end == nil || !isTriedOut ? [false, true] : truths
  }

  /// The paths of relationships of which it says that they lead nowhere, where it comes to `truth` for every object:
  /// `songs` in `songs.@count == 0`, for true.
  package func pathsSaidToBeEmpty(_ truth: Bool) -> [String] {
    if isOpen { return [] }
    return paths.links.map(\.path).filter { path in
      let axes = TrialAxes(of: values, links: paths.links, counts: paths.counts) {
        $0 == path || path.hasPrefix($0 + ".")
      }
      return axes.first(ofAtMost: Self.limit, takesSample: false) { trial in
        evaluate(in: trial) { try? predicate.evaluate($0, variables: $1) } == truth
      } == false
    }
  }
}
