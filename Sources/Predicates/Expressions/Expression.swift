/// Something that has a value for an object: Core Data's `NSExpression`.
///
/// A tree that never changes after it was made, so it can be evaluated by several threads.
public final class Expression: NSObject, @unchecked Sendable {
  let node: Node

  init(_ node: Node) { self.node = node }

  /// The forms of expressions.
  enum Node: Hashable {
    case constant(Value)
    /// SELF.
    case evaluatedObject
    /// `$name`.
    case variable(String)
    /// `name.city`, or `operand.name.city`.
    case keyPath(operand: Expression?, PropertyPath)
    /// `abs(x)`, `x + y`.
    case function(PredefinedFunction, [Expression])
    /// `FUNCTION(target, "selector:", …)`.
    case call(target: Expression, selector: String, [Expression])
    /// `{a, b}` of which not all are constants; else it is a constant.
    case aggregate([Expression])
    case subquery(collection: Expression, variable: String, Predicate)
    case fetch(request: Expression, context: Expression, countOnly: Bool)
    /// `TERNARY(condition, a, b)`.
    case conditional(Predicate, Expression, Expression)
    case cast(Expression, type: String)
    case index(Expression, CollectionIndex)
    /// `$name := value`.
    case assignment(String, Expression)
    /// `a UNION b` and the like.
    case setOperation(SetOperation, Expression, Expression)
    /// ANYKEY.
    case anyKey
    case block(ExpressionBlock, [Expression])
  }

  /// What stands in the brackets of `tags[FIRST]`.
  enum CollectionIndex: Hashable {
    case first, last, size
    case element(Expression)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Expression else { return false }
    return self === other || node == other.node
  }

  public override var hash: Int { node.hashValue }

  public override var description: String { expressionFormat }
}

// MARK: - Constructors with Apple's names

extension Expression {
  /// A value. Arrays, sets and dictionaries are taken apart as predicates need them.
  public convenience init(forConstantValue value: Any?) {
    self.init(.constant(Value(evaluating: value)))
  }

  /// `$name`.
  /// - Parameter name: The name without `$`.
  public convenience init(forVariable name: String) { self.init(.variable(name)) }

  /// The value at a key path from the evaluated object; collection operators may be in it.
  public convenience init(forKeyPath keyPath: String) {
    self.init(.keyPath(operand: nil, PropertyPath(keyPath)))
  }

  /// The value at a key path from the value of `operand`, as `$source.title`.
  public convenience init(forKeyPath keyPath: String, of operand: Expression) {
    self.init(.reading(PropertyPath(keyPath), of: operand))
  }

  /// SELF.
  public static func expressionForEvaluatedObject() -> Expression { Expression(.evaluatedObject) }

  /// A call of the method `selectorName` of the value of `target`.
  ///
  /// `valueForKey:` and `valueForKeyPath:` with a constant argument give a key path, since that is
  /// how archives write `$source.title`.
  public convenience init(
    forFunction target: Expression, selectorName: String, arguments: [Expression] = []
  ) {
    if let path = Self.keyPath(readBy: selectorName, arguments) {
      self.init(.reading(path, of: target))
    } else {
      self.init(.call(target: target, selector: selectorName, arguments))
    }
  }

  /// A call of a predefined function: `sum:`, `add:to:`, `castObject:toType:` and the others.
  ///
  /// Raises an exception for an unknown name, as Core Data does, and gives nil as a constant.
  public convenience init(forFunction name: String, arguments: [Expression]) {
    do {
      self.init(try Node(functionNamed: name, arguments))
    } catch {
      ExceptionTrap.raise(error)
      self.init(.constant(.null))
    }
  }

  /// A call of a predefined function.
  /// - Throws: ``PredicateEvaluationError`` for an unknown name, or another number of arguments.
  package static func calling(
    _ name: String, arguments: [Expression]
  ) throws -> Expression {
    Expression(try Node(functionNamed: name, arguments))
  }

  /// `{a, b, …}`.
  public convenience init(forAggregate elements: [Expression]) {
    self.init(.aggregating(elements))
  }

  /// The elements of a collection that meet a condition in which `$variable` is the element.
  public convenience init(
    forSubquery collection: Expression, usingIteratorVariable variable: String,
    predicate: Predicate
  ) {
    self.init(.subquery(collection: collection, variable: variable, predicate))
  }

  /// The objects that a fetch request finds in a context, or only their number.
  public convenience init(forFetch request: Expression, context: Expression, countOnly: Bool) {
    self.init(.fetch(request: request, context: context, countOnly: countOnly))
  }

  /// One of two values, by a condition.
  public convenience init(
    forConditional predicate: Predicate, trueExpression: Expression, falseExpression: Expression
  ) {
    self.init(.conditional(predicate, trueExpression, falseExpression))
  }

