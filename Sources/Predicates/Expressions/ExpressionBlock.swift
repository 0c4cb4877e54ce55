/// The code of a block expression.
///
/// Two are equal when they are the same one: code can't be compared.
/// Sendable unchecked: a block that an app hands over for any thread, as on a device.
final class ExpressionBlock: Hashable, @unchecked Sendable {
  typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any?
  let body: Body

  init(_ body: @escaping Body) { self.body = body }

  static func == (a: ExpressionBlock, b: ExpressionBlock) -> Bool { a === b }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Calls the code with the evaluated object, the arguments' values (nil as `NSNull`) and what
  /// variables stand for.
  func value(in scope: EvaluationScope, _ arguments: [Value]) -> Value {
    let context = NSMutableDictionary()
    for (name, value) in scope.variables { context[name] = value.boxed ?? NSNull() }
    return Value(
      evaluating: body(scope.object.boxed, arguments.map { $0.boxed ?? NSNull() }, context))
  }
}
