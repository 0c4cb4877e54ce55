import Synchronization

/// A comparison of two values.
/// Sendable unchecked: nothing in it changes once it is made.
open class ComparisonPredicate: Predicate, @unchecked Sendable {
  /// How many elements of a collection on the left must meet the comparison. Raw values are Core
  /// Data's own. NONE is the negation of ANY.
  public enum Modifier: UInt, Sendable, Hashable {
    /// The left side is compared as it is.
    case direct = 0
    case all = 1
    case any = 2
  }

  /// The operator. Raw values are Core Data's own.
  public enum Operator: UInt, Sendable, Hashable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqualTo = 1
    case greaterThan = 2
    case greaterThanOrEqualTo = 3
    case equalTo = 4
    case notEqualTo = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case `in` = 10
    case contains = 99
    case between = 100
    /// A method of the left side's, called with the right side; see ``customSelector``.
    case customSelector = 11
    /// Core Data's number for this one isn't public.
    case utiConformsTo = 1001
    /// Core Data's number for this one isn't public.
    case utiEquals = 1002
  }

  public typealias Options = ComparisonOptions

  public final let leftExpression: Expression
  public final let rightExpression: Expression
  public final let comparisonPredicateModifier: Modifier
  public final let predicateOperatorType: Operator
  public final let options: Options
  /// The selector of the method that decides, for the operator `.customSelector`.
  public final let customSelector: String?

  private final let caches = AtomicLazyReference<Caches>()

  /// What is kept of constants that are compared again and again.
  private final class Caches: Sendable {
    let patterns = TextPatternCache()
    let memberships = MembershipCache()
  }

  /// Made when first asked for: most predicates that an app makes are never evaluated object by object.
  private final var madeCaches: Caches { caches.load() ?? caches.storeIfNil(Caches()) }
  final var patterns: TextPatternCache { madeCaches.patterns }
  final var memberships: MembershipCache { madeCaches.memberships }

  public init(
    leftExpression: Expression, rightExpression: Expression, modifier: Modifier = .direct,
    type: Operator, options: Options = []
  ) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = modifier
    predicateOperatorType = type
    self.options = options
    customSelector = nil
    super.init(value: false)
  }

  /// A key path compared with a constant.
  package convenience init(_ keyPath: String, _ type: Operator, _ constant: Any?) {
    self.init(
      leftExpression: Expression(forKeyPath: keyPath),
      rightExpression: Expression(forConstantValue: constant), type: type)
  }

  /// A comparison by a method of the left side's that takes the right side and gives a Boolean, as
  /// `isEqualToString:`.
  public init(leftExpression: Expression, rightExpression: Expression, customSelector: String) {
    self.leftExpression = leftExpression
    self.rightExpression = rightExpression
    comparisonPredicateModifier = .direct
    predicateOperatorType = .customSelector
    options = []
    self.customSelector = customSelector
    super.init(value: false)
  }

  // MARK: Predicate

  override func evaluate(in scope: inout EvaluationScope) throws -> Bool {
    let left = try leftExpression.value(in: &scope)
    let right = try rightExpression.value(in: &scope)
    return switch comparisonPredicateModifier {
    case .direct: try holds(left, right)
    case .any where scope.isInStore && left.isSingle: try holds(left, right)
    case .any: try elements(of: left).contains { try holds($0, right) }
    case .all: try elements(of: left).allSatisfy { try holds($0, right) }
    }
  }

  override func replacingExpressions(_ transform: (Expression) -> Expression?) -> Predicate {
    let left = leftExpression.replacing(transform)
    let right = rightExpression.replacing(transform)
    if let customSelector {
      return ComparisonPredicate(
        leftExpression: left, rightExpression: right, customSelector: customSelector)
    }
    return ComparisonPredicate(
      leftExpression: left, rightExpression: right, modifier: comparisonPredicateModifier,
      type: predicateOperatorType, options: options)
  }

  override func hasSameContent(as other: Predicate) -> Bool {
    guard let other = other as? ComparisonPredicate else { return false }
    return predicateOperatorType == other.predicateOperatorType && options == other.options
      && comparisonPredicateModifier == other.comparisonPredicateModifier
      && customSelector == other.customSelector
      && leftExpression == other.leftExpression && rightExpression == other.rightExpression
  }

  // MARK: Printing

  open override var predicateFormat: String {
    "\(quantifier)\(leftExpression.comparisonOperand) \(operatorText) \(rightExpression.comparisonOperand)"
  }

  /// `ANY ` or `ALL `, where it has one.
  final var quantifier: String {
    switch comparisonPredicateModifier {
    case .direct: ""
    case .all: "ALL "
    case .any: "ANY "
    }
  }

  /// The operator with its options, as `BEGINSWITH[cd]`.
  final var operatorText: String {
    (customSelector ?? predicateOperatorType.symbol)
      + (options.isEmpty ? "" : "[\(options.letters)]")
  }
}

extension ComparisonPredicate.Operator {
  /// The operator as Core Data prints it.
  public var symbol: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    case .utiConformsTo: "UTI-CONFORMS-TO"
    case .utiEquals: "UTI-EQUALS"
    case .customSelector: "customSelector"
    }
  }
}

extension Expression {
  /// The text beside a comparison operator: an assignment needs parentheses there.
  fileprivate var comparisonOperand: String {
    if case .assignment = node { "(\(expressionFormat))" } else { expressionFormat }
  }
}

// MARK: - Evaluation

