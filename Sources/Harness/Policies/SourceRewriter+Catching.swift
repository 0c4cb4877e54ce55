// Catching errors as NSError.

extension SourceRewriter {
  /// Makes `catch let error as NSError` catch every error, as it does on Apple's systems, where every
  /// error is an `NSError`. Elsewhere the compiler takes the cast for one that can't fail, and what
  /// happens with an error that isn't an `NSError` is undefined.
  ///
  /// A condition after `where` becomes a closure that is called with the converted error.
  mutating func rewriteCatch(at index: Int) {
    let (name, cast) = (index + 2, index + 3)
    guard ["let", "var"].contains(text(index + 1)), text(cast) == "as", text(cast + 1) == "NSError",
      let brace = openingBrace(after: cast + 1)
    else { return }
    let isConditional = text(cast + 2) == "where"
    // Anything else, such as another pattern behind a comma, is left to the compiler.
    guard isConditional || brace == cast + 2 else { return }
    blank(cast)
    blank(cast + 1)
    if isConditional {
      insert(" { (\(text(name)): NSError) -> Bool in", after: cast + 2)
      insert(" }(\(text(name)) as NSError)", after: brace - 1)
    }
    insert(" \(text(index + 1)) \(text(name)) = \(text(name)) as NSError;", after: brace)
  }

  /// The brace that begins the body of a clause: the first outside of parentheses and brackets.
  private func openingBrace(after index: Int) -> Int? {
    var depth = 0
    for index in (index + 1)..<max(tokens.count, index + 1) {
      if isMark(index, "(") || isMark(index, "[") { depth += 1 }
      if isMark(index, ")") || isMark(index, "]") { depth -= 1 }
      if depth == 0 && isMark(index, "{") { return index }
    }
    return nil
  }
}
