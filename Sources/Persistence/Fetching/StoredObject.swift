/// An object as a store has it, whatever contexts have changed: what predicates, sort keys and
/// derivations of stored rows are evaluated with.
final class StoredObject: NSObject {
  let objectID: ManagedObjectID
  private let store: PersistentStore
  private var knownRow: StoreRow?

  init(_ row: StoreRow, in store: PersistentStore) {
    objectID = row.objectID
    knownRow = row
    self.store = store
  }

  /// An object whose row is read when somebody asks for a value.
  init(_ id: ManagedObjectID, in store: PersistentStore) {
    objectID = id
    self.store = store
  }

  /// By slot; nil when the store doesn't have the object, as where a reference dangles.
  private func values() throws -> ContiguousArray<Value>? {
    if let knownRow { return knownRow.values }
    knownRow = try store.row(for: objectID)
    return knownRow?.values
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? StoredObject else { return false }
    return objectID.isSame(as: other.objectID)
  }

  override var hash: Int { objectID.hash }

  override var description: String { objectID.description }
}

extension StoredObject: IdentifiedObject {
  var identity: AnyObject { objectID }
}

extension StoredObject: KeyValueCoding {
  func typedValue(forKey key: String) throws -> Value {
    switch objectID.entity.property(named: key) {
    case let relationship as RelationshipDescription: try destinations(of: relationship)
    case let property?: try values()?[property.slot] ?? .null
    case nil: try unmodelledValue(forKey: key)
    }
  }

  private func destinations(of relationship: RelationshipDescription) throws -> Value {
    if relationship.isToMany {
      let ids =
        relationship.isTransient ? [] : try store.destinations(of: relationship, from: objectID)
      let members = ids.map { Value.object(StoredObject($0, in: store)) }
      return .collection(ValueCollection(relationship.isOrdered ? .orderedSet : .set, members))
    }
    guard case .object(let id as ManagedObjectID)? = try values()?[relationship.slot] else {
      return .null
    }
    return .object(StoredObject(id, in: store))
  }

  private func unmodelledValue(forKey key: String) throws -> Value {
    switch key {
    case "objectID": .object(objectID)
    case "entity": .object(objectID.entity)
    case "self": .object(self)
    default: throw CoreDataError.unknownKeyPath(key, of: objectID.entity)
    }
  }
}
