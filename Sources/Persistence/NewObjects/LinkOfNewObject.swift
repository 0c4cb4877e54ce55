/// A link between a written object and a new one that writes it, and of which only the new one knows as
/// yet.
///
/// Whoever makes very many objects links each with one of few that were made before: a tag, a category. To
/// note each of those as changed, with its new members, would be for nothing, since all that is to be
/// written is in the new objects. So they learn of their new members when somebody asks them
/// (``NewObjects/settleLinks()``), and else never.
struct LinkOfNewObject {
  let owner: ManagedObject
  let relationship: RelationshipDescription
  /// Forgotten, with the link, when it is written.
  let member: ManagedObject
}

extension SpilledNewObjects {
  /// Whether an object's entity alone writes the links of a relationship.
  @inline(__always)
  fileprivate func writesLinks(
    of relationship: RelationshipDescription, from object: ManagedObject
  ) -> Bool {
    entities[object.storeIndex].writesLinks(of: relationship)
  }

  func leaveLink(
    from owner: ManagedObject, to object: ManagedObject, by relationship: RelationshipDescription
  ) -> Bool {
    let isWritten = relationship.inverseInPlace?.use { inverse in
      inverse.isInverse(of: relationship) && writesLinks(of: inverse, from: object)
    }
    guard isWritten == true else { return false }
    links.append(LinkOfNewObject(owner: owner, relationship: relationship, member: object))
    return true
  }

  func settle() {
    var waiting: ContiguousArray<LinkOfNewObject> = []
    swap(&waiting, &links)
    for link in waiting { link.owner.takeMember(of: link) }
  }
}

extension RelationshipDescription {
  fileprivate func isInverse(of other: RelationshipDescription) -> Bool {
    inverseInPlace?.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }
}

extension ManagedObject {
  /// Leaves it to a new object to know of a link between both, if it writes that.
  /// - Returns: Whether nothing else is to be done.
  func leavesLink(to object: ManagedObject, by relationship: RelationshipDescription) -> Bool {
    guard state.contains(.written), !state.contains(.rewritten), object.isUnwritten else {
      return false
    }
    return withContext { context in
      uncounted(context.newObjects) { $0.leavesLink(from: self, to: object, by: relationship) }
    } ?? false
  }

  fileprivate func takeMember(of link: LinkOfNewObject) {
    willChange()
    toManyDestinations(of: link.relationship).addNew(link.member.objectID)
  }
}
