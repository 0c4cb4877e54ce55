/// A row of a store in memory.
struct InMemoryRow {
  let id: ManagedObjectID
  var version: Int64
  var values: ContiguousArray<Value>
  /// Destinations of to-many relationships, by slot.
  var toMany: MembersBySlot
}

/// What is known of a key whose row was deleted, or didn't come yet.
struct AbsentRow {
  /// What leads there by the keys of relationships to one, by the slots of their inverses. It belongs to
  /// the row once that is made, or made again.
  var members: MembersBySlot = [:]
  var wasDeleted = false
}

/// The rows of a family of entities, in the order of their keys.
///
/// Keys mostly follow one another without gaps, so a row is found by its distance from the first one;
/// where there are gaps, by halving what is left.
struct InMemoryTable {
  /// In ascending order; may have keys whose rows are gone.
  private(set) var keys: ContiguousArray<Int64> = []
  /// The rows by the places of their keys; nil for those that are gone.
  private var rows: ContiguousArray<InMemoryRow?> = []
  /// How many rows there are.
  private(set) var count = 0
  var lastKey: Int64 = 0
  /// What is known of keys without rows.
  var absent: [Int64: AbsentRow] = [:]

  /// Whether no row ever was in it, nor a key given out.
  var isUntouched: Bool { keys.isEmpty && lastKey == 0 && absent.isEmpty }

  /// The place of a key; nil when the table never had it.
  private func place(of key: Int64) -> Int? {
    guard let first = keys.first, key >= first else { return nil }
    let distance = Int(key - first)
    if distance < keys.count, keys[distance] == key { return distance }
    // No key comes later than as many places after the first one as it is higher.
    let place = keys.firstPlace(notBelow: key, before: min(distance, keys.count))
    return place < keys.count && keys[place] == key ? place : nil
  }

  /// Setting nil takes a row away; a new one takes the place that its key has among the others.
  subscript(key: Int64) -> InMemoryRow? {
    get { place(of: key).flatMap { rows[$0] } }
    set {
      if let newValue { put(newValue) } else { remove(key) }
    }
  }

  /// Changes a row where it is.
  /// - Returns: Nil when there is no such row.
  @discardableResult
  mutating func change<Result>(
    _ key: Int64, _ body: (inout InMemoryRow) throws -> Result
  ) rethrows -> Result? {
    guard let place = place(of: key) else { return nil }
    return try rows[place].mutate(body)
  }

  /// Keys nearly always arrive in order; one that was reserved early, or whose row was deleted and is
  /// made again, goes where it belongs.
  mutating func put(_ row: InMemoryRow) {
    let key = row.id.primaryKey
    guard let last = keys.last, last >= key else {
      keys.append(key)
      rows.append(row)
      count += 1
      return
    }
    let place = keys.firstPlace(notBelow: key, before: keys.count)
    if keys[place] == key {
      if rows[place] == nil { count += 1 }
      rows[place] = row
    } else {
      keys.insert(key, at: place)
      rows.insert(row, at: place)
      count += 1
    }
  }

  private mutating func remove(_ key: Int64) {
    guard let place = place(of: key), rows[place] != nil else { return }
    rows[place] = nil
    count -= 1
    if keys.count > 2 * count + 16 { forgetGaps() }
  }

  private mutating func forgetGaps() {
    let kept = rows.indices.filter { rows[$0] != nil }
    keys = ContiguousArray(kept.map { keys[$0] })
    rows = ContiguousArray(kept.map { rows[$0] })
  }

  /// How many rows are of entities that are wanted.
  func count(where isWanted: (EntityDescription) -> Bool) -> Int {
    var count = 0
    for place in rows.indices where rows[place] != nil {
      if uncounted(rows[place]!.id, { uncounted($0.entity, isWanted) }) { count += 1 }
    }
    return count
  }

  mutating func reserveCapacity(_ capacity: Int) {
    keys.reserveCapacity(capacity)
    rows.reserveCapacity(capacity)
  }

  /// Gives the rows in the order of their keys.
  /// - Parameter body: Returns false to stop. The table may change meanwhile: what is given is what was
  ///   there at the start.
  func forEachRow(_ body: (InMemoryRow) throws -> Bool) rethrows {
    for row in rows {
      guard let row else { continue }
      if try !body(row) { return }
    }
  }

  /// Gives identifier, version and values of each row in the order of their keys. The table must stay as
  /// it is meanwhile.
  func forEachValues(
    _ body: (ManagedObjectID, Int64, ContiguousArray<Value>) throws -> Void
  ) rethrows {
    for place in rows.indices where rows[place] != nil {
      try uncounted(rows[place]!.id) {
        try body($0, rows[place]!.version, rows[place]!.values)
      }
    }
  }
}

/// All rows that a query without a predicate is about, as they were when it was asked.
struct InMemoryRows {
  private let table: InMemoryTable
  private let query: StoreQuery
  private let areAll: Bool

  init(of query: StoreQuery, in store: InMemoryStore) {
    table = store.tables[query.entity.rootEntity.storeIndex]
    self.query = query
    areAll = query.concernsWholeFamily
  }

  /// Gives identifier, version and values of each, in the order of their keys.
  func forEachRow(
    _ body: (ManagedObjectID, Int64, ContiguousArray<Value>) throws -> Void
  ) rethrows {
    try table.forEachValues { id, version, values in
      if areAll || query.concerns(id.entity) { try body(id, version, values) }
    }
  }
}

extension StoreQuery {
  /// Whether objects of all entities of its family are wanted.
  var concernsWholeFamily: Bool {
    entity.superentity == nil && (includesSubentities || entity.subentities.isEmpty)
  }
}

extension Optional {
  /// Changes what is there without a copy of it.
  fileprivate mutating func mutate<Result>(
    _ body: (inout Wrapped) throws -> Result
  ) rethrows -> Result? {
    guard self != nil else { return nil }
    return try body(&self!)
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
