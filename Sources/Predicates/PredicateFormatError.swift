/// A format string that isn't a predicate, or not an expression.
public struct PredicateFormatError: Error, Hashable, Sendable {
  /// The whole text that was to be parsed.
  public let format: String
  /// Where the first mistake is: characters from the start, the first being 1.
  public let column: Int
  /// What was expected there, or what is wrong.
  public let problem: String

  public init(format: String, column: Int, problem: String) {
    self.format = format
    self.column = column
    self.problem = problem
  }
}

// MARK: - Wording

extension PredicateFormatError: CustomStringConvertible, LocalizedError {
  /// Core Data's sentence, then the place and the problem.
  public var description: String {
    "Unable to parse the format string \"\(format)\" (column \(column): \(problem))"
  }

  public var errorDescription: String? { description }
}
