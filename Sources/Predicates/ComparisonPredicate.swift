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

  /// A comparison by a method of the left side's that takes the right side and gives a Boolean, as
  /// `isEqualToString:`. Has no text in the format language.
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
    let modifier =
      switch comparisonPredicateModifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    let letters = options.isEmpty ? "" : "[\(options.letters)]"
    return modifier + leftExpression.comparisonOperand + " "
      + (customSelector ?? predicateOperatorType.symbol)
      + letters + " " + rightExpression.comparisonOperand
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
