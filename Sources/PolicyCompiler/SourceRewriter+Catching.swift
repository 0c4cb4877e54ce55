// Catching errors as NSError and CocoaError.

extension SourceRewriter {
  /// Makes `catch let error as NSError` catch every error, as it does on Apple's systems, where every
  /// error is an `NSError`. Elsewhere the compiler takes the cast for one that can't fail, and what
  /// happens with an error that isn't an `NSError` is undefined. `catch let error as CocoaError`
  /// likewise catches what can be converted.
  ///
  /// A condition after `where` becomes a closure that is called with the converted error.
  mutating func rewriteCatch(at index: Int) {
    if text(index + 1) == "is", text(index + 2) == "CocoaError", isMark(index + 3, "{") {
      replace(tokens[index + 1].range, by: "")
      replace(tokens[index + 2].range, by: "where (error <~? CocoaError.self) != nil")
      return
    }
    let (name, cast) = (index + 2, index + 3)
    guard ["let", "var"].contains(text(index + 1)), text(cast) == "as",
      let conversion = ErrorConversion(to: text(cast + 1), of: text(name)),
      let brace = openingBrace(after: cast + 1)
    else { return }
    let isConditional = text(cast + 2) == "where"
    // Anything else, such as another pattern behind a comma, is left to the compiler.
    guard isConditional || brace == cast + 2 else { return }
    blank(cast)
    blank(cast + 1)
    if isConditional {
      insert(conversion.beforeCondition, after: cast + 2)
      insert(conversion.afterCondition, after: brace - 1)
    } else {
      insert(conversion.condition, after: cast + 1)
    }
    insert(" \(text(index + 1)) \(text(name)) = \(conversion.result);", after: brace)
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

/// The code that converts a caught error into the type that a clause wants.
private struct ErrorConversion {
  /// What is asked where the clause has no condition of its own.
  let condition: String
  let beforeCondition: String
  let afterCondition: String
  let result: String

  init?(to type: String, of name: String) {
    switch type {
    case "NSError":
      condition = ""
      beforeCondition = " { (\(name): NSError) -> Bool in"
      afterCondition = " }(\(name) as NSError)"
      result = "\(name) as NSError"
    case "CocoaError":
      condition = " where (\(name) <~? CocoaError.self) != nil"
      beforeCondition = " (\(name) <~? CocoaError.self).map({ (\(name): CocoaError) -> Bool in"
      afterCondition = " }) ?? false"
      result = "\(name) <~! CocoaError.self"
    default: return nil
    }
  }
}
