/// The destination instances of associations: held, or as keys by which their context finds them.
final class DestinationColumn {
  private var held: ContiguousArray<ManagedObject> = []
  /// By row: the keys of instances that are found, or the temporary keys of those that are held, with
  /// the sign changed, so that they ascend; these only while the table is sequential.
  private var keys = KeyColumn()
  private var entities = EntityColumn()
  /// Set where instances are found.
  private var context: ManagedObjectContext?
  var finds: Bool { context != nil }
  private var knowsKeys = true
  private let permanentRows = PermanentRows()

  init() {}

  init(findingIn context: ManagedObjectContext) { self.context = context }

  var count: Int { finds ? keys.count : held.count }

  /// Takes hold of all instances.
  /// - Returns: Whether they weren't held before.
  func hold() -> Bool {
    if !finds { return false }
    held = ContiguousArray((0..<count).compactMap { object(at: $0) })
    context = nil
    return true
  }

  // MARK: Adding

  /// Whether an instance is newer than those before, as far as known.
  func isContinued(by object: ManagedObject) -> Bool {
    if !finds { return knowsKeys && -object.objectID.primaryKey > keys.last ?? 0 }
    guard let last = keys.last else { return true }
    return object.objectID.primaryKey > last
      && entities[count - 1] == UInt16(truncatingIfNeeded: object.entity.storeIndex)
  }

  func append(_ object: ManagedObject) {
    if finds {
      keys.append(object.objectID.primaryKey)
      entities.append(UInt16(truncatingIfNeeded: object.entity.storeIndex))
    } else {
      held.append(object)
      if knowsKeys { keys.append(-object.objectID.primaryKey) }
    }
  }

  /// The keys of instances that are held serve for nothing any more.
  func endSequence() {
    if finds { return }
    knowsKeys = false
    keys = KeyColumn()
  }

  // MARK: Looking up

  func object(at row: Int) -> ManagedObject? {
    guard let context else { return held[row] }
    return id(at: row, in: context).map { context.object(with: $0) }
  }

  func id(at row: Int) -> ManagedObjectID? {
    guard let context else { return held[row].objectID }
    return id(at: row, in: context)
  }

  private func id(at row: Int, in context: ManagedObjectContext) -> ManagedObjectID? {
    context.identifier(ofNew: keys[row], entityIndex: Int(entities[row]))
  }

  @inline(__always)
  func isSame(_ row: Int, _ object: ManagedObject) -> Bool {
    if !finds { return held[row] === object }
    return keys[row] == object.objectID.primaryKey
      && entities[row] == UInt16(truncatingIfNeeded: object.entity.storeIndex)
  }

  /// The row of an instance in a table that is sequential.
  func sequentialRow(of object: ManagedObject) -> Int? {
    let key = object.objectID.primaryKey
    // An object that has its permanent identifier by now has lost its temporary one.
    if !finds && key > 0 { return permanentRows.row(of: object, in: held) }
    return keys.sortedPlace(of: finds ? key : -key).flatMap { isSame($0, object) ? $0 : nil }
  }

  @inline(__always)
  func hash(at row: Int) -> Int {
    finds ? Int(truncatingIfNeeded: keys[row]) : ObjectIdentifier(held[row]).hashValue
  }

  @inline(__always)
  func hash(of object: ManagedObject) -> Int {
    finds
      ? Int(truncatingIfNeeded: object.objectID.primaryKey) : ObjectIdentifier(object).hashValue
  }
}

/// The rows of a sequential table by object, made when somebody asks for an object that was saved.
private final class PermanentRows {
  private var rows: [ObjectIdentifier: Int] = [:]

  func row(of object: ManagedObject, in destinations: ContiguousArray<ManagedObject>) -> Int? {
    for row in rows.count..<max(rows.count, destinations.count) {
      rows[ObjectIdentifier(destinations[row])] = row
    }
    return rows[ObjectIdentifier(object)]
  }
}
