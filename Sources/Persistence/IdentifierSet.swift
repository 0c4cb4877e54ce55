/// Identifiers in the order in which they were added, each once.
///
/// Most have few members, which are compared one by one. A large one gets an index when somebody asks
/// whether it has a member: adding members that are known to be new takes no look at the others.
struct IdentifierSet: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  private var members: ContiguousArray<ManagedObjectID> = []
  /// The first members.
  private var index: Set<Entry> = []
  /// How many of the members are in the index.
  private var indexedCount = 0

  /// Up to so many members are compared one by one.
  private static let smallCount = 8

  private struct Entry: Hashable {
    let id: ManagedObjectID

    static func == (a: Entry, b: Entry) -> Bool { a.id.isSame(as: b.id) }

    func hash(into hasher: inout Hasher) { hasher.combine(id.primaryKey) }
  }

  init() {}

  init(arrayLiteral elements: ManagedObjectID...) { self.init(elements) }

  init(_ ids: some Sequence<ManagedObjectID>) {
    for id in ids { append(id) }
  }

  var startIndex: Int { 0 }
  var endIndex: Int { members.count }
  subscript(position: Int) -> ManagedObjectID { members[position] }

  /// ``contains(_:)`` for whoever asks more than once.
  mutating func has(_ id: ManagedObjectID) -> Bool {
    if members.count > Self.smallCount {
      for place in indexedCount..<members.count { index.insert(Entry(id: members[place])) }
      indexedCount = members.count
    }
    return contains(id)
  }

  func contains(_ id: ManagedObjectID) -> Bool {
    if !index.isEmpty, indexedCount == members.count { return index.contains(Entry(id: id)) }
    return place(of: id) != nil
  }

  private func place(of id: ManagedObjectID) -> Int? {
    for place in members.indices where members[place].isSame(as: id) { return place }
    return nil
  }

  /// Adds an identifier behind the others, unless it is there.
  /// - Returns: Whether it wasn't.
  @discardableResult
  mutating func append(_ id: ManagedObjectID) -> Bool {
    if has(id) { return false }
    appendNew(id)
    return true
  }

  /// Adds an identifier that isn't there.
  @inline(__always)
  mutating func appendNew(_ id: ManagedObjectID) { members.append(id) }

  /// - Returns: Whether it was there.
  @discardableResult
  mutating func remove(_ id: ManagedObjectID) -> Bool {
    guard has(id), let place = place(of: id) else { return false }
    if place < indexedCount {
      index.remove(Entry(id: id))
      indexedCount -= 1
    }
    members.remove(at: place)
    return true
  }

  mutating func removeAll(where isGone: (ManagedObjectID) -> Bool) {
    members.removeAll(where: isGone)
    index = []
    indexedCount = 0
  }

  /// Takes all out. Keeps the memory if it is for no more than so many.
  mutating func removeAll(keepingCapacityFor most: Int) {
    members.removeAll(keepingCapacity: members.capacity <= most)
    if !index.isEmpty { index = [] }
    indexedCount = 0
  }

  /// These, and behind them the others that aren't among them.
  func union(_ others: some Sequence<ManagedObjectID>) -> IdentifierSet {
    var all = self
    for id in others { all.append(id) }
    return all
  }
}
