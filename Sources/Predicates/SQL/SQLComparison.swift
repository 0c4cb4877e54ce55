/// A comparison of two scalars in SQL.
struct SQLComparison {
  let predicate: ComparisonPredicate
  let left: SQLOperand
  let right: SQLOperand
  var logic = SQLLogic.nullSafe

  /// The condition; 0 or NULL where the comparison doesn't hold.
  func condition() throws -> SQLFragment {
    switch predicate.predicateOperatorType {
    case .equalTo: try comparison(equality("IS", "="))
    case .notEqualTo: try comparison(equality("IS NOT", "<>"))
    case .lessThan: try order("<")
    case .lessThanOrEqualTo: try order("<=")
    case .greaterThan: try order(">")
    case .greaterThanOrEqualTo: try order(">=")
    case .beginsWith, .endsWith, .contains, .like, .matches: try text()
    case .in, .between: throw UntranslatablePredicate(predicate, "it has no list")
    case .utiConformsTo, .utiEquals, .customSelector:
      throw UntranslatablePredicate(predicate, "its operator is evaluated in memory only")
    }
  }

  // MARK: Equality and order

  /// `IS` and `IS NOT` take NULL for a value, as `==` and `!=` take nil in memory. A device has them
  /// for the constant nil alone.
  private func equality(_ nullSafe: String, _ plain: String) -> String {
    let hasNull = left.kind == .null || right.kind == .null
    return logic == .nullSafe || hasNull ? nullSafe : plain
  }

  private func comparison(_ symbol: String) throws -> SQLFragment {
    guard left.kind.isComparable(with: right.kind) else { throw incomparable }
    let options = predicate.options
    return """
      \(left.folded(for: options).fragment) \(raw: symbol) \(right.folded(for: options).fragment)
      """
  }

  private func order(_ symbol: String) throws -> SQLFragment {
    guard left.kind.isOrdered, right.kind.isOrdered, left.kind.isComparable(with: right.kind)
    else { throw incomparable }
    return try comparison(symbol)
  }

  private var incomparable: UntranslatablePredicate {
    UntranslatablePredicate(
      predicate, "values of different or unordered types meet", isAboutTypes: true)
  }

  // MARK: Text

  private func text() throws -> SQLFragment {
    if left.kind == .null || right.kind == .null {
      return logic == .threeValued ? "NULL" : "0"
    }
    guard left.kind == .text, right.kind == .text else {
      throw UntranslatablePredicate(predicate, "a side isn't text", isAboutTypes: true)
    }
    let type = predicate.predicateOperatorType
    if type == .matches { return try matches() }
    let text = left.folded(for: predicate.options).fragment
    let part = right.folded(for: predicate.options)
    switch (type, part.constantText) {
    case (.like, let pattern?): return try like(text, pattern)
    case (.like, nil): throw UntranslatablePredicate(predicate, "the pattern isn't constant")
    case (.contains, _): return "instr(\(text), \(part.fragment)) > 0"
    case (_, ""): return isPresent(text)
    case (.beginsWith, let prefix?):
      return "substr(\(text), 1, \(prefix.unicodeScalars.count)) = \(part.fragment)"
    case (_, let suffix?):
      return "substr(\(text), \(-suffix.unicodeScalars.count)) = \(part.fragment)"
    case (.beginsWith, nil): return Self.hasPrefix(text, part.fragment)
    default: return hasSuffix(text, part.fragment)
    }
  }

  private static func hasPrefix(_ text: SQLFragment, _ prefix: SQLFragment) -> SQLFragment {
    "substr(\(text), 1, length(\(prefix))) = \(prefix)"
  }

  /// Whether there is text, all of which begins and ends with the empty one.
  private func isPresent(_ text: SQLFragment) -> SQLFragment {
    // Core Data: assumed, that the empty part makes no exception from NULL.
    logic == .threeValued ? "length(\(text)) >= 0" : "\(text) IS NOT NULL"
  }

  /// `substr` from -0 would be the whole text, so the empty suffix needs a case of its own.
  private func hasSuffix(_ text: SQLFragment, _ suffix: SQLFragment) -> SQLFragment {
    """
    CASE length(\(suffix)) WHEN 0 THEN \(isPresent(text)) \
    ELSE substr(\(text), -length(\(suffix))) = \(suffix) END
    """
  }

  /// `pattern` is folded already, which leaves wildcards and escapes alone.
  private func like(_ text: SQLFragment, _ pattern: String) throws -> SQLFragment {
    if let only = LikePattern.onlyMatch(of: pattern) { return "\(text) = \(.string(only))" }
    guard pattern.utf8.count <= Self.longestPattern else {
      throw UntranslatablePredicate(predicate, "the pattern is too long for SQLite")
    }
    return "\(text) GLOB \(.string(LikePattern(pattern).globPattern))"
  }

  /// SQLite's own limit is 50,000 bytes, and a literal character takes up to three of them more.
  private static let longestPattern = 10_000

  private func matches() throws -> SQLFragment {
    // In memory the error is met again, and told.
    guard let pattern = right.constantText,
      (try? TextPattern(pattern, for: .matches, options: predicate.options)) != nil
    else { throw UntranslatablePredicate(predicate, "the pattern isn't constant and valid") }
    let letters = Value.string(predicate.options.letters)
    return """
      \(raw: SQLTextFunctions.matchesName)(\(left.fragment), \(right.fragment), \(letters))
      """
  }
}

extension SQLOperand {
  /// The text, for a constant one.
  fileprivate var constantText: String? {
    if case .string(let text)? = constant { text } else { nil }
  }

  /// The operand as text options compare it.
  func folded(for options: ComparisonOptions) -> SQLOperand {
    guard kind == .text, options.foldsText else { return self }
    if let text = constantText {
      let folded = Value.string(text.folded(for: options))
      return SQLOperand("\(folded)", .text, constant: folded)
    }
    let letters = options.intersection([.caseInsensitive, .diacriticInsensitive]).letters
    return SQLOperand("\(raw: SQLTextFunctions.foldName)(\(fragment), '\(raw: letters)')", .text)
  }
}

extension LikePattern {
  /// The pattern in the notation of SQLite's GLOB.
  fileprivate var globPattern: String {
    elements.map { element in
      switch element {
      case .anyText: "*"
      case .anyCharacter: "?"
      case .literal(let scalar):
        ["*", "?", "["].contains(scalar) ? "[\(scalar)]" : String(Character(scalar))
      }
    }.joined()
  }
}
