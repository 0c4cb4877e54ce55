/// Rows that a fetch has read, or will read together, for objects that are still faults.
struct ReadAhead {
  private var rows: [ManagedObjectID.Key: StoreRow] = [:]
  private var batches: [ManagedObjectID.Key: FaultBatch] = [:]
  /// The state of the stores in which the rows were read.
  private var generation = 0

  /// Faults whose rows are read together, with the first of them.
  final class FaultBatch {
    let ids: [ManagedObjectID]
    init(_ ids: [ManagedObjectID]) { self.ids = ids }
  }

  var isEmpty: Bool { rows.isEmpty && batches.isEmpty }

  mutating func add(_ new: [StoreRow], generation: Int) {
    if generation != self.generation { rows = [:] }
    self.generation = generation
    for row in new { rows[row.objectID.key] = row }
  }

  /// The row that was read for an object, unless it is out of date.
  mutating func row(for id: ManagedObjectID, generation: Int) -> StoreRow? {
    if generation != self.generation { rows = [:] }
    return rows[id.key]
  }

  mutating func add(_ batch: FaultBatch) {
    for id in batch.ids { batches[id.key] = batch }
  }

  /// The batch an object belongs to, which is about to be read.
  mutating func takeBatch(of id: ManagedObjectID) -> FaultBatch? {
    guard let batch = batches[id.key] else { return nil }
    for id in batch.ids where batches[id.key] === batch { batches[id.key] = nil }
    return batch
  }
}

extension ManagedObjectContext {
  /// How often the stores were written to.
  private var generation: Int {
    (persistentStoreCoordinator?.persistentStores ?? []).reduce(0) { $0 + $1.generation }
  }

  final func keep(_ rows: [StoreRow]) { readAhead.add(rows, generation: generation) }

  /// The faults among `objects` are to be filled in groups, each when one of it is looked at.
  final func announce(_ objects: [ManagedObject], inBatchesOf size: Int) {
    let faults = objects.filter(\.isFault).map(\.objectID)
    for start in stride(from: 0, to: faults.count, by: size) {
      let end = min(start + size, faults.count)
      readAhead.add(ReadAhead.FaultBatch(Array(faults[start..<end])))
    }
  }

  /// The row of a fault that was read before, or is read now with the others of its batch; these
  /// are filled, too.
  final func rowReadAhead(for id: ManagedObjectID) throws -> StoreRow? {
    if let row = readAhead.row(for: id, generation: generation) { return row }
    guard let batch = readAhead.takeBatch(of: id) else { return nil }
    var wanted: StoreRow?
    for row in try source?.rows(for: batch.ids) ?? [] {
      if row.objectID.isSame(as: id) {
        wanted = row
      } else if let object = registeredObject(for: row.objectID), object.isFault,
        !object.hasChanges
      {
        object.fulfill(with: row)
      }
    }
    return wanted
  }
}
