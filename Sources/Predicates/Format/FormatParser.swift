/// Parses the format language by recursive descent.
///
/// A parenthesis can open a predicate or an expression; the token after its counterpart tells
/// which, so nothing is ever parsed twice.
struct FormatParser {
  let format: String
  private let tokens: [Token]
  private var position = 0
  /// For each opening parenthesis the position of the closing one.
  private let closing: [Int: Int]
  private var depth = 0
  /// At least as many levels as what was parsed in this nesting has.
  private var height = 0
  /// Deeper nesting is refused: it would exhaust the stack.
  static let maximumDepth = 200

  init(_ format: String, arguments: [Any?]) throws {
    self.init(format, tokens: try Lexer.tokens(of: format, arguments: arguments))
  }

  init(_ format: String, tokens: [Token]) {
    self.format = format
    self.tokens = tokens
    closing = Self.pairs(in: tokens)
  }

  /// The whole text as a predicate.
  mutating func wholePredicate() throws -> Predicate {
    let predicate = try predicate()
    try expectEnd(after: "a predicate")
    return predicate
  }

  /// The whole text as an expression.
  mutating func wholeExpression() throws -> Expression {
    let expression = try expression()
    try expectEnd(after: "an expression")
    return expression
  }

  private func expectEnd(after thing: String) throws {
    if current != .end { throw expected("the end of the text after \(thing)") }
  }

  // MARK: Tokens

  var current: Token.Kind { tokens[position].kind }

  func kind(after count: Int) -> Token.Kind {
    position + count < tokens.count ? tokens[position + count].kind : .end
  }

  mutating func advance(by count: Int = 1) {
    position = min(position + count, tokens.count - 1)
  }

  /// Whether the sign is here; steps over it.
  mutating func skip(_ sign: Sign) -> Bool {
    guard current == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func skip(_ keyword: Keyword) -> Bool {
    guard current == .keyword(keyword) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: Sign) throws {
    if !skip(sign) { throw expected("'\(sign.rawValue)'") }
  }

  /// - Parameter orKey: Whether a key could stand here.
  func expected(_ thing: String, orKey: Bool = false) -> PredicateFormatError {
    problem("expected \(thing), found \(current.shown)\(orKey ? hintForKey : "")")
  }

  /// How to write a key that is a word of the language, where it could be meant as one.
  private var hintForKey: String {
    guard case .keyword(let word) = current, word.couldBeKey else { return "" }
    return
      ", a word of the format language; a key of this name is written #\(word.rawValue.lowercased())"
  }

  func problem(_ text: String) -> PredicateFormatError {
    PredicateFormatError(format: format, column: tokens[position].column, problem: text)
  }

  /// An error at a token read before.
  func problem(_ text: String, at token: Int) -> PredicateFormatError {
    PredicateFormatError(format: format, column: tokens[token].column, problem: text)
  }

  var here: Int { position }

  /// Runs `body` one level deeper.
  mutating func nested<Result>(_ body: (inout FormatParser) throws -> Result) throws -> Result {
    guard depth < Self.maximumDepth else {
      throw problem("nested more than \(Self.maximumDepth) levels deep")
    }
    let outside = height
    depth += 1
    height = 0
    defer {
      depth -= 1
      height = max(outside, height + 1)
    }
    return try body(&self)
  }

  /// To be called for what is put on top of what was parsed so far, as each operator of `a + b + c` is: that
  /// nests as parentheses do.
  mutating func grow() throws {
    height += 1
    guard height <= Self.maximumDepth else {
      throw problem("more than \(Self.maximumDepth) operators, keys or indexes in a row")
    }
  }

  // MARK: Parentheses

  /// Whether the parenthesis here encloses an expression: something follows it that goes on with
  /// an expression.
  var opensExpression: Bool {
    guard let end = closing[position] else { return false }
    switch tokens[end + 1].kind {
    case .keyword(let word): return word.comparison != nil
    case .sign(let sign): return sign.comparison != nil || Self.continuing.contains(sign)
    case .identifier(let word): return SetOperation(word: word) != nil
    default: return false
    }
  }

  private static let continuing: Set<Sign> = [
    .plus, .minus, .times, .divide, .power, .ampersand, .pipe, .caret, .shiftLeft, .shiftRight,
    .dot, .leftBracket,
  ]

  private static func pairs(in tokens: [Token]) -> [Int: Int] {
    var open: [Int] = []
    var pairs: [Int: Int] = [:]
    for (index, token) in tokens.enumerated() {
      if token.kind == .sign(.leftParenthesis) { open.append(index) }
      if token.kind == .sign(.rightParenthesis), let start = open.popLast() { pairs[start] = index }
    }
    return pairs
  }
}

// MARK: - Predicates

extension FormatParser {
  /// `a OR b OR c`.
  mutating func predicate() throws -> Predicate {
    try nested { parser in
      try parser.joined(by: .or, sign: .or, type: .or) {
        try $0.joined(by: .and, sign: .and, type: .and) { try $0.negation() }
      }
    }
  }

