extension Expression {
  /// The expression as text in the format language; parses to an equal expression unless it holds
  /// constants that have no text (objects, transformable values).
  public var expressionFormat: String {
    switch node {
    case .constant(let value): return FormatConstant.text(of: value)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(nil, let path): return path.format
    case .keyPath(let operand?, let path): return "\(operand.postfixOperand).\(path.format)"
    case .function(let function, let arguments): return Self.format(function, arguments)
    case .call(let target, let selector, let arguments):
      // Core Data: observed in public tests: a blank before each comma from the second on.
      let head = "FUNCTION(\(target.expressionFormat), \(FormatConstant.quoted(selector))"
      return head + arguments.map { " , \($0.expressionFormat)" }.joined() + ")"
    case .aggregate(let elements): return "{" + Self.list(elements) + "}"
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(collection.expressionFormat), $\(variable), \(predicate.predicateFormat))"
    case .fetch(let request, let context, let countOnly):
      let flag = countOnly ? "YES" : "NO"
      return "FETCH(\(request.expressionFormat), \(context.expressionFormat), \(flag))"
    case .conditional(let predicate, let yes, let no):
      let values = "\(yes.expressionFormat), \(no.expressionFormat)"
      return "TERNARY(\(predicate.predicateFormat), \(values))"
    case .cast(let operand, let type):
      return "CAST(\(operand.expressionFormat), \(FormatConstant.quoted(type)))"
    case .index(let collection, let index): return "\(collection.indexOperand)[\(index.format)]"
    case .assignment(let name, let value): return "$\(name) := \(value.expressionFormat)"
    case .setOperation(let operation, let left, let right):
      return "\(left.operand(of: 0)) \(operation.rawValue) \(right.operand(of: 1))"
    case .anyKey: return "ANYKEY"
    case .block(_, let arguments): return "BLOCK(\(Self.list(arguments)))"
    }
  }

  private static func list(_ expressions: [Expression]) -> String {
    expressions.map(\.expressionFormat).joined(separator: ", ")
  }

  private static func format(
    _ function: PredefinedFunction, _ arguments: [Expression]
  ) -> String {
    guard let infix = function.infix, arguments.count == 2 else {
      return "\(function.name)(\(list(arguments)))"
    }
    let left = arguments[0].operand(of: max(infix.precedence, 1))
    let right = arguments[1].operand(of: infix.precedence + 1)
    let text = "\(left) \(infix.symbol) \(right)"
    return infix.precedence == 0 ? "(\(text))" : text
  }

  /// The text as an operand of an infix operator: in parentheses when it binds more loosely.
  private func operand(of precedence: Int) -> String {
    switch node {
    case .function(let function, let arguments) where arguments.count == 2:
      guard let infix = function.infix, infix.precedence > 0 else { return expressionFormat }
      return infix.precedence < precedence ? "(\(expressionFormat))" : expressionFormat
    case .assignment: return "(\(expressionFormat))"
    case .setOperation: return precedence > 0 ? "(\(expressionFormat))" : expressionFormat
    default: return expressionFormat
    }
  }

  /// The text with a key or an index to follow.
  private var postfixOperand: String {
    needsParenthesesBeforeKey ? "(\(expressionFormat))" : expressionFormat
  }

  /// The text with an index to follow, which would belong to the last of several keys alone.
  private var indexOperand: String {
    if case .keyPath(let operand, let path) = node, operand != nil || path.components.count > 1 {
      return "(\(expressionFormat))"
    }
    return postfixOperand
  }

  private var needsParenthesesBeforeKey: Bool {
    switch node {
    case .function(let function, let arguments):
      function.infix.map { $0.precedence > 0 && arguments.count == 2 } ?? false
    case .keyPath(_, let path): path.keys == nil
    case .assignment, .setOperation, .constant(.integer), .constant(.double): true
    default: false
    }
  }
}

extension Expression.CollectionIndex {
  var format: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .element(let index): index.expressionFormat
    }
  }
}

extension PropertyPath {
  /// The path as the format language writes it, with `#` before reserved words.
  fileprivate var format: String { components.map(\.format).joined(separator: ".") }
}

extension PropertyPath.Component {
  var format: String {
    guard case .key(let key) = self else { return text }
    guard Lexer.isIdentifier(key) else {
      // Core Data: observed in a public library: a path that begins with a variable's name is printed as it is.
      let isVariable = key.hasPrefix("$") && Lexer.isIdentifier(String(key.dropFirst()))
      return isVariable ? key : "#" + FormatConstant.quoted(key)
    }
    return Keyword(rawValue: key.uppercased()) == nil ? key : "#" + key
  }
}
