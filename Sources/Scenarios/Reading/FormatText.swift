/// Predicates and expressions in a scenario's text, with mistakes placed inside the text.
package enum FormatText {
  /// - Throws: ``Diagnostic`` at the place where the format goes wrong.
  package static func predicate(_ text: Located<String>) throws -> Predicate {
    try parse(text) { try Predicate.parse($0, arguments: []) }
  }

  /// - Throws: ``Diagnostic`` at the place where the format goes wrong.
  static func expression(_ text: Located<String>) throws -> Expression {
    try parse(text) { try Expression.parse($0, arguments: []) }
  }

  private static func parse<Result>(
    _ text: Located<String>, _ parse: (String) throws -> Result
  ) throws -> Result {
    do {
      return try parse(text.value)
    } catch let error as PredicateFormatError {
      // Columns count Unicode scalars, of which one character may have several.
      let scalars = text.value.unicodeScalars
      let offset = min(max(error.column - 1, 0), scalars.count)
      let start = scalars.index(scalars.startIndex, offsetBy: offset)
      let place = text.part(start..<text.value.endIndex).place
      let shown = text.value.count > 80 ? text.value.prefix(80) + "…" : text.value[...]
      throw Diagnostic("can't read '\(shown)': \(error.problem)", at: place)
    }
  }
}
