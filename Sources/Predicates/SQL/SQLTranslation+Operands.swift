// Scalars: columns, through to-one relationships too, constants, counts and simple arithmetic.

extension SQLTranslation {
  /// The expression as a scalar.
  mutating func operand(_ expression: Expression, _ scope: SQLScope) throws -> SQLOperand {
    switch expression.node {
    case .evaluatedObject: return object(scope.object)
    case .variable(let name):
      if let row = scope.variables[name] { return object(row) }
      throw UntranslatablePredicate(expression, "the variable has no value")
    case .keyPath(let start, let path):
      return try operand(start, path: path, expression: expression, scope: scope)
    case .index(let collection, .size):
      return try aggregate(.count, of: collection, keys: [], whole: expression, scope: scope)
    case .function(let function, let arguments) where !expression.isClosed:
      return try call(function, arguments: arguments, expression: expression, scope: scope)
    case .conditional(let condition, let yes, let no) where !expression.isClosed:
      return try choice(condition, yes: yes, no: no, expression: expression, scope: scope)
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
    _ start: Expression?, path: PropertyPath, expression: Expression, scope: SQLScope
  ) throws -> SQLOperand {
    if let keys = path.keys {
      let row = try row(start, expression: expression, scope: scope)
      return try scalar(keys[...], from: row.key, row: row, expression: expression)
    }
    guard case .collectionOperator(let function)? = path.components.first(where: \.isOperator),
      let position = path.components.firstIndex(where: \.isOperator),
      let rest = PropertyPath(Array(path.components[(position + 1)...])).keys
    else { throw UntranslatablePredicate(expression, "there is no such operator") }
    let collection = Expression.collection(start, path.components[..<position])
    return try aggregate(function, of: collection, keys: rest, whole: expression, scope: scope)
  }

  /// The row that a key path starts from.
  func row(
    _ start: Expression?, expression: Expression, scope: SQLScope
  ) throws -> SQLRow {
    switch start?.node {
    case nil, .evaluatedObject: return scope.object
    case .variable(let name):
      if let row = scope.variables[name] { return row }
      throw UntranslatablePredicate(expression, "the variable $\(name) has no value")
    default:
      throw UntranslatablePredicate(expression, "the key path doesn't start from an object")
    }
  }

  /// The value at `keys`, which lead through to-one relationships only, from the row with `key`.
  mutating func scalar(
    _ keys: ArraySlice<String>, from key: SQLFragment, row: SQLRow, expression: Expression
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
    return try follow(relationship, rest: rest, from: row, expression: expression)
  }

  private mutating func follow(
    _ toOne: RelationshipDescription, rest: ArraySlice<String>, from row: SQLRow,
    expression: Expression
  ) throws -> SQLOperand {
    guard let name = schema.key(of: toOne, in: row.alias, logic),
      let destination = toOne.destinationEntity
    else {
      throw UntranslatablePredicate(expression, "\(toOne.name) isn't stored")
    }
    let key = SQLFragment(sql: name)
    if rest.isEmpty {
      return SQLOperand(key, .object(hierarchy: destination.rootEntity))
    }
    let next = newRow(of: destination)
    let value = try scalar(rest, from: next.key, row: next, expression: expression)
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

// MARK: - Functions

// Functions of scalars, as far as SQLite gives what memory gives.

extension SQLTranslation {
  /// A call of a predefined function with an argument that isn't constant.
  mutating func call(
    _ function: PredefinedFunction, arguments: [Expression], expression: Expression,
    scope: SQLScope
  ) throws -> SQLOperand {
    switch function {
    case .noindex:
      let plain = try operand(arguments[0], scope)
      return SQLOperand("+\(plain.fragment)", plain.kind)
    case .abs: return try magnitude(arguments[0], expression: expression, scope: scope)
    case .uppercase: return try text(arguments[0], SQLTextFunctions.upper, expression, scope)
    case .lowercase: return try text(arguments[0], SQLTextFunctions.lower, expression, scope)
    case .canonical: return try text(arguments[0], SQLTextFunctions.canonical, expression, scope)
    case .add, .subtract, .multiply, .bitwiseAnd, .divide, .modulus:
      return try arithmetic(function, arguments: arguments, expression: expression, scope: scope)
    default:
      throw UntranslatablePredicate(expression, "\(function.name) is evaluated in memory only")
    }
  }

  /// `TERNARY(condition, yes, no)` of values of one kind.
  mutating func choice(
    _ condition: Predicate, yes: Expression, no: Expression, expression: Expression,
    scope: SQLScope
  ) throws -> SQLOperand {
    let holds = try self.condition(condition, scope)
    let (first, second) = (try operand(yes, scope), try operand(no, scope))
    guard let kind = first.kind.joined(with: second.kind) else {
      throw UntranslatablePredicate(expression, "its values are of different types")
    }
    return SQLOperand(
      "CASE WHEN COALESCE(\(holds), 0) THEN \(first.fragment) ELSE \(second.fragment) END", kind)
  }

  // MARK: Text

  private mutating func text(
    _ argument: Expression, _ change: String, _ expression: Expression, _ scope: SQLScope
  ) throws -> SQLOperand {
    let text = try operand(argument, scope)
    guard text.kind == .text else { throw UntranslatablePredicate(expression, "it isn't of text") }
    return SQLOperand(
      "\(raw: SQLTextFunctions.foldName)(\(text.fragment), '\(raw: change)')", .text)
  }

  // MARK: Numbers

  /// SQLite's own `abs` fails for the smallest integer.
  private mutating func magnitude(
    _ argument: Expression, expression: Expression, scope: SQLScope
  ) throws -> SQLOperand {
    let number = try operand(argument, scope)
    let value = number.fragment
    switch number.kind {
    case .integer, .integerOrDouble:
      return SQLOperand(
        "CASE WHEN \(value) < 0 THEN 0 - \(value) ELSE \(value) END",
        number.isSmall ? .integer : .integerOrDouble)
    case .double: return SQLOperand("abs(\(value))", .double)
    default: throw UntranslatablePredicate(expression, "it isn't of integers or Doubles")
    }
  }

  /// Infix operators on integers and Doubles; SQLite computes those as ``Arithmetic`` does, as long
  /// as nothing is divided by zero.
  private mutating func arithmetic(
    _ function: PredefinedFunction, arguments: [Expression], expression: Expression,
    scope: SQLScope
  ) throws -> SQLOperand {
    let symbol = function.infix?.symbol ?? function.name
    let left = try operand(arguments[0], scope)
    let right = try operand(arguments[1], scope)
    let needsIntegers = function == .bitwiseAnd || function == .modulus
    let kinds: Set = [left.kind, right.kind]
    guard kinds.isSubset(of: [.integer, .integerOrDouble, .double]) else {
      throw UntranslatablePredicate(
        expression, "\(symbol) is translated for integers and Doubles only")
    }
    // SQLite would cut off what takes more than 64 bits.
    if needsIntegers, kinds != [.integer] {
      throw UntranslatablePredicate(expression, "\(symbol) is translated for integers only")
    }
    if function == .divide || function == .modulus {
      guard let divisor = right.constant?.doubleValue, divisor != 0 else {
        throw UntranslatablePredicate(expression, "the divisor could be zero")
      }
    }
    return SQLOperand(
      "(\(left.fragment) \(raw: function == .modulus ? "%" : symbol) \(right.fragment))",
      kinds.contains(.double)
        ? .double : needsIntegers || left.isSmall && right.isSmall ? .integer : .integerOrDouble)
  }
}

extension SQLOperand.Kind {
  /// The kind of a value that is of one kind or of the other; nil when there is none.
  fileprivate func joined(with other: Self) -> Self? {
    if self == other || other == .null { return self }
    if self == .null { return other }
    let integers: Set<Self> = [.integer, .integerOrDouble]
    if integers.isSuperset(of: [self, other]) { return .integerOrDouble }
    let numbers = integers.union([.double])
    return numbers.isSuperset(of: [self, other]) ? .double : nil
  }
}

// MARK: - Ranges

extension SQLTranslation {
  /// More elements than this are looked up faster in memory, by hash.
  private static let largestList = 5000

  /// `left IN {…}`, or in a text.
  mutating func isIn(
    _ comparison: ComparisonPredicate, left: SQLOperand, scope: SQLScope
  ) throws -> SQLFragment {
    let container = comparison.rightExpression
    switch container.node {
    case .constant(.collection(let collection)):
      return try isIn(collection.elements, left: left, comparison: comparison)
    case .aggregate(let elements):
      return try equalsAny(of: elements, left: left, comparison: comparison, scope: scope)
    case .setOperation where container.isClosed:
      guard case .collection(let collection) = try container.value(for: .null) else { return "0" }
      return try isIn(collection.elements, left: left, comparison: comparison)
    default:
      let text = try operand(container, scope)
      guard text.kind == .text else {
        throw UntranslatablePredicate(container, "it is neither a list nor text")
      }
      let part = comparison.comparing(container, .contains, comparison.leftExpression)
      return try SQLComparison(
        predicate: part, left: text, right: left, logic: logic
      ).condition()
    }
  }

  /// nil is never in a list, and values of other kinds are never equal.
  func isIn(
    _ elements: [Value], left: SQLOperand, comparison: ComparisonPredicate
  ) throws -> SQLFragment {
    if elements.count > Self.largestList {
      throw UntranslatablePredicate(
        comparison.leftExpression, "more than \(Self.largestList) elements are compared in memory")
    }
    let options = comparison.options
    let parts = try elements.compactMap { element -> SQLFragment? in
      guard let operand = try listed(element, beside: left, comparison) else { return nil }
      return operand.folded(for: options).fragment
    }
    if parts.isEmpty { return "0" }
    return "\(left.folded(for: options).fragment) IN (\(parts.joined(by: ", ")))"
  }

  /// An element that `left` can be equal to; nil for one that it can't.
  private func listed(
    _ element: Value, beside left: SQLOperand, _ comparison: ComparisonPredicate
  ) throws -> SQLOperand? {
    if case .null = element { return nil }
    if case .object(let hierarchy) = left.kind {
      guard case .object(let object) = element else { return nil }
      return key(of: object, hierarchy)
    }
    guard left.kind != .opaque else {
      throw UntranslatablePredicate(comparison.leftExpression, "its values are compared in memory")
    }
    guard let operand = SQLOperand(element), operand.kind.isComparable(with: left.kind) else {
      // A device's SQL has the element in its list, and may convert it.
      if logic == .threeValued {
        throw UntranslatablePredicate(
          comparison, "a list has values of another type", isAboutTypes: true)
      }
      return nil
    }
    return operand
  }

  /// `left IN {low, high}` with key paths in it.
  private mutating func equalsAny(
    of elements: [Expression], left: SQLOperand, comparison: ComparisonPredicate,
    scope: SQLScope
  ) throws -> SQLFragment {
    var parts: [SQLFragment] = []
    for element in elements {
      // nil is in no list; a device's `IN (…, NULL)` finds no row by it either.
      if logic == .threeValued, element.isNullConstant { continue }
      let equality = comparison.comparing(comparison.leftExpression, .equalTo, element)
      parts.append(try condition(equality, left: left, scope: scope))
    }
    if logic == .threeValued { return parts.isEmpty ? "0" : "(\(parts.joined(by: " OR ")))" }
    return "(\(left.fragment) IS NOT NULL AND (\(parts.joinedInGroups(by: " OR "))))"
  }

  /// `left BETWEEN {low, high}`.
  mutating func isBetween(
    _ comparison: ComparisonPredicate, left: SQLOperand, scope: SQLScope
  ) throws -> SQLFragment {
    guard let bounds = comparison.rightExpression.collection, bounds.count == 2 else {
      throw UntranslatablePredicate(comparison.rightExpression, "BETWEEN needs two bounds")
    }
    let types: [ComparisonPredicate.Operator] = [.greaterThanOrEqualTo, .lessThanOrEqualTo]
    var parts: [SQLFragment] = []
    for (bound, type) in zip(bounds, types) {
      let part = comparison.comparing(comparison.leftExpression, type, bound)
      parts.append(try condition(part, left: left, scope: scope))
    }
    return "(\(parts.joined(by: " AND ")))"
  }
}

extension ComparisonPredicate {
  /// A comparison of single values, with the same options.
  func comparing(_ left: Expression, _ type: Operator, _ right: Expression) -> ComparisonPredicate {
    ComparisonPredicate(
      leftExpression: left, rightExpression: right, type: type, options: options)
  }
}

extension Expression {
  fileprivate var isNullConstant: Bool {
    if case .constant(.null) = node { true } else { false }
  }
}
