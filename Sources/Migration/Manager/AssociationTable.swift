/// Which destination instances were made from which source instances under one entity mapping:
/// many to many, found from both ends, in order of association.
///
/// Source instances are kept as keys, since they are streamed and released. So are
/// destination instances where their context spills them and finds them again; else they are
/// held. As long as instances that are found are each newer than the one before, at both ends, a pair takes 16
/// bytes and is looked up by bisection; else about 16 more, indexes included.
final class AssociationTable {
  /// A source instance: its entity's place in the model, and its row there.
  struct SourceKey: Hashable {
    let entityIndex: UInt16
    let primaryKey: Int64

    init(entityIndex: UInt16, primaryKey: Int64) {
      self.entityIndex = entityIndex
      self.primaryKey = primaryKey
    }

    init(_ object: ManagedObject) {
      let id = object.objectID
      entityIndex = UInt16(truncatingIfNeeded: id.entity.storeIndex)
      primaryKey = id.primaryKey
    }
  }

  private var sourceEntities = EntityColumn()
  private var sourceKeys: ContiguousArray<Int64> = []
  private let destinations: DestinationColumn

  private var isSequential: Bool
  private var bySource = RowIndex()
  private var byDestination = RowIndex()
  private var sourceChains = RowChains()
  private var destinationChains = RowChains()

  /// A table that holds its destination instances.
  init() {
    destinations = DestinationColumn(findingIn: nil)
    isSequential = false
  }

  /// A table of destination instances that a context finds by their keys.
  init(findingIn context: ManagedObjectContext) {
    destinations = DestinationColumn(findingIn: context)
    isSequential = true
  }

  var count: Int { destinations.count }

  /// Holds all destination instances from now on, for a context that doesn't spill them any
  /// more.
  func holdDestinations() {
    if !destinations.hold() { return }
    if isSequential { return giveUpSequence() }
    byDestination = RowIndex()
    let further = destinationChains.furtherRows
    for row in 0..<count where !further.contains(row) {
      byDestination.insert(row, hash: destinations.hash(at: row)) { [destinations] in
        destinations.hash(at: $0)
      }
    }
  }

  // MARK: Adding

  /// Adds a pair; a pair that is there already is left alone.
  func associate(_ source: ManagedObject, _ destination: ManagedObject) {
    let key = SourceKey(source)
    if isSequential {
      if append(key, destination) { return }
      giveUpSequence()
    }
    let sameSource = firstRow(of: key)
    let sameDestination = firstRow(of: destination)
    if sameSource != nil, sameDestination != nil,
      sourceChains.rows(from: sameSource).contains(where: { destinations.isSame($0, destination) })
    {
      return
    }
    let row = destinations.count
    sourceEntities.append(key.entityIndex)
    sourceKeys.append(key.primaryKey)
    destinations.append(destination)
    index(row, source: key, after: sameSource)
    index(row, destinationAfter: sameDestination)
  }

  /// Adds a pair that continues the sequence.
  private func append(_ key: SourceKey, _ destination: ManagedObject) -> Bool {
    guard destinations.isContinued(by: destination) else { return false }
    if let last = sourceKeys.last,
      key.primaryKey <= last || key.entityIndex != sourceEntities[sourceEntities.count - 1]
    {
      return false
    }
    sourceEntities.append(key.entityIndex)
    sourceKeys.append(key.primaryKey)
    destinations.append(destination)
    assert(
      sourceKeys.count == destinations.count && sourceEntities.count == destinations.count,
      "a pair lacks one of its ends")
    return true
  }

  /// Makes the indexes for what was added in sequence.
  private func giveUpSequence() {
    isSequential = false
    for row in 0..<count {
      index(row, source: sourceKey(at: row), after: nil)
      index(row, destinationAfter: nil)
    }
  }

  private func index(_ row: Int, source key: SourceKey, after first: Int?) {
    if let first {
      sourceChains.append(row, to: first)
    } else {
      bySource.insert(row, hash: Self.hash(key)) { [sourceKeys, sourceEntities] in
        Self.hash(sourceKeys[$0], sourceEntities[$0])
      }
    }
  }

  private func index(_ row: Int, destinationAfter first: Int?) {
    if let first {
      destinationChains.append(row, to: first)
    } else {
      byDestination.insert(row, hash: destinations.hash(at: row)) { [destinations] in
        destinations.hash(at: $0)
      }
    }
  }

  // MARK: Looking up

  /// Calls `body` with each destination instance of a source, in order of association.
  func forEachDestination(of source: ManagedObject, _ body: (ManagedObject) -> Void) {
    var row = firstRow(of: SourceKey(source))
    while let current = row {
      if let object = destinations.object(at: current) { body(object) }
      row = sourceChains.row(after: current)
    }
  }

  /// The rows of a destination instance, in order of association.
  func rows(of destination: ManagedObject) -> [Int] {
    destinationChains.rows(from: firstRow(of: destination))
  }

