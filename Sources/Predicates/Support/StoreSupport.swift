/// Finds what Core Data's SQLite store refuses in a predicate or a sort key.
///
/// This says what a device does. What this engine translates to SQL is another question, for
/// ``SQLTranslator``; the rest is evaluated in memory with the same answers.
public struct StoreSupport {
  private let root: EntityDescription

  /// - Parameter entity: The entity of the fetched objects.
  public init(entity: EntityDescription) { root = entity }

  /// - Throws: ``UnsupportedByStore`` for the first part that is refused.
  /// - Complexity: O(*n*) in the size of the predicate.
  public func check(_ predicate: Predicate) throws {
    try check(predicate, Scope(object: root))
  }

  /// Checks what a fetch computes of each object.
  /// - Throws: ``UnsupportedByStore`` for the first part that is refused.
  public func check(_ expression: Expression) throws {
    if case .function(.count, let arguments) = expression.node, arguments.count == 1,
      case .keyPath = arguments[0].node
    {
      // Counts the links of all objects.
      return try check(arguments[0], as: .collection, Scope(object: root))
    }
    try check(expression, as: .value, Scope(object: root))
  }

  /// Checks the key path of a sort descriptor.
  /// - Throws: ``UnsupportedByStore``.
  public func check(sortKey: String) throws {
    if sortKey.contains("@") { throw refused(.aggregateSortKey, sortKey) }
    if sortKey == "objectID" { throw refused(.keyPath(sortKey), sortKey) }
    try check(Expression(forKeyPath: sortKey), as: .value, Scope(object: root))
  }

  /// The entities that names stand for.
  private struct Scope {
    let object: EntityDescription
    /// The elements of the SUBQUERYs around; of what isn't an object nothing is known.
    var variables: [String: EntityDescription] = [:]
  }

  /// How the values of a to-many key may be used.
  private enum Use {
    /// Not at all: one value is needed.
    case value
    /// As a collection of objects: CONTAINS, SUBQUERY, `[SIZE]`.
    case collection
    /// Each for itself: after ANY, or as arguments of a function over several values.
    case elements
  }

  private func refused(
    _ kind: UnsupportedByStore.Kind, _ part: some CustomStringConvertible
  ) -> UnsupportedByStore {
    UnsupportedByStore(kind, part, in: root)
  }

  // MARK: Predicates

  private func check(_ predicate: Predicate, _ scope: Scope) throws {
    switch predicate {
    case let comparison as ComparisonPredicate: try check(comparison, scope)
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { try check(part, scope) }
    case _ where type(of: predicate) == Predicate.self: break
    default: throw refused(.block, predicate)
    }
  }

  private func check(_ comparison: ComparisonPredicate, _ scope: Scope) throws {
    if comparison.predicateOperatorType == .customSelector { throw refused(.function, comparison) }
    if comparison.wantsValue, comparison.rightExpression.constant?.isNull == true {
      throw refused(.nilOnTheRight, comparison)
    }
    if comparison.predicateOperatorType == .in,
      case .conditional = comparison.leftExpression.node
    {
      throw refused(.function, comparison)
    }
    let isAny = comparison.comparisonPredicateModifier == .any
    let isAll = comparison.comparisonPredicateModifier == .all
    let type = comparison.predicateOperatorType
    let left: Use = isAny || isAll ? .elements : type == .contains ? .collection : .value
    try check(comparison.leftExpression, as: left, scope)
    try check(comparison.rightExpression, as: type == .in ? .collection : .value, scope)
    if try isAll
      || isAny && ![.in, .equalTo].contains(type)
        && hasNoElements(comparison.leftExpression, scope)
      || isOpaque(comparison.container, scope)
    {
      throw refused(.comparison, comparison)
    }
  }

  /// Whether ANY has nothing to range over: a path without a to-many key.
  private func hasNoElements(_ expression: Expression, _ scope: Scope) throws -> Bool {
    guard let walk = try walk(expression, scope) else { return false }
    return walk.toManyCount == 0
  }

  /// Whether the expression is an attribute whose content SQL doesn't see.
  private func isOpaque(_ expression: Expression?, _ scope: Scope) throws -> Bool {
    guard let expression, let type = try walk(expression, scope)?.attributeType else {
      return false
    }
    return type == .transformable || type == .binaryData
  }

  // MARK: Expressions

