/// Something that is done with the store after the chain.
public struct Action: Sendable {
  public enum Kind: Sendable {
    case insert(entity: Located<String>, name: Located<String>?, values: [PropertyValue])
    case set(ObjectReference, values: [PropertyValue])
    case link(ObjectReference, members: [PropertyValue])
    case unlink(ObjectReference, members: [PropertyValue])
    case delete(ObjectReference)
    case save
    case rollback
    /// Opens the store again with the newest model, as an app's next start does.
    case start
    /// Only the expectations.
    case none
  }
  public var place: SourcePlace
  public var kind: Kind
  /// The error the action must end with; nil when it must succeed.
  public var failure: FailureExpectation?
  public var expectations: [Expectation] = []
}
