/// How the rows of one entity become rows of another one's, from a store in memory into a store in memory.
package struct RowTransfer {
  package typealias Reader = RowProgram.Reader
  package let source: EntityDescription
  package let destination: EntityDescription
  /// Whether a row comes along; nil for all.
  package var condition: RowProgram.Test?
  /// Values by slot, where they are the same for all rows.
  private var template: ContiguousArray<Value>
  private var copies: [(from: Int, to: Int)] = []
  private var computed: [(read: Reader, to: Int, type: AttributeType)] = []
  /// The attributes whose values may break a rule.
  package var checked: [AttributeDescription] = []

  package init(from source: EntityDescription, to destination: EntityDescription) {
    self.source = source
    self.destination = destination
    template = ContiguousArray(repeating: .null, count: destination.slotCount)
  }

  package mutating func fill(_ attribute: AttributeDescription, with value: Value) {
    template[attribute.slot] = value
  }

  package mutating func fill(_ attribute: AttributeDescription, fromSlot slot: Int) {
    copies.append((slot, attribute.slot))
  }

  package mutating func fill(_ attribute: AttributeDescription, from read: @escaping Reader) {
    computed.append((read, attribute.slot, attribute.attributeType))
  }

  /// The values of the row that is made of another one.
  /// - Throws: ``RowObstacle``; what an expression throws.
  fileprivate func values(
    of row: ContiguousArray<Value>
  ) throws -> ContiguousArray<Value> {
    var values = template
    for place in copies.indices { values[copies[place].to] = row[copies[place].from] }
    for place in computed.indices {
      guard let value = try computed[place].read(row).coerced(to: computed[place].type),
        !value.isNotANumber
      else { throw RowObstacle() }
      values[computed[place].to] = value
    }
    try checked.forEachUncounted { attribute in
      if AttributeValidation.failure(of: values[attribute.slot], for: attribute) != nil {
        throw RowObstacle()
      }
    }
    return values
  }
}

extension AttributeDescription {
  /// Whether it is one value of a row, and not computed by the store.
  package var isPlainValue: Bool {
    !isDerived && ![.composite, .objectID].contains(attributeType)
  }
}

/// A row that must be looked at by somebody who can say what is wrong with it.
package struct RowObstacle: Error {
  package init() {}
}

extension InMemoryStore {
  /// Fills this store, which must be new and empty, with rows made of another one's. They keep their keys.
  ///
  /// Attributes only, and one transfer for each family of this store: links, derived attributes and
  /// uniqueness constraints are left to contexts.
  ///
  /// - Returns: How many rows each transfer made.
  /// - Throws: ``RowObstacle`` for a value that the model doesn't allow; what an expression throws. Give
  ///   the store up then.
  package func fill(from source: InMemoryStore, by transfers: [RowTransfer]) throws -> [Int] {
    generation += 1
    return try transfers.map { transfer in
      let origin = source.tables[transfer.source.familyIndex]
      let family = transfer.destination.familyIndex
      tables[family].lastKey = max(tables[family].lastKey, origin.lastKey)
      if transfer.condition == nil { tables[family].reserveCapacity(origin.count) }
      try origin.forEachValues { id, version, values in
        guard id.entity === transfer.source else { return }
        if let condition = transfer.condition, try !condition(values) { return }
        tables[family].put(
          InMemoryRow(
            id: ManagedObjectID(
              entity: transfer.destination, primaryKey: id.primaryKey, anchor: anchor),
            version: version, values: try transfer.values(of: values), toMany: [:]))
      }
      return tables[family].count
    }
  }

  /// The keys of all rows of an entity, in order.
  package func keys(of entity: EntityDescription) -> [Int64] {
    var keys: [Int64] = []
    tables[entity.rootEntity.storeIndex].forEachRow { row in
      if row.id.entity === entity { keys.append(row.id.primaryKey) }
      return true
    }
    return keys
  }
}
