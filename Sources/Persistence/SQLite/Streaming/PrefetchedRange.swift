internal import Dispatch

/// Rows that were spilled, some read again before they are asked for: the second pass of a
/// migration asks for one after the other.
final class PrefetchedRanges {
  private var windows: [PrefetchedRange?]
  /// Whether rows are read on the second thread.
  private let usesThread = BackgroundIO.current.leastObjects < .max
  /// The store's state that the rows are of.
  private var generation: Int

  init(of store: SQLiteStore) {
    windows = Array(repeating: nil, count: store.model.entities.count)
    generation = store.generation
  }

  /// The row of an object, where it was read before.
  func row(for id: ManagedObjectID, in store: SQLiteStore) throws -> StoreRow? {
    if generation != store.generation { forgetAll(generation: store.generation) }
    let hierarchy = withoutRetaining(id.entity) { $0.hierarchyIndex }
    if windows[hierarchy] != nil {
      return try withoutRetaining(windows[hierarchy]!) { try $0.row(for: id, in: store) }
    }
    windows[hierarchy] = try PrefetchedRange(
      of: id.entity.rootEntity, in: store, usesThread: usesThread)
    return nil
  }

  /// To be called when rows are about to be written, which makes a generation.
  func willChange(_ objects: [ManagedObject], generation: Int) {
    if self.generation != generation - 1 { forgetAll(generation: generation) }
    self.generation = generation
    objects.forEachWithoutRetaining { windows[$0.hierarchyIndex]?.forget($0.objectID.primaryKey) }
  }

  private func forgetAll(generation: Int) {
    self.generation = generation
    for window in windows { window?.forgetAll() }
  }
}

/// The rows of one hierarchy that were read before they are asked for.
final class PrefetchedRange {
  private let reader: RowBatchReader?
  /// The plan of the row that was given last; the reader keeps it.
  private var plan: Unmanaged<RowPlan>?
  private var planNumber: Int64 = -1
  private let statement: Statement
  private let usesThread: Bool
  /// The rows at hand.
  private var rows: RowBatch
  /// Those behind them, which a second thread reads.
  private var following: RowBatch
  private var hasFollowing = false
  private var followingStart: Int64 = 0
  /// Rows that changed since their reading was asked for.
  private var changedSince: ContiguousArray<Int64> = []
  private let isRead = DispatchGroup()
  /// The key that was asked for last, and how many in order.
  private var (lastKey, runLength): (Int64, Int) = (0, 0)

  private static let rowLimit = 512
  /// Where more rows changed since, those that were read are given up.
  private static let mostChanged = 4 * rowLimit
  /// Who asks for so many rows in order is likely to ask for the next.
  private static let shortestRun = 3
  /// Some rows aren't asked for, since their objects are in memory.
  private static let widestGap: Int64 = 16

  init(of root: EntityDescription, in store: SQLiteStore, usesThread: Bool) throws {
    let rows = try store.reader(for: root, includesSubentities: true)
    reader = RowBatchReader(rows)
    statement = try store.database.statement(
      "SELECT \(rows.columnList) FROM \(store.schema.table(of: root)) WHERE Z_PK >= ?1 ORDER BY Z_PK"
    )
    self.usesThread = usesThread
    self.rows = reader?.emptyBatch(rowLimit: Self.rowLimit) ?? RowBatch()
    following = reader?.emptyBatch(rowLimit: Self.rowLimit) ?? RowBatch()
  }

  /// The row of an object, if it is at hand. Each is given once.
  func row(for id: ManagedObjectID, in store: SQLiteStore) throws -> StoreRow? {
    if reader == nil { return nil }
    let key = id.primaryKey
    if !rows.covers(key), !advance(to: key, in: store) { return nil }
    guard let index = rows.index(of: key), findPlan(forNumber: rows.numbers[index]), let plan
    else { return nil }
    return try plan.use { plan in
      let isExact = plan.entity === id.entity
      guard isExact || plan.entity.isKindOf(entity: id.entity) else { return nil }
      let values = try values(at: index, plan, in: store)
      let objectID =
        isExact ? id : ManagedObjectID(entity: plan.entity, primaryKey: key, anchor: store.anchor)
      let row = StoreRow(objectID: objectID, version: rows.versions[index], values: values)
      rows.forget(at: index)
      return row
    }
  }

