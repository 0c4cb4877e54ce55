import OrderedCollections

/// The destinations of a to-many relationship, in order, each once, as the keys of their rows: they are
/// all of one hierarchy.
///
/// Most are written once and then only read: what tells members apart is made when somebody first asks.
enum InMemoryMembers {
  case none
  case one(Int64)
  /// Of more than a few the last one has the highest key.
  case list(ContiguousArray<Int64>)
  case set(OrderedSet<Int64>)

  /// Up to so many members are compared with one another sooner than hashed.
  private static let few = 8

  var isEmpty: Bool { count == 0 }

  var count: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .list(let list): list.count
    case .set(let set): set.count
    }
  }

  var keys: ContiguousArray<Int64> {
    switch self {
    case .none: []
    case .one(let key): [key]
    case .list(let list): list
    case .set(let set): ContiguousArray(set)
    }
  }

  mutating func append(_ key: Int64) {
    switch self {
    case .none: self = .one(key)
    case .one(let only): if key != only { self = .list([only, key]) }
    case .list(var list):
      // Whoever holds the list alone adds to it without a copy.
      self = .none
      if !Self.append(key, to: &list) {
        self = .list(list)
        change { $0.append(key) }
      } else {
        self = .list(list)
      }
    case .set: change { $0.append(key) }
    }
  }

  /// - Returns: False where it takes more to tell whether the key is new.
  @inline(__always)
  private static func append(_ key: Int64, to list: inout ContiguousArray<Int64>) -> Bool {
    if list.count > few ? list[list.count - 1] < key : list.allSatisfy({ $0 < key }) {
      list.append(key)
      return true
    }
    guard list.count < few else { return false }
    if !list.contains(key) { list.append(key) }
    return true
  }

  mutating func remove(_ key: Int64) { change { $0.remove(key) } }

  mutating func subtract(_ keys: [Int64]) {
    if !isEmpty { change { $0.subtract(keys) } }
  }

  mutating func change(removing removed: [Int64], adding added: [Int64]) {
    if !removed.isEmpty, !isEmpty {
      change { members in for key in removed { members.remove(key) } }
    }
    for key in added { append(key) }
  }

  /// Gives the members the order that they have in a list; those that aren't in it come last.
  mutating func order(as keys: [Int64]) {
    if count == keys.count, self.keys.elementsEqual(keys) { return }
    change { $0 = OrderedSet(keys.filter($0.contains)).union($0) }
  }

  private mutating func change(_ body: (inout OrderedSet<Int64>) -> Void) {
    var set: OrderedSet<Int64>
    if case .set(let known) = self { set = known } else { set = OrderedSet(keys) }
    // Only one of the two may hold the members, or the change copies them.
    self = .none
    body(&set)
    self = .set(set)
  }
}

/// The destinations of relationships to many, by slot, of an object whose row isn't there.
struct MembersBySlot: ExpressibleByDictionaryLiteral {
  private(set) var entries: ContiguousArray<(slot: Int, members: InMemoryMembers)> = []

  init(dictionaryLiteral elements: (Int, InMemoryMembers)...) {
    for (slot, members) in elements { change(slot) { $0 = members } }
  }

  private func place(of slot: Int) -> Int? {
    for place in entries.indices where entries[place].slot == slot { return place }
    return nil
  }

  subscript(slot: Int) -> InMemoryMembers { place(of: slot).map { entries[$0].members } ?? .none }

  /// Changes the members of a relationship where they are; there are none at first.
  mutating func change(_ slot: Int, _ body: (inout InMemoryMembers) -> Void) {
    let place = place(of: slot) ?? entries.count
    if place == entries.count { entries.append((slot, .none)) }
    body(&entries[place].members)
  }
}
