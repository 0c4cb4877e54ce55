/// A link from a new object to a spilled one, which the spilled object doesn't have among its members yet.
///
/// A policy that makes very many objects typically links each to one of few older ones: a tag, a
/// category. The new object's row holds the link, so marking the older object as changed would only
/// write its row again for nothing. Its members are brought up to date when something reads them
/// (``NewObjects/settleLinks()``), otherwise never.
struct LinkOfNewObject {
  let owner: ManagedObject
  let relationship: RelationshipDescription
  /// Forgotten, with the link, when it is written.
  let member: ManagedObject
}

extension RelationshipDescription {
  func isInverse(of other: RelationshipDescription) -> Bool {
    inverseInPlace?.toOpaque() == Unmanaged.passUnretained(other).toOpaque()
  }
}

extension ManagedObject {
  /// Records a link with the new object only, if that is the end that writes it.
  /// - Returns: Whether it was recorded; if not, the caller updates both ends.
  func leavesLink(to object: ManagedObject, by relationship: RelationshipDescription) -> Bool {
    guard state.contains(.written), !state.contains(.rewritten), object.isUnwritten else {
      return false
    }
    return withContext { context in
      context.newObjects.leavesLink(from: self, to: object, by: relationship)
    } ?? false
  }

  func takeMember(of link: LinkOfNewObject) {
    willChange()
    toManyDestinations(of: link.relationship).addNew(link.member.objectID)
  }
}
