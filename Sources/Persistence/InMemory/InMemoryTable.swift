/// What is known of a key whose row was deleted, or didn't come yet.
struct AbsentRow {
  /// What leads there by the keys of relationships to one, by the slots of their inverses. It belongs to
  /// the row once that is made, or made again.
  var members: MembersBySlot = [:]
  var wasDeleted = false
}

/// The rows of a hierarchy of entities, in the order of their keys.
///
/// Keys mostly follow one another without gaps, so a row is found by its distance from the first one;
/// where there are gaps, by halving what is left.
struct InMemoryTable {
  /// In ascending order; may have keys whose rows are gone.
  private(set) var keys: ContiguousArray<Int64> = []
  /// The numbers of rows by the places of their keys; negative for those that are gone.
  private var numbers: ContiguousArray<Int32> = []
  /// The rows, by their numbers.
  var rows = FlatRows()
  /// How many rows there are.
  private(set) var count = 0
  var lastKey: Int64 = 0
  /// What is known of keys without rows.
  var absent: [Int64: AbsentRow] = [:]

  /// The place of a key; nil when the table never had it.
  private func place(of key: Int64) -> Int? {
    guard let first = keys.first, key >= first else { return nil }
    let distance = Int(key - first)
    if distance < keys.count, keys[distance] == key { return distance }
    // No key comes later than as many places after the first one as it is higher.
    let place = keys.firstPlace(notBelow: key, before: min(distance, keys.count))
    return place < keys.count && keys[place] == key ? place : nil
  }

  /// The number of a key's row; nil when there is none.
  func number(of key: Int64) -> Int? {
    guard let place = place(of: key), numbers[place] >= 0 else { return nil }
    return Int(numbers[place])
  }

  /// Makes a row with nulls for values, and without links, in place of one that has its key.
  ///
  /// Keys nearly always arrive in order; one that was reserved early, or whose row was deleted and is
  /// made again, goes where it belongs.
  /// - Returns: The row's number.
  mutating func makeRow(_ key: Int64, _ entity: EntityDescription, version: Int64) -> Int {
    if let last = keys.last, last >= key { return insertRow(key, entity, version: version) }
    let number = rows.make(entity, version: version)
    keys.append(key)
    numbers.append(Int32(number))
    count += 1
    return number
  }

  private mutating func insertRow(
    _ key: Int64, _ entity: EntityDescription, version: Int64
  ) -> Int {
    let place = keys.firstPlace(notBelow: key, before: keys.count)
    if keys[place] == key {
      if numbers[place] >= 0 { rows.remove(Int(numbers[place])) } else { count += 1 }
    } else {
      keys.insert(key, at: place)
      numbers.insert(-1, at: place)
      count += 1
    }
    let number = rows.make(entity, version: version)
    numbers[place] = Int32(number)
    assert(place == 0 || keys[place - 1] < key, "the keys don't ascend")
    assert(place + 1 == keys.count || key < keys[place + 1], "the keys don't ascend")
    return number
  }

  mutating func remove(_ key: Int64) {
    guard let place = place(of: key), numbers[place] >= 0 else { return }
    rows.remove(Int(numbers[place]))
    numbers[place] = -1
    count -= 1
    if keys.count > 2 * count + 16 { forgetGaps() }
  }

  private mutating func forgetGaps() {
    let kept = numbers.indices.filter { numbers[$0] >= 0 }
    keys = ContiguousArray(kept.map { keys[$0] })
    numbers = ContiguousArray(kept.map { numbers[$0] })
  }

  /// How many rows are of entities that are wanted.
  func count(where isWanted: (EntityDescription) -> Bool) -> Int {
    rows.count(rows.kinds(where: isWanted))
  }

  /// Gives key and number of each row in the order of their keys.
  /// - Parameter body: Returns false to stop. What is given is what was there at the start: ask the
  ///   table as it was then about it.
  @inline(__always)
  func forEachRow(_ body: (Int64, Int) throws -> Bool) rethrows {
    for place in keys.indices where numbers[place] >= 0 {
      if try !body(keys[place], Int(numbers[place])) { return }
    }
  }

  /// Changes the destinations of a row's relationship to many.
  /// - Returns: False when there is no such row.
  @discardableResult
  mutating func changeMembers(
    of key: Int64, _ slot: Int, _ body: (inout InMemoryMembers) -> Void
  ) -> Bool {
    guard let number = number(of: key) else { return false }
    rows.changeMembers(number, slot, body)
    return true
  }
}

extension RandomAccessCollection where Element == Int64, Index == Int {
  /// The place of the first one that isn't lower than a key, of ascending ones up to a place.
  func firstPlace(notBelow key: Int64, before end: Int) -> Int {
    var (low, high) = (0, end)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
