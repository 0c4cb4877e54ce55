// The parts of an expression under Apple's names, for code that walks trees.

extension Expression {
  /// The form of an expression. Raw values are Core Data's own.
  public enum ExpressionType: UInt, Sendable, Hashable {
    case constantValue = 0
    case unionSet = 5
    case intersectSet = 6
    case minusSet = 7
    case anyKey = 15
    case block = 19
    case evaluatedObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case aggregate = 14
    case subquery = 13
    case conditional = 20
    /// `$name := value`; Core Data keeps this one private.
    case assignment = 12
    /// `FETCH(…)`; Core Data has its own class for it.
    case fetch = 50
  }

  public var expressionType: ExpressionType {
    switch node {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath: .keyPath
    case .function, .call, .cast, .index: .function
    case .aggregate: .aggregate
    case .subquery: .subquery
    case .fetch: .fetch
    case .conditional: .conditional
    case .assignment: .assignment
    case .setOperation(.union, _, _): .unionSet
    case .setOperation(.intersect, _, _): .intersectSet
    case .setOperation(.minus, _, _): .minusSet
    case .anyKey: .anyKey
    case .block: .block
    }
  }

  /// The value of a constant expression as a Foundation object.
  public var constantValue: Any? {
    if case .constant(let value) = node { value.boxed } else { nil }
  }

  /// The value of a constant expression; nil for other expressions.
  public var constant: Value? {
    if case .constant(let value) = node { value } else { nil }
  }

  /// The key path of a key path expression, operators included; empty for others.
  public var keyPath: String {
    if case .keyPath(_, let path) = node { path.text } else { "" }
  }

  /// The name of a variable, without `$`; empty for other expressions.
  public var variable: String {
    switch node {
    case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): name
    default: ""
    }
  }

  /// The selector of a function; empty for other expressions.
  public var function: String {
    switch node {
    case .function(let function, _): function.rawValue
    case .call(_, let selector, _): selector
    case .cast: "castObject:toType:"
    case .index: "objectFrom:withIndex:"
    case .keyPath: "valueForKeyPath:"
    default: ""
    }
  }

  /// What a function or key path is applied to; SELF where nothing is written.
  public var operand: Expression {
    switch node {
    case .keyPath(let operand?, _): operand
    case .call(let target, _, _): target
    default: .expressionForEvaluatedObject()
    }
  }

  /// The arguments of a function, or the request and the context of a FETCH; nil for other
  /// expressions.
  public var arguments: [Expression]? {
    switch node {
    case .function(_, let arguments), .call(_, _, let arguments): arguments
    case .cast(let operand, let type): [operand, .constant(.string(type))]
    case .fetch(let request, let context, _): [request, context]
    case .index(let collection, .element(let index)): [collection, index]
    case .block(_, let arguments): arguments
    default: nil
    }
  }

  /// The left operand of UNION, INTERSECT or MINUS; nil for other expressions.
  public var left: Expression? {
    if case .setOperation(_, let left, _) = node { left } else { nil }
  }

  /// The right operand of UNION, INTERSECT or MINUS; nil for other expressions.
  public var right: Expression? {
    if case .setOperation(_, _, let right) = node { right } else { nil }
  }

  /// The code of a block expression; nil for other expressions.
  public var expressionBlock: ((Any?, [Any], NSMutableDictionary?) -> Any?)? {
    if case .block(let block, _) = node { block.body } else { nil }
  }

  /// The elements of an aggregate, or of a constant collection.
  public var collection: [Expression]? {
    switch node {
    case .aggregate(let elements): elements
    case .constant(.collection(let constants)): constants.elements.map { .constant($0) }
    default: nil
    }
  }

  /// The collection of a SUBQUERY; nil for other expressions.
  package var subqueryCollection: Expression? {
    if case .subquery(let collection, _, _) = node { collection } else { nil }
  }

  /// The condition of a SUBQUERY or TERNARY.
  public var predicate: Predicate? {
    switch node {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
    default: nil
    }
  }
}

// MARK: - Rebuilding

extension Expression {
  /// The expression with `transform` applied to each part that it has a replacement for, outermost
  /// first; parts of a replacement are left alone.
  func replacing(_ transform: (Expression) -> Expression?) -> Expression {
    if let replacement = transform(self) { return replacement }
    func inside(_ part: Expression) -> Expression { part.replacing(transform) }
    switch node {
    case .constant, .evaluatedObject, .variable, .keyPath(nil, _), .anyKey: return self
    case .keyPath(let operand?, let path):
      return Expression(.reading(path, of: inside(operand)))
    case .function(let function, let arguments):
      return Expression(.function(function, arguments.map(inside)))
    case .call(let target, let selector, let arguments):
      return Expression(.call(target: inside(target), selector: selector, arguments.map(inside)))
    case .aggregate(let elements): return Expression(.aggregating(elements.map(inside)))
    case .subquery(let collection, let variable, let predicate):
      return Expression(
        .subquery(
          collection: inside(collection), variable: variable,
          predicate.replacingExpressions(transform)))
    case .fetch(let request, let context, let countOnly):
      return Expression(
        .fetch(request: inside(request), context: inside(context), countOnly: countOnly))
    case .conditional(let predicate, let yes, let no):
      return Expression(
        .conditional(predicate.replacingExpressions(transform), inside(yes), inside(no)))
    case .cast(let operand, let type): return Expression(.casting(inside(operand), to: type))
    case .index(let collection, .element(let index)):
      return Expression(.index(inside(collection), .element(inside(index))))
    case .index(let collection, let index): return Expression(.index(inside(collection), index))
    case .assignment(let name, let value): return Expression(.assignment(name, inside(value)))
    case .setOperation(let operation, let left, let right):
      return Expression(.setOperation(operation, inside(left), inside(right)))
    case .block(let block, let arguments):
      return Expression(.block(block, arguments.map(inside)))
    }
  }

  /// What replaces this part when variables are substituted; nil when the parts inside decide.
  func substitution(for variables: [String: Value]) -> Expression? {
    switch node {
    case .variable(let name): return variables[name].map { .constant($0) }
    case .subquery(let collection, let variable, let predicate):
      var free = variables
      free[variable] = nil  // inside, the name is the element
      return Expression(
        .subquery(
          collection: collection.replacing { $0.substitution(for: variables) },
          variable: variable, predicate.substituting(free)))
    default: return nil
    }
  }
}

// MARK: - Branches

extension Expression {
  /// What a TERNARY gives when its condition holds; nil for other expressions.
  public var `true`: Expression? {
    if case .conditional(_, let yes, _) = node { yes } else { nil }
  }

  /// What a TERNARY gives when its condition doesn't hold; nil for other expressions.
  public var `false`: Expression? {
    if case .conditional(_, _, let no) = node { no } else { nil }
  }
}