  /// One part, or several with a conjunction between them.
  /// Core Data: observed in public tests: `(a AND b) AND c` has three parts.
  private mutating func joined(
    by keyword: Keyword, sign: Sign, type: CompoundPredicate.LogicalType,
    part: (inout FormatParser) throws -> Predicate
  ) throws -> Predicate {
    var parts = [try part(&self)]
    while skip(keyword) || skip(sign) { parts.append(try part(&self)) }
    if parts.count == 1 { return parts[0] }
    let all = parts.flatMap { part in
      guard let compound = part as? CompoundPredicate, compound.compoundPredicateType == type
      else { return [part] }
      return compound.subpredicates
    }
    return CompoundPredicate(type: type, subpredicates: all)
  }

  private mutating func negation() throws -> Predicate {
    guard skip(Keyword.not) || skip(Sign.not) else { return try primary() }
    return try nested { CompoundPredicate(notPredicateWithSubpredicate: try $0.negation()) }
  }

  private mutating func primary() throws -> Predicate {
    if skip(.truePredicate) { return Predicate(value: true) }
    if skip(.falsePredicate) { return Predicate(value: false) }
    guard current == .sign(.leftParenthesis), !opensExpression else { return try comparison() }
    advance()
    let predicate = try predicate()
    try expect(.rightParenthesis)
    return predicate
  }

  // MARK: Comparisons

  private mutating func comparison() throws -> Predicate {
    let quantifier = quantifier()
    let left = try expression()
    if case .selector(let selector) = current, quantifier == nil,
      selector.firstIndex(of: ":") == selector.indices.last
    {
      advance()
      return ComparisonPredicate(
        leftExpression: left, rightExpression: try expression(), customSelector: selector)
    }
    guard let type = comparisonOperator else {
      throw expected("a comparison operator after \(left)")
    }
    advance()
    let options = try options()
    let right = try expression()
    let comparison = ComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: quantifier?.modifier ?? .direct,
      type: type, options: options)
    guard quantifier?.isNegated == true else { return comparison }
    return CompoundPredicate(notPredicateWithSubpredicate: comparison)
  }

  private typealias Quantifier = (modifier: ComparisonPredicate.Modifier, isNegated: Bool)

  private mutating func quantifier() -> Quantifier? {
    if skip(.any) || skip(.some) { return (.any, false) }
    if skip(.all) { return (.all, false) }
    if skip(.none) { return (.any, true) }
    return nil
  }

  private var comparisonOperator: ComparisonPredicate.Operator? {
    switch current {
    case .keyword(let word): word.comparison
    case .sign(let sign): sign.comparison
    default: nil
    }
  }

  /// `[cd]` after an operator.
  private mutating func options() throws -> ComparisonOptions {
    guard skip(.leftBracket) else { return [] }
    guard case .identifier(let letters) = current,
      let options = ComparisonOptions(letters: letters)
    else { throw expected("options among c, d, n and l") }
    advance()
    try expect(.rightBracket)
    return options
  }
}

