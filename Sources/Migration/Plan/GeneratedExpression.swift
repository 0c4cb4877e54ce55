/// The forms of expression that Xcode and inference generate. They are known by their parts, so
/// that the migration manager need not evaluate them object by object.
package enum GeneratedExpression: Equatable {
  /// All instances of a source entity that match a predicate.
  case fetch(entityName: String, predicate: String)
  /// `$source.key`.
  case sourceKey(String)
  /// `$source.key`, or the default value where that is nil.
  case sourceKeyOrDefault(String, Value)
  case constant(Value)
  /// The destination instances that one mapping made of the objects at a source key path; of the source object itself
  /// for an empty one.
  case destinationInstances(mappingName: String, keyPath: String)
  /// The destination instances, under any mapping, of the objects at a source key path.
  case relatedInstances(relationshipName: String, keyPath: String)
}

// MARK: - To an expression

extension GeneratedExpression {
  package var expression: Expression {
    switch self {
    case .fetch(let entityName, let predicate):
      let request = Self.call(
        .fetchRequest, name: entityName, argument: .constant(.string(predicate)))
      let context = Expression(forKeyPath: "sourceContext", of: Self.variable(.manager))
      return Expression(forFetch: request, context: context, countOnly: false)
    case .sourceKey(let key): return Self.source(key)
    case .sourceKeyOrDefault(let key, let fallback):
      return Expression(
        forConditional: Self.isNil(key), trueExpression: .constant(fallback),
        falseExpression: Self.source(key))
    case .constant(let value): return .constant(value)
    case .destinationInstances(let mappingName, let keyPath):
      return Self.call(
        .destinationInstancesOfMapping, name: mappingName, argument: Self.source(keyPath))
    case .relatedInstances(let relationshipName, let keyPath):
      return Self.call(
        .destinationInstancesOfRelationship, name: relationshipName, argument: Self.source(keyPath))
    }
  }

  private static func variable(_ variable: MigrationVariable) -> Expression {
    Expression(forVariable: variable.rawValue)
  }

  private static func source(_ keyPath: String) -> Expression {
    let source = variable(.source)
    return keyPath.isEmpty ? source : Expression(forKeyPath: keyPath, of: source)
  }

  private static func isNil(_ key: String) -> Predicate {
    ComparisonPredicate(
      leftExpression: source(key), rightExpression: .constant(.null), modifier: .direct,
      type: .equalTo)
  }

  private static func call(
    _ function: MigrationManager.Function, name: String, argument: Expression
  ) -> Expression {
    Expression(
      forFunction: variable(.manager), selectorName: function.rawValue,
      arguments: [.constant(.string(name)), argument])
  }
}

// MARK: - From an expression

extension GeneratedExpression {
  /// The form of `expression`; nil when it is none that can be done without evaluation.
  package init?(_ expression: Expression) {
    switch expression.expressionType {
    case .constantValue:
      guard let value = expression.constant else { return nil }
      self = .constant(value)
    case .keyPath:
      guard let keyPath = Self.sourceKeyPath(expression) else { return nil }
      self = .sourceKey(keyPath)
    case .function: self.init(call: expression)
    case .fetch: self.init(fetch: expression)
    case .conditional: self.init(conditional: expression)
    default: return nil
    }
  }

  private init?(call: Expression) {
    guard let (function, name, argument) = Self.managerCall(call),
      let keyPath = Self.sourceKeyPath(argument)
    else { return nil }
    switch function {
    case .destinationInstancesOfMapping:
      self = .destinationInstances(mappingName: name, keyPath: keyPath)
    case .destinationInstancesOfRelationship:
      self = .relatedInstances(relationshipName: name, keyPath: keyPath)
    case .fetchRequest, .sourceInstancesOfMapping: return nil
    }
  }

  private init?(fetch: Expression) {
    guard let request = fetch.arguments?.first,
      let (function, name, argument) = Self.managerCall(request), function == .fetchRequest,
      case .string(let predicate)? = argument.constant
    else { return nil }
    let generated = GeneratedExpression.fetch(entityName: name, predicate: predicate)
    guard generated.expression == fetch else { return nil }
    self = generated
  }

  private init?(conditional: Expression) {
    guard let fallback = conditional.true?.constant,
      let keyPath = conditional.false.flatMap(Self.sourceKeyPath)
    else { return nil }
    let generated = GeneratedExpression.sourceKeyOrDefault(keyPath, fallback)
    guard generated.expression == conditional else { return nil }
    self = generated
  }

  /// The key path of `$source.…`.
  private static func sourceKeyPath(_ expression: Expression) -> String? {
    guard expression.expressionType == .keyPath, isVariable(expression.operand, .source) else {
      return nil
    }
    return expression.keyPath
  }

  /// The parts of `FUNCTION($manager, "…:…:", "name", argument)`.
  private static func managerCall(
    _ expression: Expression
  ) -> (function: MigrationManager.Function, name: String, argument: Expression)? {
    guard let function = MigrationManager.Function(rawValue: expression.function),
      isVariable(expression.operand, .manager),
      let arguments = expression.arguments, arguments.count == 2,
      case .string(let name)? = arguments[0].constant
    else { return nil }
    return (function, name, arguments[1])
  }

  private static func isVariable(_ expression: Expression, _ variable: MigrationVariable) -> Bool {
    expression.expressionType == .variable && expression.variable == variable.rawValue
  }
}
