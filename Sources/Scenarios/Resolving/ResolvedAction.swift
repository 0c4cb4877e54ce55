/// Something that is done after the chain, whose names were found in the models.
package struct ResolvedAction: Sendable {
  /// A change of the store through its context.
  package enum Change: Sendable {
    case insert(EntityDescription, name: String?, [ResolvedField])
    case set(ResolvedReference, [ResolvedField])
    case link(ResolvedReference, [ResolvedLinks])
    case unlink(ResolvedReference, [ResolvedLinks])
    case delete(ResolvedReference)
    case save
    case rollback
  }

  /// The action as the scenario writes it.
  package let written: Action
  /// By version that the store may be of; none for an action that changes no store.
  let changes: [String: Change]
  package let expectations: [ResolvedExpectation]

  /// What it changes in a store of a version that runs come to.
  package func change(at version: String) -> Change {
    guard let change = changes[version] else {
      preconditionFailure("the step at \(written.place) wasn't resolved for \(version)")
    }
    return change
  }
}
