import Synchronization

/// The right side of a text comparison, prepared once: folded, and as a pattern for LIKE and
/// MATCHES.
final class TextPattern: Sendable {
  private let source: String
  private let type: ComparisonPredicate.Operator
  private let matching: Matching

  /// How the left side, folded as `options` say, is compared.
  private enum Matching: Sendable {
    case equal(String)
    case prefix(String)
    case suffix(String)
    case part(String)
    case like(LikePattern)
    case expression(NSRegularExpression)
  }
  private let options: ComparisonOptions

  /// - Throws: ``PredicateEvaluationError`` for an invalid regular expression.
  init(
    _ source: String, for type: ComparisonPredicate.Operator, options: ComparisonOptions
  ) throws {
    self.source = source
    self.type = type
    self.options = options
    let folded = source.folded(for: options)
    matching =
      switch type {
      case .matches: .expression(try Self.wholeTextExpression(source, options))
      case .like: LikePattern.onlyMatch(of: folded).map { .equal($0) } ?? .like(LikePattern(folded))
      case .beginsWith: .prefix(folded)
      case .endsWith: .suffix(folded)
      case .contains, .in: .part(folded)
      default: .equal(folded)
      }
  }

  func isMade(
    of source: String, for type: ComparisonPredicate.Operator, options: ComparisonOptions
  ) -> Bool {
    self.type == type && self.options == options && CodeUnits.areEqual(self.source, source)
  }

  /// Whether the comparison holds for `text` on its left side.
  /// - Throws: ``PredicateEvaluationError`` where the regular expression takes more steps than its engine allows.
  func matches(_ text: String) throws -> Bool {
    if case .expression(let expression) = matching { return try matches(text, expression) }
    let folded = text.folded(for: options)
    return switch matching {
    case .equal(let other): CodeUnits.areEqual(folded, other)
    case .prefix(let prefix): CodeUnits.hasPrefix(folded, prefix)
    case .suffix(let suffix): CodeUnits.hasSuffix(folded, suffix)
    case .part(let part): CodeUnits.contains(folded, part)
    case .like(let pattern): pattern.matches(folded)
    case .expression: false
    }
  }

  private func matches(_ text: String, _ expression: NSRegularExpression) throws -> Bool {
    // Folding case could break a pattern's classes, so only diacritics are folded here.
    let subject = text.folded(for: options.intersection(.diacriticInsensitive))
    let range = NSRange(location: 0, length: subject.utf16.count)
    guard let match = expression.firstMatch(in: subject, range: range) else {
      throw PredicateEvaluationError(
        .invalidPattern,
        "Can't do regex matching, reason: the pattern takes too many steps for a text of "
          + "\(range.length) characters (pattern \(source))")
    }
    return match.range(at: expression.numberOfCaptureGroups).location == NSNotFound
  }

  private static func wholeTextExpression(
    _ pattern: String, _ options: ComparisonOptions
  ) throws -> NSRegularExpression {
    let flags: NSRegularExpression.Options =
      options.contains(.caseInsensitive) ? .caseInsensitive : []
    let folded = pattern.folded(for: options.intersection(.diacriticInsensitive))
    do {
      // Alone first: a pattern like `)(` would become valid inside the group.
      let alone = try NSRegularExpression(pattern: folded, options: flags)
      if let whole = wholeTextExpression(of: alone) { return whole }
    } catch {}
    throw PredicateEvaluationError(
      .invalidPattern,
      "Can't do regex matching, reason: Can't open pattern (pattern \(pattern))")
  }

  /// An expression that matches every text: with its last group, if the pattern doesn't match the whole text. Where
  /// nothing matches, the engine has given up, which it doesn't say otherwise.
  private static func wholeTextExpression(
    of alone: NSRegularExpression
  ) -> NSRegularExpression? {
    // A comment of `(?x)` or a quotation of `\Q` at the end would take in the group's parenthesis.
    ["", "\n", "\\E"].lazy.compactMap { end in
      try? NSRegularExpression(
        pattern: "\\A(?:\(alone.pattern)\(end))\\z|(\\A)", options: alone.options)
    }.first
  }
}

/// Keeps the last pattern that was prepared, which for a constant is the only one.
final class TextPatternCache: Sendable {
  private let last = Mutex<TextPattern?>(nil)

  func pattern(
    _ source: String, for type: ComparisonPredicate.Operator, options: ComparisonOptions
  ) throws -> TextPattern {
    if let known = last.withLock({ $0 }), known.isMade(of: source, for: type, options: options) {
      return known
    }
    let made = try TextPattern(source, for: type, options: options)
    last.withLock { $0 = made }
    return made
  }
}
