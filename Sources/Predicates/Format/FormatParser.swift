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

  func expected(_ thing: String) -> PredicateFormatError {
    problem("expected \(thing), found \(current.shown)")
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
    .plus, .minus, .times, .divide, .power, .ampersand, .dot, .leftBracket,
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
