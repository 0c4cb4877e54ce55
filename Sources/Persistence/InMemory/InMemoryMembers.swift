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
    members = Self.areInKeyOrder(ids) ? .list(ids) : .set(OrderedSet(ids))
  }

  /// Members are rows of one family, so that rising keys can't be of one row.
  private static func areInKeyOrder(_ ids: [ManagedObjectID]) -> Bool {
    zip(ids, ids.dropFirst()).allSatisfy { $0.primaryKey < $1.primaryKey }
  }

  var isEmpty: Bool { array.isEmpty }

  var array: [ManagedObjectID] {
    switch members {
    case .list(let list): list
    case .set(let set): set.elements
    }
  }

  mutating func append(_ id: ManagedObjectID) {
    guard case .list(var list) = members, list.last.map({ $0.primaryKey < id.primaryKey }) ?? true
    else { return change { $0.append(id) } }
    members = .list([])
    list.append(id)
    members = .list(list)
  }

  mutating func remove(_ id: ManagedObjectID) { change { $0.remove(id) } }

  mutating func append(contentsOf ids: [ManagedObjectID]) {
    change { $0.append(contentsOf: ids) }
  }

  mutating func subtract(_ ids: [ManagedObjectID]) { change { $0.subtract(ids) } }

  mutating func change(removing removed: [ManagedObjectID], adding added: [ManagedObjectID]) {
    change { members in
      for id in removed { members.remove(id) }
      members.append(contentsOf: added)
    }
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
