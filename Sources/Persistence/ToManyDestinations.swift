/// The destinations of one to-many relationship of one object, as the context knows them.
///
/// Until somebody asks for the members, only the changes are kept: adding an object to a large
/// relationship doesn't read the relationship.
final class ToManyDestinations {
  /// All members in order; nil while they haven't been read from the store.
  private(set) var members: IdentifierSet?
  /// Who has a copy of the members, and is to hear of every change.
  weak var observer: (any MembersObserver)?
  /// Changes against the store.
  private(set) var added: IdentifierSet = []
  private(set) var removed: IdentifierSet = []
  /// Whether members changed places.
  private(set) var isReordered = false
  /// Whether the object is in no store yet, so that every member is an addition.
  private var isOfNewObject: Bool

  init(ofNewObject isNew: Bool) {
    isOfNewObject = isNew
    members = isNew ? [] : nil
  }

  var isLoaded: Bool { members != nil }

  var hasChanges: Bool {
    if isOfNewObject { return members?.isEmpty == false }
    return isReordered || !added.isEmpty || !removed.isEmpty
  }

  /// What was added since the last save.
  var additions: [ManagedObjectID] { isOfNewObject ? Array(members ?? []) : Array(added) }

  /// Gives what was added since the last save.
  func forEachAddition(_ body: (ManagedObjectID) throws -> Void) rethrows {
    if isOfNewObject { try members?.forEach(body) } else { try added.forEach(body) }
  }

  /// Takes what the store holds and applies the changes made meanwhile.
  func load(_ stored: [ManagedObjectID]) {
    var all = IdentifierSet(stored)
    for id in removed { all.remove(id) }
    for id in added { all.append(id) }
    members = all
  }

  /// - Returns: Whether the member is new, as far as known.
  @discardableResult
  func add(_ id: ManagedObjectID) -> Bool {
    if members != nil, !members!.append(id) { return false }
    if isOfNewObject { return true }
    if removed.isEmpty || !removed.remove(id) { added.append(id) }
    return true
  }

  /// Tells who has a copy of the members that they changed.
  func tellObserver() { observer?.membersDidChange() }

  /// Adds a member that isn't among those known.
  func addNew(_ id: ManagedObjectID) {
    members?.appendNew(id)
    if isOfNewObject { return }
    if removed.isEmpty || !removed.remove(id) { added.appendNew(id) }
  }

  /// Whether an identifier is that of a member; nil while they haven't been read.
  func isMember(_ id: ManagedObjectID) -> Bool? { members?.has(id) }

  @discardableResult
  func remove(_ id: ManagedObjectID) -> Bool {
    if members != nil, !members!.remove(id) { return false }
    if isOfNewObject { return true }
    if !added.remove(id) { removed.append(id) }
    return true
  }

  /// Puts the members, which must be loaded, in another order.
  func reorder(_ order: [ManagedObjectID]) {
    guard let members, !members.elementsEqual(order) else { return }
    self.members = IdentifierSet(order)
    isReordered = true
  }

  /// Exchanges temporary identifiers for the permanent ones that replaced them.
  func makePermanent() {
    members = members.map(Self.permanent)
    added = Self.permanent(added)
    removed = Self.permanent(removed)
  }

  private static func permanent(_ ids: IdentifierSet) -> IdentifierSet {
    if ids.allSatisfy({ $0.successor == nil }) { return ids }
    return IdentifierSet(ids.map(\.current))
  }

  /// Starts anew, in the memory that the few were kept in.
  func reset(ofNewObject isNew: Bool) {
    var few = isOfNewObject ? members ?? [] : added
    (members, added) = (nil, [])
    few.removeAll(keepingCapacityFor: Self.fewCount)
    if isNew { members = few } else { added = few }
    if !removed.isEmpty { removed = [] }
    isReordered = false
    isOfNewObject = isNew
  }

  /// So many members at most have their memory kept.
  private static let fewCount = 32

  // MARK: Other contexts

  /// Makes a member that was removed here one again.
  func takeBackRemoval(of id: ManagedObjectID) {
    if removed.has(id) { add(id) }
    tellObserver()
  }

  /// Forgets the members, which others may have changed; the changes made here stay.
  func forgetMembers() {
    if isOfNewObject || isReordered { return }
    members = nil
    tellObserver()
  }

  /// Brings the changes made here to what others saved meanwhile.
  ///
  /// An order that was given here stays, with the members that others added behind it.
  /// - Parameter reading: Reads the members in the store.
  func unload(reading: ([ManagedObjectID]) -> [ManagedObjectID]) {
    if isOfNewObject { return }
    defer { tellObserver() }
    guard isReordered, let order = members else {
      members = nil
      dropChanges(knowing: reading([]))
      return
    }
    let stored = reading(Array(order))
    dropChanges(knowing: stored)
    load(stored)
    let all = members ?? []
    let kept = order.filter { all.contains($0) }
    members = IdentifierSet(kept).union(all)
  }

  /// What others did too is no change any more.
  private func dropChanges(knowing stored: [ManagedObjectID]) {
    let stored = Set(stored)
    added.removeAll { stored.contains($0) }
    removed.removeAll { !stored.contains($0) }
  }

  /// The members of an object that is to be inserted once more, as far as they are alive: those it
  /// has here, and those that still lead to it in the store.
  func ofObjectMadeAgain(
    stored: [ManagedObjectID], _ isAlive: (ManagedObjectID) -> Bool
  ) -> ToManyDestinations {
    let again = ToManyDestinations(ofNewObject: true)
    let strays = stored.filter { !removed.contains($0) }
    let known = members.map { $0.union(strays) } ?? IdentifierSet(strays).union(added)
    for id in known where isAlive(id) { again.add(id) }
    again.observer = observer
    return again
  }

  /// The members of an object that was to be inserted, and has a row by now: what the row hasn't is
  /// added.
  func ofStoredObject(_ stored: [ManagedObjectID]) -> ToManyDestinations {
    let changed = ToManyDestinations(ofNewObject: false)
    changed.load(stored)
    for id in members ?? [] { changed.add(id) }
    changed.reorder(Array((members ?? []).union(stored)))
    changed.observer = observer
    return changed
  }

  /// The state after a save: same members under their permanent identifiers, no changes.
  func afterSave() -> ToManyDestinations {
    let clean = ToManyDestinations(ofNewObject: false)
    clean.members = members.map(Self.permanent)
    clean.observer = observer
    return clean
  }
}

/// Something with a copy of a relationship's members.
protocol MembersObserver: AnyObject {
  func membersDidChange()
}
