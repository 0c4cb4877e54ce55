// What a predicate reads of the evaluated object.

extension Predicate {
  /// Calls `body` with the keys of every key path that starts from the evaluated object.
  package final func forEachKeyPath(_ body: ([String]) throws -> Void) rethrows {
    try forEachExpression { try $0.ownKeys.map(body) }
  }

  /// Whether code is called with objects, which must be managed objects then.
  package final var handsOutObjects: Bool {
    switch self {
    case is BlockPredicate: return true
    case let compound as CompoundPredicate:
      return compound.subpredicates.contains(where: \.handsOutObjects)
    default: break
    }
    var found = false
    forEachExpression { expression in
      switch expression.node {
      case .call, .block: found = true
      case .subquery(_, _, let predicate), .conditional(let predicate, _, _):
        found = found || predicate.handsOutObjects
      default: break
      }
    }
    return found
  }

  /// Whether it reads other objects than those that key paths lead to: by a SUBQUERY's variable, or
  /// by a fetch.
  package final var readsIndirectly: Bool {
    var found = false
    forEachExpression { expression in
      switch expression.node {
      case .subquery, .fetch: found = true
      default: break
      }
    }
    return found
  }

  /// The predicate with key paths from constants replaced by their values, so that stores need not
  /// know the constants: after a substitution, `$FETCH_SOURCE.name` is one.
  package final func readingConstants() throws -> Predicate {
    var failure: (any Error)?
    let result = replacingExpressions { part in
      guard case .keyPath(let operand?, _) = part.node, case .constant = operand.node else {
        return nil
      }
      do { return .constant(try part.value(for: .null, variables: [:])) } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    return result
  }

  /// The name of a variable that stands for nothing yet, without `$`; a SUBQUERY's own is bound.
  package final var firstVariable: String? {
    var bound: Set<String> = []
    var free: [String] = []
    forEachExpression { expression in
      switch expression.node {
      case .subquery(_, let name, _), .assignment(let name, _): bound.insert(name)
      case .variable(let name): free.append(name)
      default: break
      }
    }
    return free.first { !bound.contains($0) }
  }

  /// Visits all expressions, those inside others too.
  fileprivate func forEachExpression(_ body: (Expression) throws -> Void) rethrows {
    switch self {
    case let comparison as ComparisonPredicate:
      try comparison.leftExpression.forEachPart(body)
      try comparison.rightExpression.forEachPart(body)
    case let compound as CompoundPredicate:
      for part in compound.subpredicates { try part.forEachExpression(body) }
    default: break
    }
  }
}

extension Expression {
  /// The keys of a key path that starts from the evaluated object.
  fileprivate var ownKeys: [String]? {
    guard case .keyPath(let operand, let path) = node,
      operand == nil || operand?.node == .evaluatedObject
    else { return nil }
    return path.components.map(\.text)
  }

  /// Calls `body` with the keys of every key path that starts from the evaluated object.
  package func forEachKeyPath(_ body: ([String]) throws -> Void) rethrows {
    try forEachPart { try $0.ownKeys.map(body) }
  }

  /// Visits the expression and all parts of it.
  package func forEachPart(_ body: (Expression) throws -> Void) rethrows {
    try body(self)
    switch node {
    case .constant, .evaluatedObject, .variable, .anyKey, .keyPath(nil, _): break
    case .keyPath(let operand?, _): try operand.forEachPart(body)
    case .function(_, let parts), .aggregate(let parts), .block(_, let parts):
      for part in parts { try part.forEachPart(body) }
    case .call(let target, _, let arguments):
      for part in [target] + arguments { try part.forEachPart(body) }
    case .subquery(let collection, _, let predicate):
      try collection.forEachPart(body)
      try predicate.forEachExpression(body)
    case .fetch(let request, let context, _):
      for part in [request, context] { try part.forEachPart(body) }
    case .conditional(let predicate, let yes, let no):
      try predicate.forEachExpression(body)
      for part in [yes, no] { try part.forEachPart(body) }
    case .setOperation(_, let left, let right):
      for part in [left, right] { try part.forEachPart(body) }
    case .cast(let part, _), .assignment(_, let part): try part.forEachPart(body)
    case .index(let collection, let index):
      try collection.forEachPart(body)
      if case .element(let position) = index { try position.forEachPart(body) }
    }
  }
}
