// A transfer's attributes, from row to row.

extension InMemoryStore {
  /// Fills this store, which must be new and empty, with what a transfer makes of another one's rows.
  ///
  /// - Throws: ``RowObstacle`` where it takes more than the rows' own values, or where a row may not
  ///   come along as it is. Give the store up then.
  package func fill(from source: InMemoryStore, by transfer: StoreTransfer) throws {
    guard transfer.keepsToValues, !model.entities.contains(where: \.hasUniquenessConstraint),
      transfer.entities.allSatisfy({ entity in
        source.model.entities.contains { $0 === entity.source }
      })
    else { throw RowObstacle() }
    let transfers = try transfer.entities.map { try RowTransfer($0) }
    for presumption in transfer.presumptions { try source.check(presumption) }
    _ = try fill(from: source, by: transfers)
  }

  private func check(_ presumption: StoreTransfer.Presumption) throws {
    let slot = presumption.attribute.slot
    let rows = tables[presumption.entity.familyIndex].rows
    guard let kind = rows.kind(of: presumption.entity) else { return }
    try tables[presumption.entity.familyIndex].forEachRow { _, number in
      if rows.kind(number) == kind, rows.value(number, slot).isNull { throw RowObstacle() }
      return true
    }
  }
}

extension StoreTransfer {
  /// Whether it makes nothing but values, and each family of rows of one entity.
  fileprivate var keepsToValues: Bool {
    let families = Set(entities.map { ObjectIdentifier($0.destination.rootEntity) })
    return families.count == entities.count
      && entities.allSatisfy { entity in
        entity.condition == nil && !entity.destination.isAbstract
          && entity.destination.relationships.isEmpty
          && entity.destination.attributes.allSatisfy(\.isPlainValue)
      }
  }
}

extension RowTransfer {
  /// What a transfer does with the rows of an entity; its checks are those of mandatory values.
  fileprivate init(_ entity: StoreTransfer.Entity) throws {
    self.init(from: entity.source, to: entity.destination)
    for attribute in entity.destination.attributes where attribute.isStored {
      // An attribute may be filled twice; the last one holds.
      let origin = entity.attributes.last { $0.destination === attribute }?.origin
      if let origin { try fill(attribute, by: origin) }
      if !attribute.isOptional { checked.append(attribute) }
    }
  }

  private mutating func fill(
    _ attribute: AttributeDescription, by origin: StoreTransfer.AttributeOrigin
  ) throws {
    switch origin {
    case .value(let value):
      guard let value = value.coerced(to: attribute.attributeType) else { throw RowObstacle() }
      fill(attribute, with: value)
    case .attribute(let old) where old.isStored && old.attributeType == attribute.attributeType:
      fill(attribute, fromSlot: old.slot)
    case .attribute(let old) where old.isStored:
      fill(attribute) { $0[old.slot] }
    case .attributeOrValue(let old, let value) where old.isStored:
      fill(attribute) { $0[old.slot].isNull ? value : $0[old.slot] }
    default: throw RowObstacle()
    }
  }
}