extension ComparisonPredicate {
  /// The elements that ANY and ALL range over; none for nil.
  func elements(of value: Value) throws -> [Value] {
    switch value.withKeys {
    case .null: return []
    case .collection(let collection): return collection.elements
    default:
      throw PredicateEvaluationError(
        .quantifiedScalar,
        "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet; "
          + "\(leftExpression) is \(FormatConstant.text(of: value)).")
    }
  }

  /// Whether the operator holds between two values.
  func holds(_ left: Value, _ right: Value) throws -> Bool {
    switch predicateOperatorType {
    case .equalTo: try areEqual(left, right)
    case .notEqualTo: try !areEqual(left, right)
    case .lessThan: try order(left, right) == .orderedAscending
    case .greaterThan: try order(left, right) == .orderedDescending
    case .lessThanOrEqualTo: try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greaterThanOrEqualTo: try order(left, right).map { $0 != .orderedAscending } ?? false
    case .beginsWith, .endsWith, .like, .matches: try matches(left, right)
    case .contains: try contains(left, right)
    case .in: try left.isNull ? false : contains(right, left)
    case .between: try isBetween(left, right)
    case .utiConformsTo, .utiEquals: try areTypesRelated(left, right)
    case .customSelector: try methodHolds(left, right)
    }
  }

  // MARK: Equality and order

  private func areEqual(_ left: Value, _ right: Value) throws -> Bool {
    guard options.foldsText, case (.string(let text), .string(let other)) = (left, right) else {
      return ValueComparison.areEqual(left, right)
    }
    return try patterns.pattern(other, for: .equalTo, options: options).matches(text)
  }

  /// nil when one side is nil, NaN or the like, which makes every ordering comparison false.
  private func order(_ left: Value, _ right: Value) throws -> ComparisonResult? {
    if left.isNull || right.isNull || left.isNotANumber || right.isNotANumber { return nil }
    guard options.foldsText, case (.string(let text), .string(let other)) = (left, right) else {
      return try ValueComparison.order(left, right)
    }
    return CodeUnits.order(text.folded(for: options), other.folded(for: options))
  }

  private func isBetween(_ value: Value, _ bounds: Value) throws -> Bool {
    guard case .collection(let collection) = bounds.withKeys, collection.elements.count == 2 else {
      throw PredicateEvaluationError(
        .invalidBounds,
        "BETWEEN needs two bounds {low, high}, not \(FormatConstant.text(of: bounds)).")
    }
    guard let low = try order(value, collection.elements[0]), low != .orderedAscending,
      let high = try order(value, collection.elements[1])
    else { return false }
    return high != .orderedDescending
  }

  // MARK: Text

  private func matches(_ left: Value, _ right: Value) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.string(let text), .string(let pattern)) = (left.decoded, right.decoded) else {
      throw notText(left, right)
    }
    if !options.foldsText {
      switch predicateOperatorType {
      case .beginsWith: return CodeUnits.hasPrefix(text, pattern)
      case .endsWith: return CodeUnits.hasSuffix(text, pattern)
      default: break
      }
    }
    return try patterns.pattern(pattern, for: predicateOperatorType, options: options).matches(text)
  }

  private func areTypesRelated(_ left: Value, _ right: Value) throws -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.string(let type), .string(let other)) = (left, right) else {
      throw notText(left, right)
    }
    return predicateOperatorType == .utiEquals
      ? UniformTypes.areEqual(type, other) : UniformTypes.conforms(type, to: other)
  }

  private func methodHolds(_ left: Value, _ right: Value) throws -> Bool {
    let call = MethodCall(receiver: left, selector: customSelector ?? "", arguments: [right])
    return try (call.result().doubleValue ?? 0) != 0
  }

  private func notText(_ left: Value, _ right: Value) -> PredicateEvaluationError {
    PredicateEvaluationError(
      .notText,
      "Can't do a substring operation with something that isn't a string (operator "
        + "\(predicateOperatorType.symbol), lhs = \(FormatConstant.text(of: left)), "
        + "rhs = \(FormatConstant.text(of: right))).")
  }

  // MARK: Membership

  /// Whether `container` has `value` as an element, or as a part of its text.
  private func contains(_ container: Value, _ value: Value) throws -> Bool {
    switch (container.withKeys, value) {
    case (.null, _): return false
    case (.collection(let collection), _): return isMember(value, of: collection)
    case (.string, .null): return false
    case (.string(let text), .string(let part)):
      if !options.foldsText { return CodeUnits.contains(text, part) }
      return try patterns.pattern(part, for: .contains, options: options).matches(text)
    case (.string, _): throw notText(container, value)
    case (.object(let dictionary as KeyedValues), _):
      return dictionary.values.values.contains { ValueComparison.areEqual($0, value) }
    default:
      throw PredicateEvaluationError(
        .notACollection,
        "Can't use in/contains operator with collection \(FormatConstant.text(of: container)) "
          + "(not a collection)")
    }
  }

  private func isMember(_ value: Value, of collection: ValueCollection) -> Bool {
    if options.foldsText, case .string(let text) = value {
      let folded = text.folded(for: options)
      return collection.elements.contains {
        if case .string(let other) = $0 {
          CodeUnits.areEqual(other.folded(for: options), folded)
        } else {
          false
        }
      }
    }
    // A constant is asked again and again; anything else is a new collection each time.
    let container = predicateOperatorType == .in ? rightExpression : leftExpression
    guard case .constant = container.node else {
      return Membership.contains(value, in: collection)
    }
    return memberships.membership(of: collection).contains(value)
  }
}

extension Value {
  /// Whether it is no collection, and not nil.
  fileprivate var isSingle: Bool {
    switch withKeys {
    case .null, .collection: false
    default: true
    }
  }

  fileprivate var isNotANumber: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}
