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
    for copy in copies { values[copy.to] = row[copy.from] }
    for column in computed {
      guard let value = try column.read(row).coerced(to: column.type), !value.isNotANumber else {
        throw RowObstacle()
      }
      values[column.to] = value
    }
    for attribute in checked
    where AttributeValidation.failure(of: values[attribute.slot], for: attribute) != nil {
      throw RowObstacle()
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
      let origin = source.tables[transfer.source.rootEntity.storeIndex]
      let family = transfer.destination.rootEntity.storeIndex
      tables[family].lastKey = max(tables[family].lastKey, origin.lastKey)
      try origin.forEachRow { row in
        guard row.id.entity === transfer.source else { return true }
        if let condition = transfer.condition, try !condition(row.values) { return true }
        let key = row.id.primaryKey
        tables[family][key] = InMemoryRow(
          id: ManagedObjectID(entity: transfer.destination, primaryKey: key, store: self),
          version: row.version, values: try transfer.values(of: row.values), toMany: [:])
        return true
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
