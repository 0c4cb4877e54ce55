/// Writes generated objects into a store, row by row: no context holds them, so that memory doesn't
/// grow with their number.
struct SeedWriter {
  let plan: SeedPlan
  let store: PersistentStore
  /// The rows written by hand that are in the store already.
  let rows: [ManagedObjectID]
  /// The first key of each block.
  private let firstKeys: [Int64]
  /// Of each block the attributes whose values may break a rule.
  private let checked: [[GeneratedBlock.AttributePlan]]

  /// Rows in one save.
  private static let batchCount = 1000

  init(_ plan: SeedPlan, into store: PersistentStore, beside rows: [ManagedObjectID]) throws {
    self.plan = plan
    self.store = store
    self.rows = rows
    checked = plan.blocks.map { block in
      block.attributes.filter { AttributeValidation.hasRules($0.attribute) }
    }
    firstKeys = try plan.blocks.map { block in
      if block.count == 0 { return 0 }
      return try store.reservePrimaryKeys(block.count, for: block.entity)
    }
  }

  /// - Throws: ``Diagnostic`` for an object that the model doesn't allow, with the generator's place;
  ///   what the store refuses.
  func write() throws {
    let pools = pools()
    for (index, block) in plan.blocks.enumerated() {
      try save(block, at: index) {
        try change(block, index: index, row: $0, pools: store.takesLinksToMissingRows ? pools : nil)
      }
    }
    if store.takesLinksToMissingRows { return }
    for (index, block) in plan.blocks.enumerated() where !block.links.isEmpty {
      try save(block, at: index, isUpdate: true) {
        try change(block, index: index, row: $0, pools: pools)
      }
    }
  }

  /// Gives each object that was written, with its number in its block.
  func enumerateObjects(_ body: (GeneratedBlock, Int, ManagedObjectID) -> Void) {
    for (index, block) in plan.blocks.enumerated() {
      for row in 0..<block.count { body(block, row, id(index, row)) }
    }
  }

  private func save(
    _ block: GeneratedBlock, at index: Int, isUpdate: Bool = false,
    change: (Int) throws -> SaveRequest.ObjectChange
  ) throws {
    for start in stride(from: 0, to: block.count, by: Self.batchCount) {
      let rows = start..<min(start + Self.batchCount, block.count)
      let changes = try rows.map(change)
      var request = SaveRequest()
      request.linksMayBeOneSided = true
      if isUpdate { request.updated = changes } else { request.inserted = changes }
      do { try store.save(request) } catch let error as CoreDataError {
        throw Diagnostic(
          "these \(block.entity.name) can't be saved: \(error.reasonAndAdvice)",
          at: block.notation.place)
      }
    }
  }

  // MARK: Rows

  private func id(_ block: Int, _ row: Int) -> ManagedObjectID {
    ManagedObjectID(
      entity: plan.blocks[block].entity, primaryKey: firstKeys[block] + Int64(row), store: store)
  }

  /// - Parameter pools: Nil for a row without links.
  private func change(
    _ block: GeneratedBlock, index: Int, row: Int, pools: Pools?
  ) throws -> SaveRequest.ObjectChange {
    var made = block.row(row)
    if made.isValid { try check(made, row: row, of: block, attributes: checked[index]) }
    var toMany: [SaveRequest.ToManyChange] = []
    if let pools {
      for (relationship, targets) in made.links {
        let ids = targets.map { pools.id($0, of: relationship) }
        if relationship.isToMany {
          toMany.append(
            .init(
              relationship: relationship, added: ids, removed: [],
              ordered: relationship.isOrdered ? ids : nil))
        } else {
          made.values[relationship.slot] = ids.first.map { .object($0) } ?? .null
        }
      }
    }
    if pools != nil { dangle(made.dangling, values: &made.values, row: row) }
    return .init(
      objectID: id(index, row), version: pools == nil || store.takesLinksToMissingRows ? 0 : 1,
      values: made.values, toMany: toMany)
  }

  /// In a file a key can lead to a row that isn't there. A store in memory has no keys but its objects,
  /// so that it has what reading such a file gives: nil.
  private func dangle(
    _ relationships: [RelationshipDescription], values: inout ContiguousArray<Value>, row: Int
  ) {
    for relationship in relationships {
      let key = Self.firstMissingKey + Int64(row)
      values[relationship.slot] =
        store.takesLinksToMissingRows
        ? .object(
          ManagedObjectID(
            entity: relationship.destinationEntity, primaryKey: key, store: store))
        : .null
    }
  }

  /// Beyond all keys that a store gives out.
  private static let firstMissingKey: Int64 = 1 << 40

  private func check(
    _ made: GeneratedRow, row: Int, of block: GeneratedBlock,
    attributes: [GeneratedBlock.AttributePlan]
  ) throws {
    for attribute in attributes {
      let value = made.values[attribute.attribute.slot]
      if let mistake = block.mistake(value, of: attribute, row: row, version: plan.version) {
        throw mistake
      }
    }
    for (relationship, targets) in made.links
    where targets.isEmpty && !relationship.isOptional && !relationship.isToMany {
      throw Diagnostic(
        "\(block.entity.name) \(row + 1) can't be saved: '\(relationship.name)' is required by "
          + "\(plan.version), and no object is left that it could lead to", at: block.notation.place
      )
    }
  }

  // MARK: Pools

  /// What relationships lead to, by position.
  private struct Pools {
    /// By relationship.
    var segments: [ObjectIdentifier: [(count: Int, id: (Int) -> ManagedObjectID)]] = [:]

    func id(_ position: Int, of relationship: RelationshipDescription) -> ManagedObjectID {
      var rest = position
      let known = segments[ObjectIdentifier(relationship)] ?? []
      for segment in known.dropLast() {
        if rest < segment.count { return segment.id(rest) }
        rest -= segment.count
      }
      return known[known.count - 1].id(rest)
    }
  }

  private func pools() -> Pools {
    var pools = Pools()
    for recipe in plan.blocks.flatMap(\.links).map(\.recipe) {
      let relationship = recipe.relationship
      let entity: EntityDescription = relationship.destinationEntity
      let known = recipe.isOneToOne ? [] : rows.filter { $0.entity.isKindOf(entity: entity) }
      var segments: [(count: Int, id: (Int) -> ManagedObjectID)] = [(known.count, { known[$0] })]
      for (index, block) in plan.blocks.enumerated() where block.entity.isKindOf(entity: entity) {
        segments.append((block.count, { id(index, $0) }))
      }
      pools.segments[ObjectIdentifier(relationship)] = segments
    }
    return pools
  }
}
