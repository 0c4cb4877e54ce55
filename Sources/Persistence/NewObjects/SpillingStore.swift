/// A store that takes rows of new objects before the save that confirms them.
protocol SpillingStore: PersistentStore {
  /// Whether the store is new and is thrown away if it isn't finished.
  var isBeingFilled: Bool { get }

  // MARK: Writing

  /// Writes new and changed objects and their links, or makes ready what ``writeOnSecondThread(_:)`` is to
  /// write on another thread.
  func spill(new: [ManagedObject], changed: [ManagedObject]) throws -> SpillBatch?

  /// Whether a new object alone writes its links by a relationship, so that older ones at the other end
  /// needn't be written again.
  func writesLinks(of relationship: RelationshipDescription) -> Bool

  /// Writes a batch while others are being made.
  func writeOnSecondThread(_ batch: consuming SpillBatch)

  /// Waits until all is written.
  /// - Throws: Why something couldn't be.
  func finishWriting() throws

  // MARK: Finding

  /// What tells an attribute's values from those of its hierarchy's other attributes; nil for those whose
  /// values can't be looked up.
  func columnName(of attribute: AttributeDescription) -> String?

  /// Gives key and hash of all values of an attribute.
  func forEachHash(
    in column: String, of attribute: AttributeDescription, _ body: (Int64, UInt32) -> Void
  ) throws

  /// Gives the rows whose attribute has a value, in the order of their keys.
  /// - Parameter body: Returns false to stop, and asks the store for nothing.
  /// - Returns: False for values that can't be looked up.
  func enumerateSpilledRows(
    of entity: EntityDescription, where attribute: AttributeDescription, equals value: Value,
    _ body: (StoreRow) throws -> Bool
  ) throws -> Bool

  // MARK: The end

  /// Whether no row of an entity, subentities not included, lacks a value.
  /// - Returns: False also where that can't be told without objects. A value may be missing in a row
  ///   that its object has: no store keeps NaN.
  func allRows(of entity: EntityDescription, have required: [PropertyDescription]) throws -> Bool

  /// Whether no uniqueness constraint is violated. From now on none can be.
  func rowsAreUnique() throws -> Bool

  /// Makes rows that were spilled as good as saved.
  /// - Parameter lastKeys: The last key of each hierarchy, by its root's store index.
  func confirmUnsavedRows(lastKeys: [Int64]) throws

  /// Removes all rows that were spilled. Their keys aren't given out again.
  func removeUnsavedRows(lastKeys: [Int64]) throws
}

extension SpillingStore {
  /// Whether the store is new and empty, and its rows hold all that the model's objects can have.
  var canBeSpilledTo: Bool {
    guard isBeingFilled, derivations.isEmpty, configuration.isWhole else { return false }
    return !model.entities.contains { entity in
      mayHaveRows(of: entity) || entity.properties.contains { !isHeldByRows($0) }
    }
  }

  private func isHeldByRows(_ property: PropertyDescription) -> Bool {
    // A fetched property is asked for anew each time, and an attribute without a column keeps its object.
    guard let relationship = property as? RelationshipDescription else { return true }
    return !relationship.isOrdered && !relationship.isTransient
  }
}
