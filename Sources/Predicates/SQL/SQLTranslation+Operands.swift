// Scalars: columns, through to-one relationships too, constants, counts and simple arithmetic.

extension SQLTranslation {
  /// The expression as a scalar.
  mutating func operand(_ expression: Expression, _ scope: SQLScope) throws -> SQLOperand {
    switch expression.node {
    case .evaluatedObject: return object(scope.object)
    case .variable(let name):
      if let row = scope.variables[name] { return object(row) }
      throw UntranslatablePredicate(expression, "the variable stands for nothing")
    case .keyPath(let start, let path): return try operand(start, path, expression, scope)
    case .index(let collection, .size):
      return try aggregate(.count, of: collection, [], expression, scope)
    case .function(let function, let arguments) where !expression.isClosed:
      return try call(function, arguments, expression, scope)
    case .conditional(let condition, let yes, let no) where !expression.isClosed:
      return try choice(condition, yes, no, expression, scope)
    default: return try constant(expression, scope)
    }
  }

  private func object(_ row: SQLRow) -> SQLOperand {
    SQLOperand(row.key, .object(hierarchy: row.entity.rootEntity))
  }

  // MARK: Constants

  /// An expression that means the same for all objects.
  private func constant(_ expression: Expression, _ scope: SQLScope) throws -> SQLOperand {
    // In memory the error is met again, and told.
    guard expression.isClosed, let value = try? expression.value(for: .null) else {
      throw UntranslatablePredicate(expression, "it is evaluated in memory only")
    }
    if let operand = SQLOperand(value) { return operand }
    if case .object(let object) = value, object is any IdentifiedObject {
      // Which key that is depends on the other side; see `resolved(_:beside:)`.
      return SQLOperand("\(raw: Self.keyOfNothing)", .opaque, constant: value)
    }
    throw UntranslatablePredicate(expression, "the constant has no counterpart in a store")
  }

  /// A key that no row has.
  private static let keyOfNothing = "-1"

  /// The operand; a constant object as the key it has in the other side's hierarchy.
  func resolved(_ operand: SQLOperand, beside other: SQLOperand) -> SQLOperand {
    guard case .object(let hierarchy) = other.kind, case .object(let object)? = operand.constant
    else { return operand }
    return key(of: object, hierarchy)
  }

  /// The key of a constant object.
  func key(of object: AnyObject, _ hierarchy: EntityDescription) -> SQLOperand {
    let key = schema.primaryKey(of: object, in: hierarchy).map(String.init) ?? Self.keyOfNothing
    return SQLOperand("\(raw: key)", .object(hierarchy: hierarchy))
  }

  // MARK: Key paths

  /// A key path with its start; `expression` is all of it, for messages.
  private mutating func operand(
    _ start: Expression?, _ path: PropertyPath, _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLOperand {
    if let keys = path.keys {
      let row = try row(start, expression, scope)
      return try scalar(keys[...], from: row.key, row, expression)
    }
    guard case .collectionOperator(let function)? = path.components.first(where: \.isOperator),
      let position = path.components.firstIndex(where: \.isOperator),
      let rest = PropertyPath(Array(path.components[(position + 1)...])).keys
    else { throw UntranslatablePredicate(expression, "there is no such operator") }
    let collection = Expression.collection(start, path.components[..<position])
    return try aggregate(function, of: collection, rest, expression, scope)
  }

  /// The row that a key path starts from.
  func row(
    _ start: Expression?, _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLRow {
    switch start?.node {
    case nil, .evaluatedObject: return scope.object
    case .variable(let name):
      if let row = scope.variables[name] { return row }
      throw UntranslatablePredicate(expression, "the variable $\(name) stands for nothing")
    default:
      throw UntranslatablePredicate(expression, "the key path doesn't start from an object")
    }
  }

  /// The value at `keys`, which lead through to-one relationships only, from the row with `key`.
  mutating func scalar(
    _ keys: ArraySlice<String>, from key: SQLFragment, _ row: SQLRow, _ expression: Expression
  ) throws -> SQLOperand {
    guard let name = keys.first else { return object(row) }
    let property = try property(name, of: row.entity, expression)
    let rest = keys.dropFirst()
    if let attribute = property as? AttributeDescription {
      guard let element = attribute.element(at: rest) else {
        throw UntranslatablePredicate(
          expression,
          "keypath \(keys.joined(separator: ".")) not found in entity \(row.entity.name)")
      }
      return try column(element, of: row, expression)
    }
    guard let relationship = property as? RelationshipDescription else {
      throw UntranslatablePredicate(expression, "\(name) isn't stored")
    }
    if relationship.isToMany {
      throw UntranslatablePredicate(expression, "to-many key not allowed here")
    }
    return try follow(relationship, rest, from: row, expression)
  }

  private mutating func follow(
    _ toOne: RelationshipDescription, _ rest: ArraySlice<String>, from row: SQLRow,
    _ expression: Expression
  ) throws -> SQLOperand {
    guard let column = schema.keyColumn(of: toOne), let destination = toOne.destinationEntity else {
      throw UntranslatablePredicate(expression, "\(toOne.name) isn't stored")
    }
    let key = SQLFragment(sql: "\(row.alias).\(column)")
    if rest.isEmpty {
      return SQLOperand(key, .object(hierarchy: destination.rootEntity))
    }
    let next = newRow(of: destination)
    let value = try scalar(rest, from: next.key, next, expression)
    let table = schema.table(of: destination)
    let fragment: SQLFragment = """
      (SELECT \(value.fragment) FROM \(raw: table) AS \(raw: next.alias) WHERE \(next.key) = \(key))
      """
    return SQLOperand(fragment, value.kind)
  }

  private func column(
    _ attribute: AttributeDescription, of row: SQLRow, _ expression: Expression
  ) throws -> SQLOperand {
    guard let column = schema.column(of: attribute),
      let kind = SQLOperand.Kind(attribute.attributeType)
    else { throw UntranslatablePredicate(expression, "\(attribute.name) isn't stored") }
    let isSmall = kind == .integer && attribute.attributeType != .integer64
    return SQLOperand(SQLFragment(sql: "\(row.alias).\(column)"), kind, isSmall: isSmall)
  }

  func property(
    _ name: String, of entity: EntityDescription, _ expression: Expression
  ) throws -> PropertyDescription {
    guard let property = entity.property(named: name) else {
      throw UntranslatablePredicate(
        expression, "keypath \(name) not found in entity \(entity.name)")
    }
    return property
  }
}

extension PropertyPath.Component {
  fileprivate var isOperator: Bool {
    if case .key = self { false } else { true }
  }
}

extension Expression {
  /// The collection that an operator in a key path is applied to.
  fileprivate static func collection(
    _ start: Expression?, _ components: ArraySlice<PropertyPath.Component>
  ) -> Expression {
    if components.isEmpty, let start { return start }
    return Expression(.keyPath(operand: start, PropertyPath(Array(components))))
  }

  /// Whether the value is the same for all objects and at all times, and known without calling
  /// anybody's code.
  var isClosed: Bool {
    switch node {
    case .constant: true
    case .function(.random, _), .function(.randomn, _): false
    case .function(_, let arguments), .aggregate(let arguments): arguments.allSatisfy(\.isClosed)
    case .cast(let operand, _), .index(let operand, .first), .index(let operand, .last),
      .index(let operand, .size):
      operand.isClosed
    case .index(let collection, .element(let index)): collection.isClosed && index.isClosed
    case .setOperation(_, let left, let right): left.isClosed && right.isClosed
    default: false
    }
  }
}
