extension FormatParser {
  /// `a OR b OR c`.
  mutating func predicate() throws -> Predicate {
    try nested { parser in
      try parser.joined(by: .or, .or, CompoundPredicate.init(orPredicateWithSubpredicates:)) {
        try $0.joined(by: .and, .and, CompoundPredicate.init(andPredicateWithSubpredicates:)) {
          try $0.negation()
        }
      }
    }
  }

  /// One part, or several with a conjunction between them.
  private mutating func joined(
    by keyword: Keyword, _ sign: Sign, _ join: ([Predicate]) -> CompoundPredicate,
    _ part: (inout FormatParser) throws -> Predicate
  ) throws -> Predicate {
    var parts = [try part(&self)]
    while skip(keyword) || skip(sign) { parts.append(try part(&self)) }
    return parts.count == 1 ? parts[0] : join(parts)
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
