extension FormatParser {
  /// `$name := value`, or an expression with infix operators.
  mutating func expression() throws -> Expression {
    try nested { parser in
      if case .variable(let name) = parser.current, parser.kind(after: 1) == .sign(.assign) {
        parser.advance(by: 2)
        return Expression(.assignment(name, try parser.expression()))
      }
      return try parser.setOperations()
    }
  }

  /// `a UNION b MINUS c`, from left to right.
  private mutating func setOperations() throws -> Expression {
    var result = try sum()
    while case .identifier(let word) = current, let operation = SetOperation(word: word) {
      try grow()
      advance()
      result = Expression(.setOperation(operation, result, try sum()))
    }
    return result
  }

  private mutating func sum() throws -> Expression {
    try chain(of: 1) { try $0.product() }
  }

  private mutating func product() throws -> Expression {
    try chain(of: 2) { try $0.power() }
  }

  private mutating func power() throws -> Expression {
    try chain(of: 3) { try $0.negative() }
  }

  /// Operands joined from left to right by infix operators of one precedence.
  private mutating func chain(
    of precedence: Int, _ operand: (inout FormatParser) throws -> Expression
  ) throws -> Expression {
    var result = try operand(&self)
    while case .sign(let sign) = current, let function = sign.function(of: precedence) {
      try grow()
      advance()
      result = Expression(.function(function, [result, try operand(&self)]))
    }
    return result
  }

  /// `-5` is a constant; `-x` is `0 - x`.
  private mutating func negative() throws -> Expression {
    guard skip(.minus) else { return try postfix() }
    switch current {
    case .integer(let magnitude):
      advance()
      return try postfix(of: .constant(.integer(Int64(truncatingIfNeeded: 0 &- magnitude))))
    case .double(let magnitude):
      advance()
      return try postfix(of: .constant(.double(-magnitude)))
    default:
      let operand = try nested { try $0.negative() }
      return Expression(.function(.subtract, [.constant(.integer(0)), operand]))
    }
  }

  // MARK: Keys and indexes

  private mutating func postfix() throws -> Expression { try postfix(of: atom()) }

  /// `operand.key[index]…`
  private mutating func postfix(of operand: Expression) throws -> Expression {
    var result = operand
    while true {
      if current == .sign(.dot) {
        try grow()
        result = Expression(.reading(try keyPath(after: result), of: result))
      } else if skip(.leftBracket) {
        try grow()
        result = Expression(.index(result, try index()))
        try expect(.rightBracket)
      } else {
        return result
      }
    }
  }

  /// The keys from a dot on.
  private mutating func keyPath(after operand: Expression) throws -> PropertyPath {
    var components: [PropertyPath.Component] = []
    while skip(.dot) {
      guard let next = keyComponents ?? argumentComponents else {
        throw expected("a key after '\(operand).'")
      }
      advance()
      components += next
    }
    return PropertyPath(components)
  }

  /// The key, or keys of `%K`, that the current token writes.
  private var keyComponents: [PropertyPath.Component]? {
    switch current {
    case .identifier(let key), .escapedKey(let key): [.key(key)]
    case .pathOperator(let name): [PropertyPath.Component("@" + name)]
    case .keyPathArgument(let path): PropertyPath(path).components
    case .keyword(.self): [.key("self")]
    default: nil
    }
  }

  /// The keys of `%@` behind a dot, as in `$source.%@`.
  private var argumentComponents: [PropertyPath.Component]? {
    guard case .argument(.string(let path)) = current else { return nil }
    return PropertyPath(path).components
  }

  private mutating func index() throws -> Expression.CollectionIndex {
    if skip(.first) { return .first }
    if skip(.last) { return .last }
    if skip(.size) { return .size }
    return .element(try expression())
  }

  // MARK: Atoms

  private mutating func atom() throws -> Expression {
    if let constant = literal {
      advance()
      return .constant(constant)
    }
    switch current {
    case .variable(let name):
      advance()
      return Expression(.variable(name))
    case .keyword(.self):
      advance()
      return .expressionForEvaluatedObject()
    case .keyword(.anyKey):
      advance()
      return .expressionForAnyKey()
    case .sign(.leftBrace): return try aggregate()
    case .sign(.leftParenthesis): return try parenthesized()
    case .keyword(.subquery), .keyword(.cast), .keyword(.fetch), .selector: return try call()
    case .identifier where kind(after: 1) == .sign(.leftParenthesis): return try call()
    case .identifier, .escapedKey, .keyPathArgument, .pathOperator: return try key()
    default: throw expected("a value")
    }
  }

  /// The constant that the current token writes.
  private var literal: Value? {
    switch current {
    case .text(let text): .string(text)
    case .integer(let number): Int64(exactly: number).map { .integer($0) }
    case .double(let number): .double(number)
    case .argument(let value): value
    case .keyword(let word): word.constant
    default: nil
    }
  }

  /// A key path from the evaluated object.
  private mutating func key() throws -> Expression {
    guard let first = keyComponents else { throw expected("a key") }
    advance()
    let rest = try keyPath(after: Expression(.keyPath(operand: nil, PropertyPath(first))))
    return Expression(.keyPath(operand: nil, PropertyPath(first + rest.components)))
  }

  private mutating func aggregate() throws -> Expression {
    try expect(.leftBrace)
    if skip(.rightBrace) { return Expression(.aggregating([])) }
    let elements = try list(until: .rightBrace)
    return Expression(.aggregating(elements))
  }

  /// Expressions with commas between them, and the sign that ends them.
  mutating func list(until end: Sign) throws -> [Expression] {
    var elements = [try expression()]
    while skip(.comma) { elements.append(try expression()) }
    if !skip(end) { throw expected("',' or '\(end.rawValue)'") }
    return elements
  }

  /// `(a + b)`, or `(a & b)`, which needs its parentheses.
  private mutating func parenthesized() throws -> Expression {
    try expect(.leftParenthesis)
    var result = try expression()
    while skip(.ampersand) {
      try grow()
      result = Expression(.function(.bitwiseAnd, [result, try expression()]))
    }
    try expect(.rightParenthesis)
    return result
  }
}
