extension FormatParser {
  /// A name and its arguments in parentheses.
  mutating func call() throws -> Expression {
    switch current {
    case .keyword(.subquery): try parenthesizedArguments { try $0.subquery() }
    case .keyword(.cast): try parenthesizedArguments { try $0.cast() }
    case .keyword(.fetch): try parenthesizedArguments { try $0.fetch() }
    case .identifier(let name): try call(of: name)
    case .selector(let name): try functionCall(name)
    default: throw expected("a function")
    }
  }

  private mutating func call(of name: String) throws -> Expression {
    switch name.uppercased() {
    case "TERNARY": try parenthesizedArguments { try $0.conditional() }
    case "FUNCTION": try parenthesizedArguments { try $0.methodCall() }
    default: try functionCall(name)
    }
  }

  private mutating func parenthesizedArguments(
    _ arguments: (inout FormatParser) throws -> Expression
  ) throws -> Expression {
    advance()
    try expect(.leftParenthesis)
    let result = try arguments(&self)
    try expect(.rightParenthesis)
    return result
  }

  private mutating func functionCall(_ name: String) throws -> Expression {
    let start = here
    advance()
    try expect(.leftParenthesis)
    let arguments = skip(.rightParenthesis) ? [] : try list(until: .rightParenthesis)
    do {
      return Expression(try Expression.Node(functionNamed: name, arguments))
    } catch let error as PredicateEvaluationError {
      throw problem(error.reason, at: start)
    }
  }

  // MARK: Forms with arguments of their own

  private mutating func subquery() throws -> Expression {
    let collection = try expression()
    try expect(.comma)
    guard case .variable(let name) = current else { throw expected("a variable such as $x") }
    advance()
    try expect(.comma)
    let predicate = try predicate()
    return Expression(.subquery(collection: collection, variable: name, predicate))
  }

  private mutating func cast() throws -> Expression {
    let operand = try expression()
    try expect(.comma)
    guard case .text(let type) = current else { throw expected("a type's name in quotes") }
    advance()
    return Expression(.casting(operand, to: type))
  }

  private mutating func fetch() throws -> Expression {
    let request = try expression()
    try expect(.comma)
    let context = try expression()
    try expect(.comma)
    let isCount: Bool
    switch current {
    case .keyword(.yes), .keyword(.true), .integer(1): isCount = true
    case .keyword(.no), .keyword(.false), .integer(0): isCount = false
    default: throw expected("YES or NO")
    }
    advance()
    return Expression(.fetch(request: request, context: context, countOnly: isCount))
  }

  private mutating func conditional() throws -> Expression {
    let condition = try predicate()
    try expect(.comma)
    let yes = try expression()
    try expect(.comma)
    return Expression(.conditional(condition, yes, try expression()))
  }

  private mutating func methodCall() throws -> Expression {
    let target = try expression()
    try expect(.comma)
    guard let selector = selectorText else { throw expected("a selector in quotes") }
    let start = here
    advance()
    var arguments: [Expression] = []
    while skip(.comma) { arguments.append(try expression()) }
    let count = selector.count(where: { $0 == ":" })
    guard count == arguments.count else {
      throw problem(
        "the selector \(selector) takes \(count) arguments, \(arguments.count) are given",
        at: start)
    }
    return Expression(forFunction: target, selectorName: selector, arguments: arguments)
  }

  private var selectorText: String? {
    switch current {
    case .text(let text), .argument(.string(let text)): text
    default: nil
    }
  }
}
