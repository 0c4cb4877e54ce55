extension ArchiveBuilder {
  /// Foundation's numbers for the forms of expressions.
  private enum Kind: Int64 {
    case constant = 0
    case evaluatedObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case union = 5
    case intersect = 6
    case minus = 7
    case keyPathSpecifier = 10
    case subquery = 13
    case aggregate = 14
    case anyKey = 15
    case conditional = 20
  }

  func add(_ expression: Expression) -> Reference? {
    switch expression.node {
    case .constant(let value): return add(constant: value)
    case .evaluatedObject: return add("NSSelfExpression", kind: .evaluatedObject, fields: [])
    case .variable(let name):
      return add(
        "NSVariableExpression", kind: .variable, fields: [("NSVariable", writer.add(name))])
    case .keyPath(let operand, let path): return add(path, of: operand)
    case .function(let function, let arguments): return add(function.rawValue, arguments)
    case .call(let target, let selector, let arguments):
      return add(target).flatMap { add(selector, arguments, of: $0) }
    case .cast(let operand, let type):
      return add("castObject:toType:", [operand, Expression(.constant(.string(type)))])
    case .aggregate(let elements):
      return all(elements.map(add)).flatMap { parts in
        add(
          "NSAggregateExpression", kind: .aggregate,
          fields: [("NSCollection", writer.add(array: parts))])
      }
    case .anyKey: return add("NSAnyKeyExpression", kind: .anyKey, fields: [])
    default: return addWithPredicate(expression)
    }
  }

  private func addWithPredicate(_ expression: Expression) -> Reference? {
    switch expression.node {
    case .conditional(let condition, let yes, let no):
      guard let condition = add(condition), let yes = add(yes), let no = add(no) else { return nil }
      return add(
        "NSTernaryExpression", kind: .conditional,
        fields: [("NSPredicate", condition), ("NSTrueExpression", yes), ("NSFalseExpression", no)])
    case .subquery(let collection, let variable, let condition):
      guard let collection = add(collection), let condition = add(condition) else { return nil }
      return add(
        "NSSubqueryExpression", kind: .subquery,
        fields: [
          ("NSExpression", collection), ("NSVariable", writer.add(variable)),
          ("NSPredicate", condition),
        ])
    case .setOperation(let operation, let left, let right):
      guard let left = add(left), let right = add(right) else { return nil }
      return add(
        "NSSetExpression", kind: Self.kind(of: operation),
        fields: [("NSLeftExpression", left), ("NSRightExpression", right)])
    // Fetches, indexes, assignments and code.
    default: return nil
    }
  }

  private static func kind(of operation: SetOperation) -> Kind {
    switch operation {
    case .union: .union
    case .intersect: .intersect
    case .minus: .minus
    }
  }

  private func add(
    _ className: String, kind: Kind, fields: [(String, Reference)]
  ) -> Reference {
    let reference = writer.reserve()
    writer.define(
      reference, as: [className, "NSExpression"],
      fields: [("NSExpressionType", .integer(kind.rawValue))]
        + fields.map { ($0.0, .reference($0.1)) })
    return reference
  }

  /// A call of a predefined function: a method of a class of Foundation's.
  private func add(_ selector: String, _ arguments: [Expression]) -> Reference? {
    let functions = writer.add(
      "NSConstantValueExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(Kind.constant.rawValue),
        "NSConstantValueClassName": .reference(writer.add("_NSPredicateUtilities")),
        "NSConstantValue": .reference(.null),
      ])
    return add(selector, arguments, of: functions)
  }

  private func add(
    _ selector: String, _ arguments: [Expression], of operand: Reference
  ) -> Reference? {
    all(arguments.map(add)).map { arguments in
      add(
        "NSFunctionExpression", kind: .function,
        fields: [
          ("NSOperand", operand), ("NSSelectorName", writer.add(selector)),
          ("NSArguments", writer.add(array: arguments, mutable: true)),
        ])
    }
  }

  private func add(_ path: PropertyPath, of operand: Expression?) -> Reference? {
    let target = operand.map(add) ?? add("NSSelfExpression", kind: .evaluatedObject, fields: [])
    let specifier = add(
      "NSKeyPathSpecifierExpression", kind: .keyPathSpecifier,
      fields: [("NSKeyPath", writer.add(path.text))])
    let selector = path.components.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    return target.map { target in
      add(
        "NSKeyPathExpression", kind: operand == nil ? .keyPath : .function,
        fields: [
          ("NSOperand", target), ("NSSelectorName", writer.add(selector)),
          ("NSArguments", writer.add(array: [specifier], mutable: true)),
        ])
    }
  }

  private func add(constant value: Value) -> Reference? {
    guard let archived = archived(value) else { return nil }
    return add(
      "NSConstantValueExpression", kind: .constant, fields: [("NSConstantValue", archived)])
  }

  /// - Returns: Nil for objects and values of an app's own classes.
  private func archived(_ value: Value) -> Reference? {
    switch value {
    case .collection(let collection):
      return all(collection.elements.map(archived)).map { writer.add(array: $0) }
    case .object, .transformable: return nil
    default: return writer.add(value: value)
    }
  }
}
