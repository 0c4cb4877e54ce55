/// A call of a method by its selector: `FUNCTION(receiver, "selector:", …)`.
struct MethodCall {
  let receiver: Value
  let selector: String
  let arguments: [Value]

  /// What the method returns; nil for a nil receiver.
  /// - Throws: ``PredicateEvaluationError`` for an unknown method or a wrong argument count; what
  ///   the method throws.
  func result() throws -> Value {
    try checkArgumentCount()
    if case .object(let target as any FunctionTarget) = receiver {
      return try target.callFunction(selector: selector, arguments: arguments)
    }
    if receiver.isNull { return .null }
    if let isOfClass { return .integer(isOfClass ? 1 : 0) }
    if let path = try keyPath() { return try path.value(of: receiver) }
    if case .object(let object as any KeyValueCoding) = receiver, arguments.isEmpty {
      return try object.typedValue(forKey: selector)
    }
    guard let method = FoundationMethods.method(selector, of: receiver) else { throw unrecognized }
    return try method(arguments)
  }

  private func checkArgumentCount() throws {
    let expected = selector.count(where: { $0 == ":" })
    guard expected == arguments.count else {
      throw PredicateEvaluationError(
        .invalidArgument,
        "FUNCTION with selector \(selector) takes \(expected) argument\(expected == 1 ? "" : "s"), "
          + "not \(arguments.count).")
    }
  }

  /// The answer of `isKindOfClass:` and `isMemberOfClass:`, which every object has, for a class.
  private var isOfClass: Bool? {
    guard let argument = arguments.first?.boxed as? any Any.Type, let object = receiver.boxed else {
      return nil
    }
    switch selector {
    case "isKindOfClass:": return Self.isKind(object, of: argument)
    case "isMemberOfClass:": return type(of: object) == argument
    default: return nil
    }
  }

  private static func isKind<Class>(_ object: Any, of type: Class.Type) -> Bool {
    object is Class
  }

  /// The path of `valueForKey:` and `valueForKeyPath:`, which every object has.
  private func keyPath() throws -> PropertyPath? {
    guard selector == "valueForKey:" || selector == "valueForKeyPath:" else { return nil }
    guard case .string(let text) = arguments[0] else {
      throw PredicateEvaluationError(
        .invalidArgument,
        "\(selector) takes text, not \(FormatConstant.text(of: arguments[0])).")
    }
    return selector == "valueForKey:" ? PropertyPath(keys: [text]) : PropertyPath(text)
  }

  private var unrecognized: PredicateEvaluationError {
    let shown = FormatConstant.text(of: receiver)
    return PredicateEvaluationError(
      .unrecognizedSelector,
      "-[\(receiver.className) \(selector)]: unrecognized selector sent to "
        + "\(shown)")
  }
}
