/// The functions that a store registers in its SQLite connection, so that text is compared there as
/// it is in memory. One instance serves one connection.
///
/// Both give NULL for NULL:
/// - `hw_fold(text, letters)`: ``fold(_:letters:)``;
/// - `hw_matches(text, pattern, letters)`: ``matches(_:pattern:letters:)`` as 1 or 0.
public final class SQLTextFunctions: Sendable {
  public static let foldName = "hw_fold"
  public static let matchesName = "hw_matches"
  /// In place of option letters: the text in capitals, or in small letters.
  static let upper = "upper"
  static let lower = "lower"
  /// The option letters of what `canonical` gives.
  static let canonical = "cd"

  private let patterns = TextPatternCache()

  public init() {}

  /// The text as `[c]`, `[d]` and `[cd]` compare it, or as `uppercase` and `lowercase` give it.
  public func fold(_ text: String, letters: String) -> String {
    switch letters {
    case Self.upper: text.uppercased()
    case Self.lower: text.lowercased()
    default: text.folded(for: ComparisonOptions(letters: letters) ?? [])
    }
  }

  /// Whether the whole of `text` matches a regular expression.
  /// - Throws: ``PredicateEvaluationError`` for an invalid pattern.
  public func matches(_ text: String, pattern: String, letters: String) throws -> Bool {
    let options = ComparisonOptions(letters: letters) ?? []
    return try patterns.pattern(pattern, for: .matches, options: options).matches(text)
  }
}
