/// The rows that the contexts of a coordinator have read, as long as one of them has their objects: a
/// fault gets its values from here, and not what batch requests and other coordinators wrote since.
///
/// A fetch, a save and a fault that reads the store bring a row up to date, in all contexts.
/// Core Data: observed by a library's tests, for batch updates and other coordinators' saves.
/// Sendable unchecked: guarded by its lock, and each register by its own.
final class RowCache: @unchecked Sendable {
  private let lock = NSLock()
  private var registries: [WeakReference<ObjectRegistry>] = []

  func add(_ registry: ObjectRegistry) {
    lock.withLock {
      registries.removeAll { $0.object == nil || $0.object === registry }
      registries.append(WeakReference(registry))
    }
  }

  private var all: [ObjectRegistry] { lock.withLock { registries.compactMap(\.object) } }

  /// The row of an object, unless it is older than `age` seconds; any is young enough for a negative age.
  func row(for id: ManagedObjectID, noOlderThan age: TimeInterval) -> StoreRow? {
    guard let known = all.lazy.compactMap({ $0.readRow(for: id.key) }).first else { return nil }
    return age < 0 || known.read.timeIntervalSinceNow > -age ? known.row : nil
  }

  /// Keeps a row that was read or written now.
  func keep(_ row: StoreRow, for registry: ObjectRegistry) {
    let known = ReadRow(row: row, read: Date())
    registry.keep(known, for: row.objectID.key)
    for other in all where other !== registry { other.replace(known, for: row.objectID.key) }
  }

  /// Forgets a row, which is gone or has become another.
  func forget(_ id: ManagedObjectID) {
    for registry in all { registry.keep(nil, for: id.key) }
  }

  /// A row, and when it was read.
  struct ReadRow {
    let row: StoreRow
    let read: Date
  }
}

extension ManagedObjectContext {
  /// The row cache that the context uses: that of its coordinator. The contexts of migrations and of
  /// tools read the stores as they are.
  private var rowCache: RowCache? {
    hasAppObjects && parentRows == nil ? persistentStoreCoordinator?.rowCache : nil
  }

  /// The row from which a fault gets its values.
  final func cachedRow(for id: ManagedObjectID) throws -> StoreRow? {
    if let row = rowCache?.row(for: id.current, noOlderThan: stalenessInterval) { return row }
    return try storedRow(for: id)
  }

  /// To be called with each row that was read or written now.
  final func keepRow(_ row: StoreRow) { rowCache?.keep(row, for: registry) }

  final func forgetRow(of id: ManagedObjectID) { rowCache?.forget(id) }

  /// The rows of saved objects are as the objects are.
  final func keepRows(of saved: SavedObjects) {
    guard rowCache != nil else { return }
    for object in saved.inserted + saved.updated where !object.isFault {
      keepRow(
        StoreRow(objectID: object.objectID, version: object.version, values: object.values))
    }
    for object in saved.deleted { forgetRow(of: object.objectID) }
  }
}