// MARK: - Expressions

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
    var result = try infix()
    while case .identifier(let word) = current, let operation = SetOperation(word: word) {
      try grow()
      advance()
      result = Expression(.setOperation(operation, result, try infix()))
    }
    return result
  }

  /// Operands joined from left to right by infix operators of one precedence, and what binds more tightly:
  /// `flags & 4`, `a | b`, `a ^ b`; `1 << n`; sums; products; powers.
  // Core Data: operators of bits are observed in public tests, in parentheses; without them it is assumed, as are the
  // shifts.
  private mutating func infix(of precedence: Int = -1) throws -> Expression {
    if precedence > 3 { return try negative() }
    var result = try infix(of: precedence + 1)
    while case .sign(let sign) = current, let function = sign.function(of: precedence) {
      try grow()
      advance()
      result = Expression(.function(function, [result, try infix(of: precedence + 1)]))
    }
    return result
  }

  /// `-5` is a constant; `-x` is `0 - x`, and `~x` a function.
  private mutating func negative() throws -> Expression {
    if skip(.tilde) {
      return Expression(.function(.onesComplement, [try nested { try $0.negative() }]))
    }
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

  private mutating func postfix() throws -> Expression {
    let isGroup = current == .sign(.leftParenthesis)
    let operand = try atom()
    guard !isGroup, case .keyPath(_, let path) = operand.node else {
      return try postfix(of: operand)
    }
    return try postfix(of: operand, endsWithDottedKey: path.components.count > 1)
  }

  /// `operand.key[index]…`
  private mutating func postfix(
    of operand: Expression, endsWithDottedKey: Bool = false
  ) throws -> Expression {
    var result = operand
    var endsWithDottedKey = endsWithDottedKey
    while true {
      if current == .sign(.dot), case .variable(let name) = kind(after: 1) {
        try grow()
        advance(by: 2)
        // Core Data: observed in public tests: a variable may stand for a key.
        result = Expression(
          .call(target: result, selector: "valueForKeyPath:", [Expression(.variable(name))]))
        endsWithDottedKey = true
      } else if current == .sign(.dot) {
        try grow()
        result = Expression(.reading(try keyPath(after: result), of: result))
        endsWithDottedKey = true
      } else if skip(.leftBracket) {
        try grow()
        let index = try index()
        try expect(.rightBracket)
        result =
          endsWithDottedKey
          ? result.indexingLastKey(by: index) : Expression(.index(result, index))
        endsWithDottedKey = false
      } else {
        return result
      }
    }
  }

  /// The keys from a dot on.
  private mutating func keyPath(after operand: Expression) throws -> PropertyPath {
    var components: [PropertyPath.Component] = []
    while current == .sign(.dot) {
      if case .variable = kind(after: 1) { break }
      advance()
      guard let next = keyComponents ?? argumentComponents else {
        throw expected("a key after '\(operand).'", orKey: true)
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

  /// The keys of `%@` behind a dot, as in `$source.%@`: a text, or an expression that is a key path.
  private var argumentComponents: [PropertyPath.Component]? {
    guard case .argument(let value) = current else { return nil }
    if case .string(let path) = value { return PropertyPath(path).components }
    guard case .keyPath(nil, let path)? = value.expression?.node else { return nil }
    return path.components
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
    case .argument(let value):
      guard let expression = value.expression else { throw expected("a value") }
      advance()
      return expression
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
    default: throw expected("a value", orKey: true)
    }
  }

  /// The constant that the current token writes.
  private var literal: Value? {
    switch current {
    case .text(let text): .string(text)
    case .integer(let number): Int64(exactly: number).map { .integer($0) }
    case .double(let number): .double(number)
    case .argument(let value): value.expression == nil ? value : nil
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

  /// Expressions separated by commas them, and the sign that ends them.
  mutating func list(until end: Sign) throws -> [Expression] {
    var elements = [try expression()]
    while skip(.comma) { elements.append(try expression()) }
    if !skip(end) { throw expected("',' or '\(end.rawValue)'") }
    return elements
  }

  /// `(a + b)`.
  private mutating func parenthesized() throws -> Expression {
    try expect(.leftParenthesis)
    let result = try expression()
    try expect(.rightParenthesis)
    return result
  }
}

// MARK: - Calls

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
        "the selector \(selector) takes \(count) argument\(count == 1 ? "" : "s"), "
          + "\(arguments.count) \(arguments.count == 1 ? "is" : "are") given",
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
