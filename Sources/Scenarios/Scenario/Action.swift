/// Something that is done with the store after the chain.
package struct Action: Sendable {
  package enum Kind: Sendable {
    case insert(entity: Located<String>, name: Located<String>?, values: [PropertyValue])
    case set(ObjectReference, values: [PropertyValue])
    case link(ObjectReference, members: [PropertyValue])
    case unlink(ObjectReference, members: [PropertyValue])
    case delete(ObjectReference)
    case save
    case rollback
    /// Opens the store again, as an app's next start does.
    case start(Release)
    /// Only the expectations.
    case none
  }

  /// The app that is started: the same one, or a later release with other models.
  package struct Release: Sendable {
    /// The versions of the model that it has, the last one its own; none for those of the chain.
    package var versions: [Located<String>] = []
    /// Whether it opens the store that the chain started from, which a destination of its own left where it was.
    package var opensSource: Located<String>?
  }

  package var place: SourcePlace
  package var kind: Kind
  /// The error the action must end with; nil when it must succeed.
  package var failure: FailureExpectation?
  package var expectations: [Expectation] = []
}
