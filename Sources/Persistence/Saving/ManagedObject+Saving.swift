// What a save writes of one object.

extension ManagedObject {
  /// What a store needs to know to write this object.
  /// - Throws: `.managedObjectValidation` when it refers to an object that will not be saved.
  func change() throws -> SaveRequest.ObjectChange {
    try makeReferencesPermanent()
    return SaveRequest.ObjectChange(
      objectID: objectID.current, version: version, values: values, toMany: try toManyChanges())
  }

  /// Exchanges temporary identifiers in to-one slots.
  private func makeReferencesPermanent() throws {
    for relationship in entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot] else { continue }
      let id = unsafeDowncast(reference, to: ManagedObjectID.self)
      if let successor = id.successor {
        values[relationship.slot] = .object(successor)
      } else if id.isTemporaryID && !relationship.isTransient {
        throw CoreDataError.dangling(relationship, of: self)
      }
    }
  }

  /// Undoes ``makeReferencesPermanent()``.
  func takeBackReferences(_ temporary: [ObjectIdentifier: ManagedObjectID]) {
    if isFault { return }
    for relationship in entity.relationships where !relationship.isToMany {
      guard case .object(let reference) = values[relationship.slot],
        let id = temporary[ObjectIdentifier(reference)]
      else { continue }
      values[relationship.slot] = .object(id)
    }
  }

  /// Exchanges temporary identifiers among the members of to-many relationships.
  func makeMembersPermanent() {
    for destinations in toMany { destinations?.makePermanent() }
  }

  private func toManyChanges() throws -> [SaveRequest.ToManyChange] {
    if toMany.isEmpty { return [] }
    return try entity.relationships.compactMap { relationship in
      guard relationship.isToMany, !relationship.isTransient,
        let destinations = toMany[relationship.slot], destinations.hasChanges
      else { return nil }
      let change = confirmed(
        SaveRequest.ToManyChange(
          relationship: relationship, added: destinations.additions,
          removed: Array(destinations.removed),
          ordered: relationship.isOrdered ? destinationIDs(of: relationship) : nil)
      ).withCurrentIDs
      if change.added.contains(where: \.isTemporaryID) {
        throw CoreDataError.dangling(relationship, of: self)
      }
      return change
    }
  }

  /// Leaves out what the members don't say themselves. A link to one object is kept with the member:
  /// one that was read before others linked it isn't changed by being taken out, or put in, here.
  private func confirmed(_ change: SaveRequest.ToManyChange) -> SaveRequest.ToManyChange {
    guard let inverse = change.relationship.inverseRelationship else { return change }
    if inverse.isToMany { return withoutDeleted(change) }
    if state.contains(.inserted) { return change }
    let unsaid = (
      added: change.added.filter { !says($0, by: inverse, that: true) },
      removed: change.removed.filter { !says($0, by: inverse, that: false) }
    )
    if unsaid.added.isEmpty && unsaid.removed.isEmpty { return change }
    let kept = unsaid.removed.filter { context?.rowOrException(for: $0) != nil }
    return SaveRequest.ToManyChange(
      relationship: change.relationship,
      added: change.added.filter { !unsaid.added.contains($0) },
      removed: change.removed.filter { !unsaid.removed.contains($0) },
      ordered: change.ordered.map { $0.filter { !unsaid.added.contains($0) } + kept })
  }

  /// Leaves out what is deleted by the same save: the rule *no action* leaves it a member.
  private func withoutDeleted(_ change: SaveRequest.ToManyChange) -> SaveRequest.ToManyChange {
    guard let context, !context.deleted.isEmpty else { return change }
    func isKept(_ id: ManagedObjectID) -> Bool {
      context.registry.object(id)?.isMarkedDeleted != true
    }
    return SaveRequest.ToManyChange(
      relationship: change.relationship, added: change.added.filter(isKept),
      removed: change.removed, ordered: change.ordered?.filter(isKept))
  }

  /// Whether this save writes of a member that it leads, or doesn't lead, here.
  private func says(
    _ id: ManagedObjectID, by relationship: RelationshipDescription, that leadsHere: Bool
  ) -> Bool {
    // A new member goes by its temporary identifier until it is saved.
    guard let member = context?.registry.object(id), member.hasChanges else { return false }
    if member.isMarkedDeleted { return !leadsHere }
    let owner = member.destinationID(of: relationship)
    return (owner?.isSame(as: objectID) ?? false) == leadsHere
  }

  /// - Parameter version: The version of the row that was written.
  func didSave(version: Int64) {
    self.version = version
    snapshot = nil
    state = []
    if toMany.isEmpty { return }
    for slot in toMany.indices { toMany[slot] = toMany[slot]?.afterSave() }
  }
}

extension SaveRequest.ToManyChange {
  /// The change with permanent identifiers, where there are some.
  fileprivate var withCurrentIDs: SaveRequest.ToManyChange {
    SaveRequest.ToManyChange(
      relationship: relationship, added: added.map(\.current), removed: removed.map(\.current),
      ordered: ordered?.map(\.current))
  }
}
