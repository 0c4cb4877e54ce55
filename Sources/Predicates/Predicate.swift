/// A condition on an object: Core Data's `NSPredicate`.
///
/// A tree that never changes after it was made, so it can be evaluated by several threads. An
/// instance of this class itself is TRUEPREDICATE or FALSEPREDICATE; comparisons and compounds are
/// instances of ``ComparisonPredicate`` and ``CompoundPredicate``.
open class Predicate: NSObject, PredicateFormatting, @unchecked Sendable {
  /// The result of a constant predicate; without meaning in subclasses.
  let constant: Bool

  /// TRUEPREDICATE or FALSEPREDICATE.
  public init(value: Bool) { constant = value }

  public convenience override init() { self.init(value: true) }

  // MARK: What subclasses replace

  /// The answer for the object in `scope`; everything below ``evaluate(_:variables:)`` runs here.
  func evaluate(in scope: inout EvaluationScope) throws -> Bool { constant }

  /// The predicate with `transform` applied to all expressions in it that `transform` has a
  /// replacement for, outermost first.
  func replacingExpressions(_ transform: (Expression) -> Expression?) -> Predicate { self }

  /// The predicate as text in the format language, which parses to an equal predicate unless it
  /// holds constants that have no text (objects, blocks).
  open var predicateFormat: String { constant ? "TRUEPREDICATE" : "FALSEPREDICATE" }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Predicate, type(of: other) == type(of: self) else { return false }
    return hasSameContent(as: other)
  }

  /// Structural equality with a predicate of the same class.
  func hasSameContent(as other: Predicate) -> Bool { constant == other.constant }

  open override var hash: Int { predicateFormat.hashValue }

  public final override var description: String { predicateFormat }
}

// MARK: - Evaluating

extension Predicate {
  /// Whether `object` meets the condition.
  ///
  /// - Parameter variables: What `$name` stands for, by name without `$`.
  /// - Throws: ``PredicateEvaluationError``, `CoreDataError` for a key the object doesn't have,
  ///   and whatever a function that the predicate calls throws.
  public final func evaluate(_ object: Value, variables: [String: Value] = [:]) throws -> Bool {
    var scope = EvaluationScope(object: object, variables: variables)
    return try evaluate(in: &scope)
  }

  /// Whether `object` meets the condition, as a store judges it; saves the conversions of the general form.
  public final func evaluate(keyed object: any KeyValueCoding) throws -> Bool {
    var scope = EvaluationScope(keyed: object)
    return try evaluate(in: &scope)
  }

  /// Whether `object` meets the condition: an object, a dictionary with text keys, or any value.
  ///
  /// Raises an exception where Core Data does: for an undefined key, an unbound variable, values
  /// that can't be compared. The answer is then false.
  public final func evaluate(with object: Any?) -> Bool {
    evaluate(with: object, substitutionVariables: nil)
  }

  /// Whether `object` meets the condition when `$name` stands for `variables["name"]`.
  public final func evaluate(
    with object: Any?, substitutionVariables variables: [String: Any]?
  ) -> Bool {
    do {
      let bound = (variables ?? [:]).mapValues { Value(evaluating: $0) }
      return try evaluate(Value(evaluating: object), variables: bound)
    } catch {
      ExceptionTrap.raise(error)
      return false
    }
  }

  /// The predicate with `$name` replaced by `variables["name"]`; variables without a value stay.
  public final func withSubstitutionVariables(_ variables: [String: Any]) -> Predicate {
    substituting(variables.mapValues { Value(evaluating: $0) })
  }

  /// The typed form of ``withSubstitutionVariables(_:)``.
  public final func substituting(_ variables: [String: Value]) -> Predicate {
    replacingExpressions { $0.substitution(for: variables) }
  }
}
