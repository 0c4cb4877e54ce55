// To-many relationships: ANY, ALL, membership, counts and the other collection operators.

/// The rows that a to-many relationship leads to, for the FROM and WHERE of a SELECT.
struct SQLCollection {
  /// The destination of the row under consideration.
  let element: SQLRow
  let source: SQLFragment
  /// The condition that links a destination to its owner.
  let link: SQLFragment
  /// The owner's key, where a to-one relationship on the way can be nil.
  let optionalOwner: SQLFragment?
  /// The condition of a SUBQUERY.
  var condition: SQLFragment?

  /// `FROM … WHERE …` with one more condition.
  func selection(where extra: SQLFragment?) -> SQLFragment {
    let conditions = [link, condition, extra].compactMap { $0 }
    return "FROM \(source) WHERE \(conditions.joined(by: " AND "))"
  }
}

extension SQLTranslation {
  // MARK: Quantifiers

  /// ANY and ALL over one to-many relationship. nil values are left out, as a set leaves them out.
  ///
  /// - Parameter isNegated: Whether NOT stands before it, which a device puts into the join: some
  ///   element for which the comparison is false, and none for an owner without elements.
  mutating func quantified(
    _ comparison: ComparisonPredicate, _ scope: SQLScope, isNegated: Bool = false
  ) throws -> SQLFragment {
    let left = comparison.leftExpression
    guard let (collection, value) = try elementValue(left, scope) else {
      if comparison.comparisonPredicateModifier == .any, case .keyPath(_, let path) = left.node,
        path.keys != nil
      {
        // Core Data: observed in public tests: a store takes ANY of one value.
        let direct = comparison.comparing(
          left, comparison.predicateOperatorType, comparison.rightExpression)
        let condition = try condition(direct, scope)
        return isNegated ? "NOT (\(condition))" : condition
      }
      throw UntranslatablePredicate(
        left, "ANY and ALL are translated for one to-many relationship only")
    }
    let condition = try condition(comparison, left: value, scope: scope)
    if isNegated { return "EXISTS (SELECT 1 \(collection.selection(where: "NOT (\(condition))")))" }
    let present: SQLFragment = "\(value.fragment) IS NOT NULL"
    if comparison.comparisonPredicateModifier == .any {
      // Core Data: assumed for `ANY … == nil`, which a device's join may find.
      if logic == .threeValued {
        return "EXISTS (SELECT 1 \(collection.selection(where: condition)))"
      }
      return "EXISTS (SELECT 1 \(collection.selection(where: "\(present) AND \(condition)")))"
    }
    let fails: SQLFragment = "\(present) AND NOT COALESCE(\(condition), 0)"
    return "NOT EXISTS (SELECT 1 \(collection.selection(where: fails)))"
  }

  /// `collection CONTAINS value` and `value IN collection`; nil when no to-many key is there.
  mutating func membership(
    _ comparison: ComparisonPredicate, _ scope: SQLScope
  ) throws -> SQLFragment? {
    let (container, member): (Expression, Expression)
    switch comparison.predicateOperatorType {
    case .in: (container, member) = (comparison.rightExpression, comparison.leftExpression)
    case .contains: (container, member) = (comparison.leftExpression, comparison.rightExpression)
    default: return nil
    }
    if comparison.predicateOperatorType == .contains,
      case .constant(.collection(let constants)) = container.node
    {
      return try isElement(member, of: constants.elements, comparison: comparison, scope: scope)
    }
    guard let (collection, value) = try elementValue(container, scope) else { return nil }
    let equality = comparison.comparing(container, .equalTo, member)
    let condition = try condition(equality, left: value, scope: scope)
    let present: SQLFragment = "\(value.fragment) IS NOT NULL"
    return "EXISTS (SELECT 1 \(collection.selection(where: "\(present) AND \(condition)")))"
  }

  /// `{a, b} CONTAINS member`, which unlike IN is true of nil when that is among the elements.
  private mutating func isElement(
    _ member: Expression, of elements: [Value], comparison: ComparisonPredicate, scope: SQLScope
  ) throws -> SQLFragment {
    let value = try operand(member, scope)
    let isIn = try isIn(elements, left: value, comparison: comparison)
    return elements.contains(where: \.isNull) ? "(\(isIn) OR \(value.fragment) IS NULL)" : isIn
  }

  /// A key path through one to-many relationship: its rows, and the value of one of them. nil for
  /// anything else.
  private mutating func elementValue(
    _ expression: Expression, _ scope: SQLScope
  ) throws -> (SQLCollection, SQLOperand)? {
    // What leads to no row is no collection: the caller says so.
    guard case .keyPath(let start, let path) = expression.node, let keys = path.keys,
      let row = try? row(start, expression: expression, scope: scope),
      let position = toManyPosition(keys, from: row.entity)
    else { return nil }
    let collection = try collection(keys[...position], from: row, expression)
    let element = collection.element
    let value = try scalar(
      keys[(position + 1)...], from: element.key, row: element, expression: expression)
    return (collection, value)
  }

  /// Where the first to-many key is.
  private func toManyPosition(_ keys: [String], from entity: EntityDescription) -> Int? {
    var entity = entity
    for (position, key) in keys.enumerated() {
      guard let relationship = entity.relationship(named: key) else { return nil }
      if relationship.isToMany { return position }
      guard let destination = relationship.destinationEntity else { return nil }
      entity = destination
    }
    return nil
  }