  /// The elements of either of two collections, as a set.
  public convenience init(forUnionSet left: Expression, with right: Expression) {
    self.init(.setOperation(.union, left, right))
  }

  /// The elements that two collections share, as a set.
  public convenience init(forIntersectSet left: Expression, with right: Expression) {
    self.init(.setOperation(.intersect, left, right))
  }

  /// The elements of one collection that another doesn't have, as a set.
  public convenience init(forMinusSet left: Expression, with right: Expression) {
    self.init(.setOperation(.minus, left, right))
  }

  /// ANYKEY: any key of a Spotlight query. Can't be evaluated.
  public static func expressionForAnyKey() -> Expression { Expression(.anyKey) }

  /// A value computed in code; can't be printed as a format or translated for a store.
  ///
  /// - Parameters:
  ///   - block: Takes the evaluated object, the values of `arguments` (nil as `NSNull`), and what
  ///     variables stand for.
  ///   - arguments: Evaluated before the block is called.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any?, arguments: [Expression]? = nil
  ) {
    self.init(.block(ExpressionBlock(block), arguments ?? []))
  }

  /// A constant, without conversion.
  public static func constant(_ value: Value) -> Expression { Expression(.constant(value)) }

  /// What `%@` is in a format: an expression as it is, anything else as a constant.
  static func argument(_ value: Value) -> Expression { value.expression ?? .constant(value) }

  private static func keyPath(readBy selector: String, _ arguments: [Expression]) -> PropertyPath? {
    guard selector == "valueForKey:" || selector == "valueForKeyPath:", arguments.count == 1
    else { return nil }
    switch arguments[0].node {
    case .constant(.string(let text)) where selector == "valueForKey:":
      return PropertyPath(keys: [text])
    case .constant(.string(let text)): return PropertyPath(text)
    default: return nil
    }
  }
}

extension Value {
  /// The expression that the value is.
  var expression: Expression? {
    if case .object(let expression as Expression) = self { expression } else { nil }
  }
}

// MARK: - Nodes in their one normal form

extension Expression.Node {
  /// A key path from `operand`: `a.b` and then `c` is `a.b.c`. An operator takes in all that
  /// follows it, so a path with one stays apart.
  static func reading(_ path: PropertyPath, of operand: Expression) -> Self {
    guard case .keyPath(let start, let earlier) = operand.node, earlier.keys != nil else {
      return .keyPath(operand: operand, path)
    }
    return .keyPath(operand: start, PropertyPath(earlier.components + path.components))
  }
}

extension Expression {
  /// A key path whose last key has an index that belongs to that key alone, as in `a.tags[0]`: it can be
  /// written, and not evaluated.
  // Core Data: observed in public tests; `(a.tags)[0]` works.
  func indexingLastKey(by index: CollectionIndex) -> Expression {
    guard case .keyPath(let start, let path) = node, let last = path.components.last else {
      return Expression(.index(self, index))
    }
    let indexed = PropertyPath.Component.indexedKey(last.format + "[\(index.format)]")
    return Expression(
      .keyPath(operand: start, PropertyPath(path.components.dropLast() + [indexed])))
  }
}

extension Expression.Node {
  /// An aggregate; a constant array when all elements are constants.
  static func aggregating(_ elements: [Expression]) -> Self {
    let constants = elements.compactMap { element -> Value? in
      if case .constant(let value) = element.node { value } else { nil }
    }
    if constants.count < elements.count { return .aggregate(elements) }
    return .constant(.collection(ValueCollection(.array, constants)))
  }

  /// A cast; a constant when it is one of the forms in which constants are printed.
  static func casting(_ operand: Expression, to type: String) -> Self {
    if case .constant(let value) = operand.node,
      let constant = Casting.constant(writtenAs: value, type: type)
    {
      return .constant(constant)
    }
    return .cast(operand, type: type)
  }

  /// A call of a predefined function by its selector; CAST and indexes have selectors too.
  init(functionNamed name: String, _ arguments: [Expression]) throws {
    switch (name, arguments.count) {
    case ("castObject:toType:", 2):
      // A class's name without quotes is archived as a key path.
      var type: String?
      if case .constant(.string(let name)) = arguments[1].node { type = name }
      if case .keyPath(nil, _) = arguments[1].node { type = arguments[1].keyPath }
      guard let type else { break }
      self = .casting(arguments[0], to: type)
      return
    case ("objectFrom:withIndex:", 2):
      self = .index(arguments[0], .element(arguments[1]))
      return
    default: break
    }
    self = .function(try PredefinedFunction(named: name, argumentCount: arguments.count), arguments)
  }
}
