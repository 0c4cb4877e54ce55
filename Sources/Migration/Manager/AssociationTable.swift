/// Which destination instances were made from which source instances under one entity mapping:
/// many to many, found from both ends, in order of association.
///
/// Source instances are kept as packed identifiers, since they are streamed and released. As long as
/// each source instance is newer than the one before, and so is each destination instance, a pair
/// takes 26 bytes and is found by bisection; else about 40, indexes included.
struct AssociationTable {
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

  private var sourceEntities: ContiguousArray<UInt16> = []
  private var sourceKeys: ContiguousArray<Int64> = []
  private(set) var destinations: ContiguousArray<ManagedObject> = []

  /// The destinations' temporary keys, which count downwards; while the table is sequential.
  private var temporaryKeys: ContiguousArray<Int64> = []
  private var isSequential = true
  private let permanentRows = PermanentRows()
  private var bySource = RowIndex()
  private var byDestination = RowIndex()
  private var sourceChains = RowChains()
  private var destinationChains = RowChains()

  var count: Int { destinations.count }

  // MARK: Adding

  /// Adds a pair; a pair that is there already is left alone.
  mutating func associate(_ source: ManagedObject, _ destination: ManagedObject) {
    let key = SourceKey(source)
    if isSequential {
      if append(key, destination) { return }
      giveUpSequence()
    }
    let sameSource = firstRow(of: key)
    let sameDestination = firstRow(of: destination)
    if sameSource != nil, sameDestination != nil,
      sourceChains.rows(from: sameSource).contains(where: { destinations[$0] === destination })
    {
      return
    }
    let row = destinations.count
    sourceEntities.append(key.entityIndex)
    sourceKeys.append(key.primaryKey)
    destinations.append(destination)
    index(row, source: key, after: sameSource)
    index(row, destination: destination, after: sameDestination)
  }

  /// Adds a pair that continues the sequence.
  private mutating func append(_ key: SourceKey, _ destination: ManagedObject) -> Bool {
    let temporary = destination.objectID.primaryKey
    guard temporary < temporaryKeys.last ?? 0 else { return false }
    if let last = sourceKeys.last, let entity = sourceEntities.last,
      key.primaryKey <= last || key.entityIndex != entity
    {
      return false
    }
    sourceEntities.append(key.entityIndex)
    sourceKeys.append(key.primaryKey)
    destinations.append(destination)
    temporaryKeys.append(temporary)
    return true
  }

  /// Makes the indexes for what was added in sequence.
  private mutating func giveUpSequence() {
    isSequential = false
    temporaryKeys = []
    for row in destinations.indices {
      index(row, source: sourceKey(at: row), after: nil)
      index(row, destination: destinations[row], after: nil)
    }
  }

  private mutating func index(_ row: Int, source key: SourceKey, after first: Int?) {
    if let first {
      sourceChains.append(row, to: first)
    } else {
      bySource.insert(row, hash: Self.hash(key)) { [sourceKeys, sourceEntities] in
        Self.hash(sourceKeys[$0], sourceEntities[$0])
      }
    }
  }

  private mutating func index(_ row: Int, destination: ManagedObject, after first: Int?) {
    if let first {
      destinationChains.append(row, to: first)
    } else {
      byDestination.insert(row, hash: Self.hash(destination)) { [destinations] in
        Self.hash(destinations[$0])
      }
    }
  }

  // MARK: Looking up

  /// Calls `body` with each destination instance of a source, in order of association.
  func forEachDestination(of source: ManagedObject, _ body: (ManagedObject) -> Void) {
    var row = firstRow(of: SourceKey(source))
    while let current = row {
      body(destinations[current])
      row = sourceChains.row(after: current)
    }
  }

  /// The rows of a destination instance, in order of association.
  func rows(of destination: ManagedObject) -> [Int] {
    destinationChains.rows(from: firstRow(of: destination))
  }

  /// Whether `row` is the first one of its destination instance.
  func isFirst(_ row: Int) -> Bool {
    destinationChains.isEmpty || firstRow(of: destinations[row]) == row
  }

  /// Every destination instance once, in order of association.
  var uniqueDestinations: [ManagedObject] {
    if destinationChains.isEmpty { return Array(destinations) }
    return destinations.indices.filter(isFirst).map { destinations[$0] }
  }

  /// How many destination instances there are, each counted once.
  var destinationCount: Int { count - destinationChains.count }

  /// The source instance in `row`.
  func sourceKey(at row: Int) -> SourceKey {
    SourceKey(entityIndex: sourceEntities[row], primaryKey: sourceKeys[row])
  }

  private func firstRow(of key: SourceKey) -> Int? {
    if isSequential {
      guard key.entityIndex == sourceEntities.first else { return nil }
      return sourceKeys.bisected { $0 < key.primaryKey }.flatMap {
        sourceKeys[$0] == key.primaryKey ? $0 : nil
      }
    }
    return bySource.row(hash: Self.hash(key)) {
      sourceKeys[$0] == key.primaryKey && sourceEntities[$0] == key.entityIndex
    }
  }

  private func firstRow(of destination: ManagedObject) -> Int? {
    if isSequential { return sequentialRow(of: destination) }
    return byDestination.row(hash: Self.hash(destination)) { destinations[$0] === destination }
  }

  /// An object that has its permanent identifier by now has lost its temporary one.
  private func sequentialRow(of destination: ManagedObject) -> Int? {
    let temporary = destination.objectID.primaryKey
    guard temporary < 0 else { return permanentRows.row(of: destination, in: destinations) }
    let row = temporaryKeys.bisected { $0 > temporary }
    return row.flatMap { destinations[$0] === destination ? $0 : nil }
  }

  private static func hash(_ key: SourceKey) -> Int { hash(key.primaryKey, key.entityIndex) }

  @inline(__always)
  private static func hash(_ primaryKey: Int64, _ entityIndex: UInt16) -> Int {
    Int(truncatingIfNeeded: primaryKey) &* 31 &+ Int(entityIndex)
  }

  @inline(__always)
  private static func hash(_ destination: ManagedObject) -> Int {
    ObjectIdentifier(destination).hashValue
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

extension ContiguousArray<Int64> {
  /// The first index whose element isn't before what is looked for; nil when all are.
  fileprivate func bisected(_ isBefore: (Int64) -> Bool) -> Int? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == endIndex ? nil : low
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