  // MARK: Rows of a collection

  /// The rows at `keys`, of which the last is to-many.
  private mutating func collection(
    _ keys: ArraySlice<String>, from row: SQLRow, _ expression: Expression
  ) throws -> SQLCollection {
    let owner = try scalar(keys.dropLast(), from: row.key, row: row, expression: expression)
    let entity = try entity(at: keys.dropLast(), from: row.entity, expression)
    guard let name = keys.last, let relationship = entity.relationship(named: name),
      relationship.isToMany, let link = schema.link(of: relationship),
      let destination = relationship.destinationEntity
    else { throw UntranslatablePredicate(expression, "it isn't a stored to-many relationship") }
    return rows(
      of: link, to: newRow(of: destination), owner: owner.fragment,
      isOptional: keys.count > 1)
  }

  private mutating func rows(
    of link: SQLLink, to element: SQLRow, owner: SQLFragment, isOptional: Bool
  ) -> SQLCollection {
    var source = "\(schema.table(of: element.entity)) AS \(element.alias)"
    let key: String
    switch link {
    case .children(let column): key = "\(element.alias).\(column)"
    case .join(let joinTable, let ownColumn, let destinationColumn):
      let join = newAlias()
      source = """
        \(joinTable) AS \(join) JOIN \(source) ON \(element.alias).Z_PK = \(join).\(destinationColumn)
        """
      key = "\(join).\(ownColumn)"
    }
    return SQLCollection(
      element: element, source: SQLFragment(sql: source), link: "\(raw: key) = \(owner)",
      optionalOwner: isOptional ? owner : nil)
  }

  private func entity(
    at keys: ArraySlice<String>, from entity: EntityDescription, _ expression: Expression
  ) throws -> EntityDescription {
    try keys.reduce(entity) { entity, key in
      guard let next = entity.relationship(named: key)?.destinationEntity else {
        throw UntranslatablePredicate(
          expression, "keypath \(key) not found in entity \(entity.name)")
      }
      return next
    }
  }

  /// The rows of a to-many key path, or of a SUBQUERY over one.
  private mutating func collection(
    _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLCollection {
    switch expression.node {
    case .keyPath(let start, let path):
      guard let keys = path.keys else { break }
      return try collection(
        keys[...], from: row(start, expression: expression, scope: scope), expression)
    case .subquery(let all, let variable, let predicate):
      var result = try collection(all, scope)
      var inner = scope
      inner.variables[variable] = result.element
      let condition = try condition(predicate, inner)
      result.condition = [result.condition, condition].compactMap { $0 }.joined(by: " AND ")
      return result
    default: break
    }
    throw UntranslatablePredicate(expression, "it isn't a stored to-many relationship")
  }

  // MARK: Collection operators

  /// A collection operator as a scalar subquery.
  mutating func aggregate(
    _ function: CollectionOperator, of expression: Expression, keys: [String],
    whole: Expression, scope: SQLScope
  ) throws -> SQLOperand {
    let collection = try collection(expression, scope)
    let result = try result(of: function, collection: collection, keys: keys, whole: whole)
    let select: SQLFragment = "(SELECT \(result.fragment) \(collection.selection(where: nil)))"
    guard let owner = collection.optionalOwner else { return SQLOperand(select, result.kind) }
    return SQLOperand("CASE WHEN \(owner) IS NULL THEN NULL ELSE \(select) END", result.kind)
  }

  private mutating func result(
    of function: CollectionOperator, collection: SQLCollection, keys: [String],
    whole: Expression
  ) throws -> SQLOperand {
    if function == .count { return SQLOperand("COUNT(*)", .integer) }
    let row = collection.element
    let value = try scalar(keys[...], from: row.key, row: row, expression: whole)
    let column = value.fragment
    switch function {
    case .min where value.kind.isOrdered: return SQLOperand("MIN(\(column))", value.kind)
    case .max where value.kind.isOrdered: return SQLOperand("MAX(\(column))", value.kind)
    // Of integers only: sums of Doubles depend on the order in which they are added up.
    case .sum where value.kind == .integer:
      return SQLOperand(Self.sum(value), value.isSmall ? .integer : .integerOrDouble)
    case .avg where value.kind == .integer:
      // Memory counts nil as 0, which SQL leaves out.
      let count: SQLFragment = logic == .threeValued ? "COUNT(\(column))" : "COUNT(*)"
      return SQLOperand("\(Self.sum(value)) * 1.0 / \(count)", .double)
    default:
      throw UntranslatablePredicate(
        whole, "@\(function.rawValue) of these values is evaluated in memory only")
    }
  }

  /// The sum of integers; SQLite fails for one that takes more than 64 bits, where memory goes on with
  /// a Double. So the halves are added up apart, as ``IntegerSum`` does.
  private static func sum(_ value: SQLOperand) -> SQLFragment {
    let column = value.fragment
    if value.isSmall { return "COALESCE(SUM(\(column)), 0)" }
    let low: SQLFragment = "SUM(\(column) & 4294967295)"
    return """
      COALESCE((SUM(\(column) >> 32) + (\(low) >> 32)) * 4294967296 + (\(low) & 4294967295), 0)
      """
  }
}
