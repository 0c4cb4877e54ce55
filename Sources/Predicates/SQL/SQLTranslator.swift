/// Translates predicates to SQL conditions.
///
/// In memory nil is a value like others, and a comparison is true or false. With
/// ``SQLLogic/nullSafe`` a condition is true exactly where the predicate is; where it isn't, it may
/// be 0 or NULL. With ``SQLLogic/threeValued`` it is what a device sends to SQLite.
public struct SQLTranslator {
  let schema: any SQLSchema
  let alias: String
  let logic: SQLLogic

  /// - Parameters:
  ///   - alias: The name by which the statement refers to the table of the entity.
  ///   - logic: What NULL means to a comparison.
  public init(schema: any SQLSchema, alias: String = "t0", logic: SQLLogic = .nullSafe) {
    self.schema = schema
    self.alias = alias
    self.logic = logic
  }

  /// The condition for `WHERE`.
  ///
  /// - Parameter entity: The entity of the evaluated objects.
  /// - Throws: ``UntranslatablePredicate``, also for predicates that raise in memory.
  public func translate(
    _ predicate: Predicate, entity: EntityDescription
  ) throws -> SQLFragment {
    var translation = SQLTranslation(schema: schema, logic: logic)
    let scope = SQLScope(object: SQLRow(alias: alias, entity: entity))
    return try translation.condition(predicate, scope)
  }
}

extension CompoundPredicate {
  /// NOT around AND, OR and NOT with ANY in them, put before each part: NOT before ANY is NONE, wherever it comes
  /// from. Nil for other predicates.
  // Core Data: assumed, as the simple NOT ANY is observed.
  fileprivate var withNotInside: CompoundPredicate? {
    guard compoundPredicateType == .not, let inner = subpredicates.first as? CompoundPredicate,
      inner.hasAny
    else { return nil }
    let parts = inner.subpredicates
    let negated = parts.map { CompoundPredicate(notPredicateWithSubpredicate: $0) }
    switch inner.compoundPredicateType {
    case .not: return CompoundPredicate(andPredicateWithSubpredicates: parts)
    case .and: return CompoundPredicate(orPredicateWithSubpredicates: negated)
    case .or: return CompoundPredicate(andPredicateWithSubpredicates: negated)
    }
  }
}

extension Predicate {
  fileprivate var hasAny: Bool {
    if let compound = self as? CompoundPredicate {
      return compound.subpredicates.contains(where: \.hasAny)
    }
    return (self as? ComparisonPredicate)?.comparisonPredicateModifier == .any
  }

  /// Whether an odd number of NOTs stands before ANY somewhere.
  package final func isAboutNone(negated: Bool = false) -> Bool {
    guard let compound = self as? CompoundPredicate else { return negated && hasAny }
    let isNegated = negated != (compound.compoundPredicateType == .not)
    return compound.subpredicates.contains { $0.isAboutNone(negated: isNegated) }
  }
}

/// A row that a name in a predicate stands for.
struct SQLRow {
  let alias: String
  let entity: EntityDescription

  /// The row's primary key.
  var key: SQLFragment { SQLFragment(sql: "\(alias).Z_PK") }
}

/// What SELF and variables stand for in a condition.
struct SQLScope {
  let object: SQLRow
  /// The elements of the SUBQUERYs around, by variable.
  var variables: [String: SQLRow] = [:]
}

/// The work on one predicate.
struct SQLTranslation {
  let schema: any SQLSchema
  let logic: SQLLogic
  private var aliasCount = 0

  init(schema: any SQLSchema, logic: SQLLogic) {
    self.schema = schema
    self.logic = logic
  }

  /// A row of another table, under a new name.
  mutating func newRow(of entity: EntityDescription) -> SQLRow {
    SQLRow(alias: newAlias(), entity: entity)
  }

  mutating func newAlias() -> String {
    aliasCount += 1
    return "hw\(aliasCount)"
  }

  /// A condition that is 1 where the predicate is true, and 0 or NULL where it isn't.
  mutating func condition(_ predicate: Predicate, _ scope: SQLScope) throws -> SQLFragment {
    switch predicate {
    case let comparison as ComparisonPredicate: try condition(comparison, scope)
    case let compound as CompoundPredicate: try condition(compound, scope)
    case _ where type(of: predicate) == Predicate.self: predicate.constant ? "1" : "0"
    default: throw UntranslatablePredicate(predicate, "it is code")
    }
  }

  private mutating func condition(
    _ compound: CompoundPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    if logic == .threeValued {
      if let none = try noneOf(compound, scope) { return none }
      if let inside = compound.withNotInside { return try condition(inside, scope) }
    }
    var parts: [SQLFragment] = []
    for part in compound.subpredicates { parts.append(try condition(part, scope)) }
    switch compound.compoundPredicateType {
    // Without the NOT, 0 and NULL mean the same to AND, OR and WHERE.
    case .not where logic == .threeValued: return "NOT (\(parts.first ?? "0"))"
    case .not: return "NOT COALESCE(\(parts.first ?? "0"), 0)"
    case .and: return parts.isEmpty ? "1" : "(\(try joined(parts, by: " AND ", of: compound)))"
    case .or: return parts.isEmpty ? "0" : "(\(try joined(parts, by: " OR ", of: compound)))"
    }
  }

  /// SQLite compares each constant of a condition with all others, which takes seconds for 20,000.
  private static let mostConstants = 5_000

  // Core Data: an app's source (BeamObjectChecksum of Beam for macOS) reports that a fetch with many conditions fails
  // with SQLite's "Expression tree is too large (maximum depth 1000)": a device joins them in one chain.
  private func joined(
    _ parts: [SQLFragment], by separator: String, of compound: CompoundPredicate
  ) throws -> SQLFragment {
    if logic == .threeValued { return parts.joined(by: separator) }
    if parts.reduce(0, { $0 + $1.bindings.count }) > Self.mostConstants {
      throw UntranslatablePredicate(compound, "it has more than \(Self.mostConstants) constants")
    }
    return parts.joinedInGroups(by: separator)
  }

  /// `NOT ANY …`, which is NONE too; nil for other predicates.
  private mutating func noneOf(
    _ compound: CompoundPredicate, _ scope: SQLScope
  ) throws -> SQLFragment? {
    guard compound.compoundPredicateType == .not,
      let comparison = compound.subpredicates.first as? ComparisonPredicate,
      comparison.comparisonPredicateModifier == .any
    else { return nil }
    return try quantified(comparison, scope, isNegated: true)
  }

  private mutating func condition(
    _ comparison: ComparisonPredicate, _ scope: SQLScope
  ) throws -> SQLFragment {
    if comparison.comparisonPredicateModifier != .direct {
      return try quantified(comparison, scope)
    }
    if let membership = try membership(comparison, scope) { return membership }
    let left = try operand(comparison.leftExpression, scope)
    return try condition(comparison, left: left, scope: scope)
  }

  /// The comparison with `left` in place of its left side.
  mutating func condition(
    _ comparison: ComparisonPredicate, left: SQLOperand, scope: SQLScope
  ) throws -> SQLFragment {
    switch comparison.predicateOperatorType {
    case .in: return try isIn(comparison, left: left, scope: scope)
    case .between: return try isBetween(comparison, left: left, scope: scope)
    default: break
    }
    let right = try operand(comparison.rightExpression, scope)
    return try SQLComparison(
      predicate: comparison, left: resolved(left, beside: right),
      right: resolved(right, beside: left), logic: logic
    ).condition()
  }
}
