/// A table of values to be made of the objects that answer a query: one row for each object, or for
/// each group of them.
public struct TableQuery {
  /// Which objects, in which order; limit and offset count rows of the table.
  var query: StoreQuery
  var columns: [Column]
  /// The columns whose equal values make a group; empty for one group of all objects, nil for one
  /// row per object.
  var groupColumns: [Int]?
  /// Whether equal rows are wanted once only. The caller looks to it again.
  var isDistinct = false

  enum Column: Hashable {
    /// A value of each object; where there are groups, of a group.
    case value(Expression)
    case aggregate(GroupAggregate)

    /// What is taken of each object; nil where objects are counted.
    var operand: Expression? {
      switch self {
      case .value(let expression): expression
      case .aggregate(let aggregate): aggregate.operand
      }
    }

    var isAggregate: Bool {
      if case .aggregate = self { true } else { false }
    }
  }

  /// Whether a value is wanted of a group whose objects may differ in it: that of the first object.
  var hasUngroupedValues: Bool {
    guard let groupColumns else { return false }
    return columns.indices.contains { !columns[$0].isAggregate && !groupColumns.contains($0) }
  }
}

extension EntityDescription {
  /// The property at the end of a key path; an element of a composite attribute is one, too.
  package func property(at keys: [String]) -> PropertyDescription? {
    var entity = self
    for (position, key) in keys.enumerated() {
      if position == keys.count - 1 { return entity.property(named: key) }
      if let attribute = entity.attribute(named: key) {
        return attribute.element(at: keys[(position + 1)...])
      }
      guard let destination = entity.relationship(named: key)?.destinationEntity else { return nil }
      entity = destination
    }
    return nil
  }

  /// The property that an expression reads, when it is nothing but a key path.
  func property(readBy expression: Expression) -> PropertyDescription? {
    guard expression.expressionType == .keyPath,
      expression.operand.expressionType == .evaluatedObject
    else { return nil }
    return property(at: expression.keyPath.components(separatedBy: "."))
  }
}
