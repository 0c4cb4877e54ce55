/// The rows of a table by their numbers: what they have is in a few arrays that they share.
///
/// A million rows with objects and arrays of their own would be several million small pieces of memory.
struct FlatRows {
  /// The entities of rows that are there, or were.
  private var entities: ContiguousArray<EntityDescription> = []
  /// By row number, the place of its entity; ``gone`` for numbers that are free.
  private var kinds: ContiguousArray<UInt16> = []
  private var versions: ContiguousArray<Int64> = []
  private var values = FlatValues()
  /// The destinations of relationships to many, so many for each row.
  private var links: ContiguousArray<InMemoryMembers> = []
  private var linkCount = 0
  /// By slot, which of a row's links has its relationship's destinations; negative for none.
  private var linkPlaces: ContiguousArray<Int> = []
  private var free: ContiguousArray<Int> = []

  private static let gone = UInt16.max

  // MARK: Making rows

  /// A new row with nulls for values, and without links.
  mutating func make(_ entity: EntityDescription, version: Int64) -> Int {
    let kind = kindAdding(entity)
    if let number = free.popLast() {
      assert(kinds[number] == Self.gone, "a number is free and has a row")
      (kinds[number], versions[number]) = (kind, version)
      return number
    }
    let number = kinds.count
    kinds.append(kind)
    versions.append(version)
    values.makeRoom(for: number + 1)
    for _ in 0..<linkCount { links.append(.none) }
    return number
  }

  /// Frees a row's number, and what it had.
  mutating func remove(_ number: Int) {
    assert(kinds[number] != Self.gone, "a row is removed a second time")
    kinds[number] = Self.gone
    values.change(number) { row in for slot in row.indices { row[slot] = .null } }
    for link in 0..<linkCount { links[number * linkCount + link] = .none }
    free.append(number)
  }

  // MARK: Entities

  /// Which of the table's entities one is; nil for one that no row was of.
  @inline(__always)
  func kind(of entity: EntityDescription) -> Int? {
    entities.withUnsafeBufferPointer { known in
      for place in known.indices where known[place] === entity { return place }
      return nil
    }
  }

  private mutating func kindAdding(_ entity: EntityDescription) -> UInt16 {
    if let known = kind(of: entity) { return UInt16(known) }
    entities.append(entity)
    makeRoom(for: entity.rootEntity)
    makeRoom(for: entity)
    return UInt16(entities.count - 1)
  }

  /// Has room for what objects of an entity and its subentities have.
  private mutating func makeRoom(for entity: EntityDescription) {
    values.widen(to: entity.slotCount)
    for relationship in entity.relationships where relationship.isToMany {
      _ = linkAdding(relationship.slot)
    }
    for subentity in entity.subentities { makeRoom(for: subentity) }
  }

  @inline(__always)
  func kind(_ number: Int) -> Int { Int(kinds[number]) }

  @inline(__always)
  func entity(_ number: Int) -> EntityDescription {
    assert(kinds[number] != Self.gone, "the number of a row that is gone was kept")
    return entities[kind(number)]
  }

  /// By kind, whether rows of the entity are wanted.
  func kinds(where isWanted: (EntityDescription) -> Bool) -> ContiguousArray<Bool> {
    ContiguousArray(entities.map(isWanted))
  }

  /// How many rows are of kinds that are wanted.
  func count(_ wanted: ContiguousArray<Bool>) -> Int {
    var count = 0
    for kind in kinds where kind != Self.gone && wanted[Int(kind)] { count += 1 }
    return count
  }

  // MARK: Versions and values

  @inline(__always)
  func version(_ number: Int) -> Int64 { versions[number] }

  mutating func setVersion(_ version: Int64, _ number: Int) { versions[number] = version }

  @inline(__always)
  func value(_ number: Int, _ slot: Int) -> Value { values[number, slot] }

  mutating func setValue(_ value: Value, _ number: Int, _ slot: Int) {
    values[number, slot] = value
  }

  /// How many values a row has.
  @inline(__always)
  func valueCount(_ number: Int) -> Int { entity(number).slotCount }

  /// A row's values, in an array of their own.
  func values(_ number: Int) -> ContiguousArray<Value> {
    var copy: ContiguousArray<Value> = []
    copyValues(number, to: &copy)
    return copy
  }

  /// Copies a row's values into an array, which stays where it is if it is as long.
  ///
  /// Inline, since a call would hold all arrays of rows that are somebody's variable.
  @inline(__always)
  func copyValues(_ number: Int, to copy: inout ContiguousArray<Value>) {
    let count = valueCount(number)
    values.read(number) { row in
      guard copy.count == count else {
        copy = ContiguousArray(row[..<count])
        return
      }
      copy.withUnsafeMutableBufferPointer { copy in
        for slot in 0..<count { copy[slot] = row[slot] }
      }
    }
  }

  /// Gives a row other values.
  mutating func setValues(_ new: ContiguousArray<Value>, _ number: Int) {
    let count = min(new.count, valueCount(number))
    values.change(number) { row in
      new.withUnsafeBufferPointer { new in
        for slot in 0..<count { row[slot] = new[slot] }
      }
    }
  }

  @inline(__always)
  mutating func changeValues<Result>(
    _ number: Int, _ body: (UnsafeMutableBufferPointer<Value>) throws -> Result
  ) rethrows -> Result { try values.change(number, body) }

  // MARK: Links

  /// The destinations of a relationship to many.
  @inline(__always)
  func members(_ number: Int, _ slot: Int) -> InMemoryMembers {
    guard slot < linkPlaces.count, linkPlaces[slot] >= 0 else { return .none }
    return links[number * linkCount + linkPlaces[slot]]
  }

  @inline(__always)
  mutating func changeMembers(
    _ number: Int, _ slot: Int, _ body: (inout InMemoryMembers) -> Void
  ) {
    let place = linkAdding(slot)
    body(&links[number * linkCount + place])
  }

  @inline(__always)
  private mutating func linkAdding(_ slot: Int) -> Int {
    if slot < linkPlaces.count, linkPlaces[slot] >= 0 { return linkPlaces[slot] }
    return addLink(slot)
  }

  private mutating func addLink(_ slot: Int) -> Int {
    while linkPlaces.count <= slot { linkPlaces.append(-1) }
    linkPlaces[slot] = linkCount
    var wide: ContiguousArray<InMemoryMembers> = []
    for number in kinds.indices {
      wide += links[number * linkCount..<(number + 1) * linkCount]
      wide.append(.none)
    }
    (links, linkCount) = (wide, linkCount + 1)
    return linkPlaces[slot]
  }
}
