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

  /// Whether a row is read by more than copying values.
  fileprivate var reads: Bool { condition != nil || !computed.isEmpty }

  /// Fills the values of the row that is made of another one.
  /// - Parameter read: The other row in an array of its own, where ``reads`` asks for it.
  /// - Throws: ``RowObstacle``; what an expression throws.
  fileprivate func fill(
    _ values: UnsafeMutableBufferPointer<Value>, from row: UnsafeBufferPointer<Value>,
    _ read: ContiguousArray<Value>
  ) throws {
    for slot in template.indices where !template[slot].isNull { values[slot] = template[slot] }
    for place in copies.indices { values[copies[place].to] = row[copies[place].from] }
    for place in computed.indices {
      guard let value = try computed[place].read(read).coerced(to: computed[place].type),
        !value.isNotANumber
      else { throw RowObstacle() }
      values[computed[place].to] = value
    }
    try checked.forEachUncounted { attribute in
      if AttributeValidation.failure(of: values[attribute.slot], for: attribute) != nil {
        throw RowObstacle()
      }
    }
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
      let family = transfer.destination.familyIndex
      try tables[family].fill(
        from: source.tables[transfer.source.familyIndex], by: transfer)
      return tables[family].count
    }
  }

  /// The keys of all rows of an entity, in order.
  package func keys(of entity: EntityDescription) -> [Int64] {
    let table = tables[entity.familyIndex]
    guard let kind = table.rows.kind(of: entity) else { return [] }
    var keys: [Int64] = []
    table.forEachRow { key, number in
      if table.rows.kind(number) == kind { keys.append(key) }
      return true
    }
    return keys
  }
}

extension InMemoryTable {
  /// Adds the rows that a transfer makes of another table's.
  fileprivate mutating func fill(from origin: InMemoryTable, by transfer: RowTransfer) throws {
    lastKey = max(lastKey, origin.lastKey)
    guard let kind = origin.rows.kind(of: transfer.source) else { return }
    if transfer.condition == nil { reserveCapacity(origin.count) }
    let reads = transfer.reads
    var read: ContiguousArray<Value> = []
    try origin.forEachRow { key, number in
      guard origin.rows.kind(number) == kind else { return true }
      if reads { origin.rows.copyValues(number, to: &read) }
      if let condition = transfer.condition, try !condition(read) { return true }
      let made = makeRow(key, transfer.destination, version: origin.rows.version(number))
      try origin.rows.readValues(number) { row in
        try rows.changeValues(made) { try transfer.fill($0, from: row, read) }
      }
      return true
    }
  }
}
