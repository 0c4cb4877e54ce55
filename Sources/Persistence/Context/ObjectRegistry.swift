/// Every living object of a context, by identifier. Holds none of them: an object takes itself out
/// when it goes.
///
/// A context that is confined to one thread needs no lock and no weak references. One with a queue
/// needs both, since whoever lets go of an object last may be on another thread.
final class ObjectRegistry {
  private var objects: [ManagedObjectID.Key: Unmanaged<ManagedObject>] = [:]
  private var sharedObjects: [ManagedObjectID.Key: WeakReference<ManagedObject>] = [:]
  /// The rows of objects in it, as they were read last; see ``RowCache``.
  private var rows: [ManagedObjectID.Key: RowCache.ReadRow] = [:]
  private let lock: NSLock?
  /// Kept for objects that outlive their context: what they are is the model's.
  private var model: ManagedObjectModel?
  /// The new objects of a context that spills them, until they are written: not in the list.
  let recent = RecentObjects()
  /// The object that a stream of rows is lending: not in the list either.
  var lent: Unmanaged<ManagedObject>?

  /// - Parameter isShared: Whether objects may be let go of by several threads.
  init(isShared: Bool) { lock = isShared ? NSLock() : nil }

  func insert(_ object: ManagedObject) {
    guard let lock else {
      objects[object.objectID.key] = .passUnretained(object)
      object.isListed = true
      return
    }
    object.registry = self
    lock.withLock {
      if model == nil { model = object.entity.managedObjectModel }
      sharedObjects[object.objectID.key] = WeakReference(object)
    }
  }

  func object(_ id: ManagedObjectID) -> ManagedObject? {
    guard let lock else { return unlisted(id) ?? listed(id) }
    return lock.withLock { sharedObjects[id.key]?.object }
  }

  @inline(__always)
  private func listed(_ id: ManagedObjectID) -> ManagedObject? {
    objects.isEmpty ? nil : objects[id.key]?.takeUnretainedValue()
  }

  @inline(__always)
  private func unlisted(_ id: ManagedObjectID) -> ManagedObject? {
    if let object = recent.object(id) { return object }
    guard let lent = lent?.takeUnretainedValue(), lent.objectID.isSame(as: id) else { return nil }
    return lent
  }

  /// The object with a key, in the register of a context without queue.
  @inline(__always)
  func object(_ key: ManagedObjectID.Key) -> ManagedObject? {
    objects.isEmpty ? nil : objects[key]?.takeUnretainedValue()
  }

  func remove(_ id: ManagedObjectID) {
    guard let lock else {
      objects[id.key] = nil
      return
    }
    lock.withLock {
      sharedObjects[id.key] = nil
      rows[id.key] = nil
    }
  }

  /// Called by an object that is going. Another of its identity may have come meanwhile.
  func clear(_ id: ManagedObjectID) {
    lock?.withLock {
      guard let entry = sharedObjects[id.key], entry.object == nil else { return }
      sharedObjects[id.key] = nil
      rows[id.key] = nil
    }
  }

  func readRow(for key: ManagedObjectID.Key) -> RowCache.ReadRow? {
    lock?.withLock { rows[key] }
  }

  func keep(_ row: RowCache.ReadRow?, for key: ManagedObjectID.Key) {
    lock?.withLock { rows[key] = sharedObjects[key] == nil ? nil : row }
  }

  /// Keeps a row in the place of one that is there.
  func replace(_ row: RowCache.ReadRow, for key: ManagedObjectID.Key) {
    lock?.withLock { if rows[key] != nil { rows[key] = row } }
  }

  var all: [ManagedObject] {
    guard let lock else {
      var all = objects.values.map { $0.takeUnretainedValue() }
      all += recent.all
      if let lent = lent?.takeUnretainedValue(), !lent.isListed { all.append(lent) }
      return all
    }
    return lock.withLock { sharedObjects.values.compactMap(\.object) }
  }

  func removeAll() {
    guard let lock else {
      objects = [:]
      recent.stop()
      lent = nil
      return
    }
    lock.withLock { (sharedObjects, rows) = ([:], [:]) }
  }
}