  /// Whether `row` is the first one of its destination instance.
  func isFirst(_ row: Int) -> Bool {
    if destinationChains.isEmpty { return true }
    return destination(at: row).map { firstRow(of: $0) == row } ?? false
  }

  /// The destination instance in `row`; nil when it is gone.
  func destination(at row: Int) -> ManagedObject? { destinations.object(at: row) }

  /// The identifier of the destination instance in `row`; nil when it is gone.
  func destinationID(at row: Int) -> ManagedObjectID? { destinations.id(at: row) }

  func isDestination(_ object: ManagedObject, at row: Int) -> Bool {
    destinations.isSame(row, object)
  }

  /// Every destination instance once, in order of association.
  var uniqueDestinations: [ManagedObject] {
    (0..<count).lazy.filter(isFirst).compactMap { destinations.object(at: $0) }
  }

  /// How many destination instances nobody has deleted, each counted once.
  var aliveDestinationCount: Int {
    // A deletion has all of them held.
    if destinations.finds { return destinationCount }
    return (0..<count).reduce(0) { alive, row in
      alive + (isFirst(row) && destinations.object(at: row)?.isAlive == true ? 1 : 0)
    }
  }

  /// How many destination instances there are, each counted once.
  var destinationCount: Int { count - destinationChains.count }

  /// The source instance in `row`.
  func sourceKey(at row: Int) -> SourceKey {
    SourceKey(entityIndex: sourceEntities[row], primaryKey: sourceKeys[row])
  }

  private func firstRow(of key: SourceKey) -> Int? {
    if isSequential {
      guard count > 0, key.entityIndex == sourceEntities[0] else { return nil }
      return sourceKeys.sortedPlace(of: key.primaryKey)
    }
    return bySource.row(hash: Self.hash(key)) {
      sourceKeys[$0] == key.primaryKey && sourceEntities[$0] == key.entityIndex
    }
  }

  private func firstRow(of destination: ManagedObject) -> Int? {
    if isSequential { return destinations.sequentialRow(of: destination) }
    return byDestination.row(hash: destinations.hash(of: destination)) {
      destinations.isSame($0, destination)
    }
  }

  private static func hash(_ key: SourceKey) -> Int { hash(key.primaryKey, key.entityIndex) }

  @inline(__always)
  private static func hash(_ primaryKey: Int64, _ entityIndex: UInt16) -> Int {
    Int(truncatingIfNeeded: primaryKey) &* 31 &+ Int(entityIndex)
  }
}

/// Further rows of one key, behind its first one; empty as long as every key has one row.
private struct RowChains {
  private var next: [Int: Int] = [:]
  /// By first row, so that a long chain needn't be walked to add to it.
  private var last: [Int: Int] = [:]

  var isEmpty: Bool { next.isEmpty }
  /// How many rows aren't the first of their key.
  var count: Int { next.count }

  mutating func append(_ row: Int, to first: Int) {
    next[last[first] ?? first] = row
    last[first] = row
  }

  /// The rows that aren't the first of their key.
  var furtherRows: Set<Int> { Set(next.values) }

  @inline(__always)
  func row(after row: Int) -> Int? { next.isEmpty ? nil : next[row] }

  func rows(from first: Int?) -> [Int] {
    var rows: [Int] = []
    var row = first
    while let current = row {
      rows.append(current)
      row = next[current]
    }
    return rows
  }
}

// MARK: - The column of destination instances

/// The destination instances of associations: held, or as keys by which their context finds them.
final class DestinationColumn {
  private var held: ContiguousArray<ManagedObject> = []
  /// By row: the keys of instances that are found, and their entities.
  private var keys: ContiguousArray<Int64> = []
  private var entities = EntityColumn()
  /// Set where instances are found.
  private var context: ManagedObjectContext?
  var finds: Bool { context != nil }

  init(findingIn context: ManagedObjectContext?) { self.context = context }

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

  /// Whether an instance that is found is newer than those before.
  func isContinued(by object: ManagedObject) -> Bool {
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
    }
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
    keys.sortedPlace(of: object.objectID.primaryKey).flatMap { isSame($0, object) ? $0 : nil }
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

extension ContiguousArray<Int64> {
  /// The place of a key among keys that ascend; nil when it isn't there.
  func sortedPlace(of key: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    assert(low == 0 || self[low - 1] < key, "the keys don't ascend")
    return low < count && self[low] == key ? low : nil
  }
}

/// A column of entities by their place in the model; takes nothing while all are the same.
struct EntityColumn {
  private var first: UInt16 = 0
  private var all: ContiguousArray<UInt16> = []
  private(set) var count = 0

  subscript(row: Int) -> UInt16 {
    @inline(__always) get { all.isEmpty ? first : all[row] }
  }

  mutating func append(_ entity: UInt16) {
    if count == 0 { first = entity }
    if all.isEmpty, entity != first { all = ContiguousArray(repeating: first, count: count) }
    if !all.isEmpty { all.append(entity) }
    count += 1
  }
}
