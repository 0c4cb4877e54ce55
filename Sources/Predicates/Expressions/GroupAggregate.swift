/// A function of all objects in a group of a fetch's result: `sum:(price)`, `@max.price`, `@count`.
package struct GroupAggregate: Hashable {
  package enum Function: Hashable, Sendable {
    case count, sum, average, minimum, maximum
  }
  package let function: Function
  /// What is taken of each object; nil counts the objects.
  package let operand: Expression?
}

extension Expression {
  /// The expression with each aggregate in it replaced by the variable that `name` gives for it.
  /// - Parameters:
  ///   - counts: Whether `count:(key)` is one, too.
  ///   - isGrouped: Whether `links.key.@count` is one, too.
  package func replacingAggregates(
    of entity: EntityDescription, counts: Bool = true, isGrouped: Bool = false,
    by name: (GroupAggregate) -> String
  ) -> Expression {
    replacing { part in
      let aggregate =
        part.groupAggregate(of: entity, counts: counts)
        ?? (isGrouped ? part.groupedCount : nil)
      return aggregate.map { Expression(.variable(name($0))) }
    }
  }

  /// The number of the links of a group's objects.
  // Core Data: observed in public tests to be fetched with groups; assumed is which number it is.
  private var groupedCount: GroupAggregate? {
    guard case .keyPath(nil, let path) = node, path.components.count > 2,
      path.components.last == .collectionOperator(.count)
    else { return nil }
    return GroupAggregate(function: .sum, operand: self)
  }

  /// The aggregate that the expression is. A function of an object's own to-many relationship, as
  /// `sum:(items.price)`, is a value of that object and no aggregate.
  private func groupAggregate(of entity: EntityDescription, counts: Bool) -> GroupAggregate? {
    switch node {
    case .function(let function, let arguments):
      guard arguments.count == 1, let function = GroupAggregate.Function(function),
        counts || function != .count
      else { return nil }
      return arguments[0].aggregated(by: function, of: entity)
    case .keyPath(nil, let path):
      guard case .collectionOperator(let name)? = path.components.first,
        let function = GroupAggregate.Function(name)
      else { return nil }
      let rest = PropertyPath(Array(path.components.dropFirst()))
      if rest.components.isEmpty { return GroupAggregate(function: .count, operand: nil) }
      return Expression(.keyPath(operand: nil, rest))
        .aggregated(by: function, of: entity)
    default: return nil
    }
  }

  private func aggregated(
    by function: GroupAggregate.Function, of entity: EntityDescription
  ) -> GroupAggregate? {
    if node == .evaluatedObject, function == .count {
      return GroupAggregate(function: .count, operand: nil)
    }
    var (readsObject, hasCollection) = (false, false)
    forEachKeyPath { keys in
      readsObject = true
      hasCollection = hasCollection || entity.leadsThroughCollection(keys)
    }
    // Core Data: observed in public tests: the links of all objects are counted.
    if function == .count, case .keyPath(nil, let path) = node,
      let key = path.singleKey,
      entity.relationship(named: key)?.isToMany == true
    {
      let count = path.appending(.collectionOperator(.count))
      return GroupAggregate(function: .sum, operand: Expression(.keyPath(operand: nil, count)))
    }
    return readsObject && !hasCollection ? GroupAggregate(function: function, operand: self) : nil
  }
}

extension Predicate {
  /// The predicate with each aggregate in it replaced by the variable that `name` gives for it.
  /// - Parameter counts: Whether `count:(key)` is one, too.
  package final func replacingAggregates(
    of entity: EntityDescription, counts: Bool, by name: (GroupAggregate) -> String
  ) -> Predicate {
    replacingExpressions { $0.replacingAggregates(of: entity, counts: counts, by: name) }
  }
}

extension EntityDescription {
  /// Whether a key path has more than one value.
  package func leadsThroughCollection(_ keys: [String]) -> Bool {
    var entity = self
    for key in keys {
      guard let relationship = entity.relationship(named: key) else { return key.hasPrefix("@") }
      if relationship.isToMany { return true }
      entity = relationship.destinationEntity
    }
    return false
  }
}

extension GroupAggregate.Function {
  fileprivate init?(_ function: PredefinedFunction) {
    switch function {
    case .count: self = .count
    case .sum: self = .sum
    case .average: self = .average
    case .min: self = .minimum
    case .max: self = .maximum
    default: return nil
    }
  }

  fileprivate init?(_ name: CollectionOperator) {
    switch name {
    case .count: self = .count
    case .sum: self = .sum
    case .avg: self = .average
    case .min: self = .minimum
    case .max: self = .maximum
    default: return nil
    }
  }
}

// MARK: - Key paths

extension Expression {
  /// The expression with each key path of the evaluated object replaced by a variable.
  package func replacingKeyPaths(by name: (Expression) -> String) -> Expression {
    replacing { $0.variable(ofKeyPath: name) }
  }

  fileprivate func variable(ofKeyPath name: (Expression) -> String) -> Expression? {
    switch node {
    case .keyPath(nil, _): return Expression(.variable(name(self)))
    case .keyPath(let operand?, let path) where operand.node == .evaluatedObject:
      return Expression(.variable(name(Expression(.keyPath(operand: nil, path)))))
    default: return nil
    }
  }
}

extension Predicate {
  /// The predicate with each key path of the evaluated object replaced by a variable.
  package final func replacingKeyPaths(by name: (Expression) -> String) -> Predicate {
    replacingExpressions { part in part.replacing { $0.variable(ofKeyPath: name) } }
  }
}
