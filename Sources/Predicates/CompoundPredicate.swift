/// Several conditions joined by AND or OR, or one negated.
/// Sendable unchecked: nothing in it changes once it is made.
open class CompoundPredicate: Predicate, @unchecked Sendable {
  /// How the parts are joined. Raw values are Core Data's own.
  public enum LogicalType: UInt, Sendable, Hashable {
    case not = 0
    case and = 1
    case or = 2
  }
  public final let compoundPredicateType: LogicalType
  /// The parts; one for NOT. AND of nothing is true, OR of nothing false.
  public final let subpredicates: [Predicate]

  public init(type: LogicalType, subpredicates: [Predicate]) {
    compoundPredicateType = type
    self.subpredicates = subpredicates
    super.init(value: type != .or)
  }

  public convenience init(andPredicateWithSubpredicates subpredicates: [Predicate]) {
    self.init(type: .and, subpredicates: subpredicates)
  }

  public convenience init(orPredicateWithSubpredicates subpredicates: [Predicate]) {
    self.init(type: .or, subpredicates: subpredicates)
  }

  public convenience init(notPredicateWithSubpredicate predicate: Predicate) {
    self.init(type: .not, subpredicates: [predicate])
  }

  // MARK: Predicate

  override func evaluate(in scope: inout EvaluationScope) throws -> Bool {
    switch compoundPredicateType {
    case .not: return try !(subpredicates.first?.evaluate(in: &scope) ?? false)
    case .and:
      for part in subpredicates where try !part.evaluate(in: &scope) { return false }
      return true
    case .or:
      for part in subpredicates where try part.evaluate(in: &scope) { return true }
      return false
    }
  }

  override func replacingExpressions(_ transform: (Expression) -> Expression?) -> Predicate {
    CompoundPredicate(
      type: compoundPredicateType,
      subpredicates: subpredicates.map { $0.replacingExpressions(transform) })
  }

  override func hasSameContent(as other: Predicate) -> Bool {
    guard let other = other as? CompoundPredicate else { return false }
    return compoundPredicateType == other.compoundPredicateType
      && subpredicates == other.subpredicates
  }

  // MARK: Printing

  open override var predicateFormat: String {
    switch compoundPredicateType {
    case .not: "NOT " + (subpredicates.first.map(operand) ?? "FALSEPREDICATE")
    case .and: joined(by: " AND ", orEmpty: "TRUEPREDICATE")
    case .or: joined(by: " OR ", orEmpty: "FALSEPREDICATE")
    }
  }

  private func joined(by separator: String, orEmpty empty: String) -> String {
    if subpredicates.count == 1 { return subpredicates[0].predicateFormat }
    return subpredicates.isEmpty ? empty : subpredicates.map(operand).joined(separator: separator)
  }

  /// A part in parentheses when it is itself a compound, even of one part.
  /// Core Data: observed in public tests.
  private func operand(_ part: Predicate) -> String {
    let isCompound = (part as? CompoundPredicate)?.subpredicates.isEmpty == false
    return isCompound ? "(\(part.predicateFormat))" : part.predicateFormat
  }
}