  /// Has the plan for rows with an entity number at hand, which is mostly that of the row before.
  private func findPlan(forNumber number: Int64) -> Bool {
    if number == planNumber { return true }
    guard let found = reader?.plan(forNumber: number) else { return false }
    (plan, planNumber) = (.passUnretained(found), number)
    return true
  }

  /// Forgets a row that is about to change.
  func forget(_ key: Int64) {
    if let index = rows.index(of: key) { rows.forget(at: index) }
    if hasFollowing, key >= followingStart, changedSince.count <= Self.mostChanged {
      changedSince.append(key)
    }
  }

  func forgetAll() {
    isRead.wait()
    rows.removeAll()
    hasFollowing = false
    changedSince.removeAll()
  }

  // MARK: Reading

  /// Has rows from a key on at hand, if it is one of a run.
  private func advance(to key: Int64, in store: SQLiteStore) -> Bool {
    if hasFollowing, key > rows.lastKey {
      takeFollowing()
      if rows.covers(key) {
        readFollowing(in: store)
        return true
      }
    }
    if rows.count > 0, !rows.covers(key) { lastKey = max(lastKey, rows.lastKey) }
    runLength = key > lastKey && key - lastKey <= Self.widestGap ? runLength + 1 : 0
    lastKey = key
    if runLength < Self.shortestRun { return false }
    _ = store.database
    read(&rows, from: key)
    if rows.covers(key) { readFollowing(in: store) }
    return rows.covers(key)
  }

  private func takeFollowing() {
    isRead.wait()
    swap(&rows, &following)
    hasFollowing = false
    if changedSince.count > Self.mostChanged { rows.removeAll() }
    for key in changedSince {
      if let index = rows.index(of: key) { rows.forget(at: index) }
    }
    changedSince.removeAll(keepingCapacity: true)
  }

  private func readFollowing(in store: SQLiteStore) {
    guard usesThread, rows.isFull else { return }
    let start = rows.lastKey + 1
    followingStart = start
    hasFollowing = true
    isRead.enter()
    // Nobody else uses the statement and what it fills until it has been waited for.
    nonisolated(unsafe) let window = self
    store.inBackground {
      window.read(&window.following, from: start)
      window.isRead.leave()
    }
  }

  /// What can't be read is left to whoever asks for it.
  private func read(_ batch: inout RowBatch, from key: Int64) {
    batch.removeAll()
    guard let reader else { return }
    statement.bind(key, at: 1)
    defer { statement.reset() }
    do { _ = try reader.fill(&batch, from: statement) } catch { batch.removeAll() }
  }

  private func values(
    at index: Int, _ plan: RowPlan, in store: SQLiteStore
  ) throws -> ContiguousArray<Value> {
    let count = withoutRetaining(plan.entity) { $0.slotCount }
    var values = ContiguousArray(repeating: Value.null, count: count)
    try rows.moveRow(at: index * rows.width, to: &values, plan, in: store)
    return values
  }
}

extension RowBatch {
  var lastKey: Int64 { keys.last ?? 0 }

  /// Whether a row with this key would be among these.
  @inline(__always)
  func covers(_ key: Int64) -> Bool {
    guard let first = keys.first else { return false }
    return key >= first && key <= keys[keys.count - 1]
  }

  /// The place of a row that nobody took; nil where there is none.
  @inline(__always)
  func index(of key: Int64) -> Int? {
    guard covers(key) else { return nil }
    let end = min(keys.count, Int(key - keys[0]) + 1)
    // Mostly there are no gaps.
    let place = keys[end - 1] == key ? end - 1 : keys.firstPlace(notBelow: key, before: end)
    return place < keys.count && keys[place] == key && numbers[place] >= 0 ? place : nil
  }
}
