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
        throw dangling(relationship)
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

  /// Without an inverse nobody takes the reference to a deleted object away.
  private func dangling(_ relationship: RelationshipDescription) -> CoreDataError {
    CoreDataError(
      .managedObjectValidation, "Dangling reference to an invalid object.",
      advice: "'\(relationship.name)' leads to a new object that was deleted before it was saved; "
        + "set another, or give the relationship an inverse."
    ).at(entity: entity.name, property: relationship.name, object: "\(objectID)")
  }

  private func toManyChanges() throws -> [SaveRequest.ToManyChange] {
    if toMany.isEmpty { return [] }
    return try entity.relationships.compactMap { relationship in
      guard relationship.isToMany, !relationship.isTransient,
        let destinations = toMany[relationship.slot], destinations.hasChanges
      else { return nil }
      let additions = destinations.additions.map(\.current)
      if additions.contains(where: \.isTemporaryID) { throw dangling(relationship) }
      let order = relationship.isOrdered ? destinationIDs(of: relationship).map(\.current) : nil
      return SaveRequest.ToManyChange(
        relationship: relationship, added: additions,
        removed: destinations.removed.map(\.current), ordered: order)
    }
  }

  func didSave(version: Int64) {
    self.version = version
    snapshot = nil
    state = []
    if toMany.isEmpty { return }
    for slot in toMany.indices { toMany[slot] = toMany[slot]?.afterSave() }
  }
}
