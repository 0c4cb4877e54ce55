/// A value that a fetch computes for its dictionaries: an expression with a name and a type.
///
/// Not part of an entity; to be put among ``UntypedFetchRequest/propertiesToFetch``.
/// Sendable unchecked: as its superclass; part of one request.
public final class ExpressionDescription: PropertyDescription, @unchecked Sendable {
  /// What is computed: of each object, or of each group for `count:`, `sum:`, `average:`, `min:`,
  /// `max:` and `@count`, `@sum.key` and the like.
  public var expression: Expression?
  /// The type of the value; `.undefined` leaves it as it is computed.
  public var expressionResultType: AttributeType = .undefined

  public convenience init() { self.init(name: "") }

  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = ExpressionDescription(name: name)
    (copy.expression, copy.expressionResultType) = (expression, expressionResultType)
    return copy
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ExpressionDescription else { return false }
    return super.isEqual(other) && other.expression == expression
      && other.expressionResultType == expressionResultType
  }
}
