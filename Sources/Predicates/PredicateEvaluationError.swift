/// A predicate or expression that can't be evaluated for the values it met; Core Data raises an
/// exception in its place.
public struct PredicateEvaluationError: Error, Hashable, Sendable {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Hashable, Sendable {
    /// `$name` stands for nothing.
    case unboundVariable
    /// An object has no such property, or has no properties at all.
    case undefinedKey
    /// Values of different types were ordered by `<` or the like.
    case incomparable
    /// IN or CONTAINS met neither text nor a collection.
    case notACollection
    /// ANY or ALL met something else than a collection.
    case quantifiedScalar
    /// A text operator met something else than text.
    case notText
    /// MATCHES met a pattern that is no regular expression.
    case invalidPattern
    /// BETWEEN met something else than two bounds.
    case invalidBounds
    /// A function met arguments it can't work with, or a wrong number of them.
    case invalidArgument
    /// FUNCTION named a method that its target doesn't have.
    case unrecognizedSelector
    /// An index is outside the collection, or the collection has no order.
    case invalidIndex
    /// CAST to a type that the value can't take.
    case invalidCast
  }
  public let kind: Kind
  /// The exception's text, in Core Data's words where those are known.
  public let reason: String

  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

extension PredicateEvaluationError: CustomStringConvertible, LocalizedError, CustomNSError {
  /// Reports name an error that isn't Core Data's by its domain: the exception's name says more than a type's.
  public static var errorDomain: String { "NSInvalidArgumentException" }
  public var description: String { reason }
  public var errorDescription: String? { reason }
}