  private func check(_ expression: Expression, as use: Use, _ scope: Scope) throws {
    if expression.isClosed { return }
    switch expression.node {
    case .constant, .evaluatedObject, .variable, .fetch: break
    case .keyPath(let start, let path):
      guard let entity = try entity(of: start, scope) else { break }
      try check(path, from: entity, as: use, whole: expression)
    case .function(.median, _), .function(.mode, _), .function(.stddev, _):
      throw refused(.function, expression)
    case .function(.count, let arguments) where arguments.first?.expressionType == .keyPath:
      throw refused(.function, expression)
    case .function(let function, let arguments):
      for argument in arguments {
        try check(argument, as: function.isStatistic ? .elements : .value, scope)
      }
    case .aggregate(let elements):
      for element in elements { try check(element, as: .value, scope) }
    case .subquery(let collection, let variable, let predicate):
      try check(collection, as: .collection, scope)
      guard let destination = try destination(of: collection, scope) else {
        throw refused(.function, expression)
      }
      var inner = scope
      inner.variables[variable] = destination
      try check(predicate, inner)
    case .conditional(let predicate, let yes, let no):
      try check(predicate, scope)
      for value in [yes, no] { try check(value, as: .value, scope) }
    case .cast(let operand, _): try check(operand, as: .value, scope)
    case .index(let collection, .size): try check(collection, as: .collection, scope)
    case .call, .index, .assignment, .setOperation, .anyKey, .block:
      throw refused(.function, expression)
    }
  }

  /// The entity of the object that a key path starts from; nil when it isn't known.
  private func entity(of start: Expression?, _ scope: Scope) throws -> EntityDescription? {
    switch start?.node {
    case nil, .evaluatedObject: return scope.object
    case .variable(let name): return scope.variables[name]
    case let node?:
      // `SUBQUERY(…).@count`, `(…).key`.
      try check(Expression(node), as: .collection, scope)
      return nil
    }
  }

  /// The entity of the objects in a collection; nil when it isn't a to-many relationship's.
  private func destination(of collection: Expression, _ scope: Scope) throws -> EntityDescription? {
    if case .subquery(let inner, _, _) = collection.node {
      return try destination(of: inner, scope)
    }
    guard let walk = try walk(collection, scope), walk.endsWithToMany else { return nil }
    return walk.entity
  }

  // MARK: Key paths

  /// The walk along an expression that is a key path from a known object; nil for others.
  private func walk(_ expression: Expression, _ scope: Scope) throws -> KeyWalk? {
    guard case .keyPath(let start, let path) = expression.node,
      let entity = try entity(of: start, scope)
    else { return nil }
    return try walk(path, from: entity, whole: expression)
  }

  /// - Parameter whole: The expression that the path belongs to, for messages.
  private func walk(
    _ path: PropertyPath, from start: EntityDescription, whole: Expression
  ) throws -> KeyWalk {
    var walk = KeyWalk(entity: start)
    for component in path.components {
      switch component {
      case .key(let key):
        guard walk.follow(key) else {
          throw UnsupportedByStore(.keyPath(path.text), whole, in: start)
        }
      case .collectionOperator(let function)
      where Self.operators.contains(function) && walk.toManyCount > 0:
        walk.isReduced = true
      default: throw refused(.function, whole)
      }
    }
    return walk
  }

  private func check(
    _ path: PropertyPath, from start: EntityDescription, as use: Use, whole: Expression
  ) throws {
    let walk = try walk(path, from: start, whole: whole)
    if walk.toManyCount > 1 { throw refused(.severalToManyKeys, whole) }
    guard walk.toManyCount == 1, !walk.isReduced else { return }
    if use == .value || (use == .collection && !walk.endsWithToMany) {
      throw refused(.toManyKey, whole)
    }
  }

  /// The collection operators that have SQL.
  private static let operators: Set<CollectionOperator> = [.count, .sum, .avg, .min, .max]
}

extension ComparisonPredicate {
  /// Whether its operator has no SQL for nil on the right: all but `==`, `!=`.
  fileprivate var wantsValue: Bool {
    switch predicateOperatorType {
    case .equalTo, .notEqualTo, .customSelector, .utiConformsTo, .utiEquals: false
    default: true
    }
  }

  /// What CONTAINS and IN look into.
  fileprivate var container: Expression? {
    switch predicateOperatorType {
    case .contains: leftExpression
    case .in: rightExpression
    default: nil
    }
  }
}
