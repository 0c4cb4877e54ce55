/// The rows of a batch insertion: new ones, and those that are in the store already.
struct BatchRows {
  private let entity: EntityDescription
  private let store: PersistentStore
  private let policy: MergePolicyType
  private let constraints: [UniquenessConstraint]
  private var new: [BatchRow] = []
  /// By row of the store; with the values they get.
  private var changed: [ManagedObjectID: SaveRequest.ObjectChange] = [:]
  private var order: [Place] = []
  /// Where the new rows are, by constraint and values.
  private var places: [Key: Int] = [:]

  /// One object of the result.
  private enum Place {
    case new(Int)
    case stored(ManagedObjectID)
  }

  private struct Key: Hashable {
    let constraint: Int
    let values: [Value]
  }

  init(entity: EntityDescription, store: PersistentStore, policy: MergePolicyType) {
    self.entity = entity
    self.store = store
    self.policy = policy
    // The error policy leaves the check to the store.
    constraints =
      policy == .errorMergePolicyType || !store.keepsUniquenessConstraints
      ? [] : UniquenessConstraint.all(of: store.model).filter { entity.isKindOf(entity: $0.entity) }
  }

  mutating func add(_ row: BatchRow) throws {
    let keys = keys(of: row)
    for key in keys {
      if let place = places[key] { return merge(row, intoNew: place) }
      let owner = try store.owner(of: key.values, under: constraints[key.constraint])
      if let owner, owner.entity === entity { return try merge(row, into: owner) }
    }
    for key in keys { places[key] = new.count }
    order.append(.new(new.count))
    new.append(row)
  }

  private func keys(of row: BatchRow) -> [Key] {
    constraints.indices.compactMap { index in
      constraints[index].key(of: entity, row.values).map { Key(constraint: index, values: $0) }
    }
  }

  // MARK: Upserting

  private mutating func merge(_ row: BatchRow, intoNew place: Int) {
    guard let merged = merged(row, with: new[place].values) else { return }
    new[place].values = merged
    for key in keys(of: new[place]) { places[key] = place }
  }

  private mutating func merge(_ row: BatchRow, into id: ManagedObjectID) throws {
    let known = changed[id]
    guard let stored = try store.row(for: id),
      let merged = merged(row, with: known?.values ?? stored.values)
    else { return }
    if known == nil { order.append(.stored(id)) }
    changed[id] = SaveRequest.ObjectChange(
      objectID: id, version: stored.version, values: merged, toMany: [])
  }

  /// The values of an object that is there already; nil to leave it as it is.
  private func merged(
    _ row: BatchRow, with old: ContiguousArray<Value>
  ) -> ContiguousArray<Value>? {
    switch policy {
    case .overwriteMergePolicyType: return row.values
    case .mergeByPropertyObjectTrumpMergePolicyType:
      var values = old
      for slot in row.given { values[slot] = row.values[slot] }
      return values
    default: return nil
    }
  }

  // MARK: Saving

  func save() throws -> BatchOutcome {
    if order.isEmpty { return BatchOutcome() }
    let first = new.isEmpty ? 0 : try store.reservePrimaryKeys(new.count, for: entity)
    var save = SaveRequest()
    // Nobody reports the other side of a to-one relationship.
    save.linksMayBeOneSided = true
    for (index, row) in new.enumerated() {
      let id = ManagedObjectID(entity: entity, primaryKey: first + Int64(index), store: store)
      save.inserted.append(
        SaveRequest.ObjectChange(objectID: id, version: 0, values: row.values, toMany: []))
    }
    save.updated = order.compactMap { if case .stored(let id) = $0 { changed[id] } else { nil } }
    try store.save(save)
    return BatchOutcome(
      order.map { place in
        switch place {
        case .new(let index): save.inserted[index].objectID
        case .stored(let id): id
        }
      })
  }
}
