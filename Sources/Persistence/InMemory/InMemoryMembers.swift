import OrderedCollections

/// The destinations of a to-many relationship, in order, each once.
///
/// Most are written once and then only read: what tells members apart is made when somebody first asks.
struct InMemoryMembers {
  private enum Members {
    case list([ManagedObjectID])
    case set(OrderedSet<ManagedObjectID>)
  }

  private var members: Members

  init(_ ids: [ManagedObjectID] = []) {
    members = Self.areSurelyDistinct(ids) ? .list(ids) : .set(OrderedSet(ids))
  }

  /// Members are rows of one family, so that rising keys can't be of one row.
  private static func areInKeyOrder(_ ids: [ManagedObjectID]) -> Bool {
    zip(ids, ids.dropFirst()).allSatisfy { $0.primaryKey < $1.primaryKey }
  }

  /// So few members are compared with one another sooner than hashed.
  private static let few = 8

  private static func areSurelyDistinct(_ ids: [ManagedObjectID]) -> Bool {
    if areInKeyOrder(ids) { return true }
    return ids.count < few
      && ids.indices.allSatisfy { place in
        !ids[..<place].contains { $0.primaryKey == ids[place].primaryKey }
      }
  }

  var isEmpty: Bool { array.isEmpty }

  var array: [ManagedObjectID] {
    switch members {
    case .list(let list): list
    case .set(let set): set.elements
    }
  }

  mutating func append(_ id: ManagedObjectID) {
    guard var list = takeList(endingBelow: id) else { return change { $0.append(id) } }
    list.append(id)
    members = .list(list)
  }

  mutating func remove(_ id: ManagedObjectID) { change { $0.remove(id) } }

  mutating func append(contentsOf ids: [ManagedObjectID]) {
    change { $0.append(contentsOf: ids) }
  }

  mutating func subtract(_ ids: [ManagedObjectID]) { change { $0.subtract(ids) } }

  mutating func change(removing removed: [ManagedObjectID], adding added: [ManagedObjectID]) {
    if removed.isEmpty, addAtEnd(added) { return }
    change { members in
      for id in removed { members.remove(id) }
      members.append(contentsOf: added)
    }
  }

  /// Adds members none of which is known: to none, or with keys that are all higher than those there are.
  /// - Returns: Whether it was that simple.
  private mutating func addAtEnd(_ added: [ManagedObjectID]) -> Bool {
    if isEmpty {
      self = InMemoryMembers(added)
      return true
    }
    guard Self.areInKeyOrder(added), let first = added.first,
      var list = takeList(endingBelow: first)
    else { return false }
    list.append(contentsOf: added)
    members = .list(list)
    return true
  }

  /// Takes the list out, where it is one and all its keys are lower than another: whoever holds it alone
  /// adds to it without a copy.
  private mutating func takeList(endingBelow id: ManagedObjectID) -> [ManagedObjectID]? {
    // Of more than a few the last one has the highest key.
    guard case .list(let list) = members,
      list.suffix(Self.few).allSatisfy({ $0.primaryKey < id.primaryKey })
    else { return nil }
    members = .list([])
    return list
  }

  /// Gives the members the order that they have in a list; those that aren't in it come last.
  mutating func order(as ids: [ManagedObjectID]) {
    if array.count == ids.count, zip(array, ids).allSatisfy({ $0.isSame(as: $1) }) { return }
    change { $0 = OrderedSet(ids.filter($0.contains)).union($0) }
  }

  private mutating func change(_ body: (inout OrderedSet<ManagedObjectID>) -> Void) {
    var set: OrderedSet<ManagedObjectID>
    switch members {
    case .list(let list): set = OrderedSet(list)
    case .set(let known): set = known
    }
    // Only one of the two may hold the members, or the change copies them.
    members = .list([])
    body(&set)
    members = .set(set)
  }
}

/// The destinations of an object's to-many relationships, by slot. There are few, mostly one.
struct MembersBySlot: ExpressibleByDictionaryLiteral {
  private var entries: ContiguousArray<(slot: Int, members: InMemoryMembers)> = []

  init(dictionaryLiteral elements: (Int, InMemoryMembers)...) {
    for (slot, members) in elements { self[slot] = members }
  }

  private func place(of slot: Int) -> Int? {
    for place in entries.indices where entries[place].slot == slot { return place }
    return nil
  }

  subscript(slot: Int) -> InMemoryMembers? {
    get { place(of: slot).map { entries[$0].members } }
    set {
      guard let newValue else { return entries.removeAll { $0.slot == slot } }
      change(slot) { $0 = newValue }
    }
  }

  /// Changes the members of a relationship where they are; there are none at first.
  mutating func change(_ slot: Int, _ body: (inout InMemoryMembers) -> Void) {
    let place = place(of: slot) ?? entries.count
    if place == entries.count { entries.append((slot, InMemoryMembers())) }
    body(&entries[place].members)
  }

  func forEachList(_ body: (InMemoryMembers) -> Void) {
    for entry in entries { body(entry.members) }
  }
}
