import Migration

/// What a store holds, object by object, each under the name of the row that it came from.
struct ProofContent: Equatable {
  private(set) var objects: [String: String] = [:]

  /// - Parameter name: The name of an object.
  init(
    of store: PersistentStore, name: (MigrationOrigins.ObjectKey) -> String
  ) throws {
    for entity in store.model.entities where !entity.isAbstract {
      var query = StoreQuery(entity: entity)
      query.includesSubentities = false
      try store.enumerateRows(matching: query) { row in
        objects[name(.init(row.objectID))] = try Self.text(of: row, in: store, name: name)
        return true
      }
    }
  }

  private static func text(
    of row: StoreRow, in store: PersistentStore, name: (MigrationOrigins.ObjectKey) -> String
  ) throws -> String {
    let entity = row.objectID.entity
    let properties = try entity.properties.filter { !$0.isTransient }.map { property in
      guard let relationship = property as? RelationshipDescription else {
        return "\(property.name)=\(text(of: row.values[property.slot]))"
      }
      let ids = try ends(of: relationship, row, store).map { name(.init($0)) }
      let ends = relationship.isOrdered ? ids : ids.sorted()
      return "\(property.name)=[\(ends.joined(separator: " "))]"
    }
    return "\(entity.name) " + properties.sorted().joined(separator: " ")
  }

  private static func ends(
    of relationship: RelationshipDescription, _ row: StoreRow, _ store: PersistentStore
  ) throws -> [ManagedObjectID] {
    if relationship.isToMany { return try store.destinations(of: relationship, from: row.objectID) }
    guard case .object(let id as ManagedObjectID) = row.values[relationship.slot] else { return [] }
    return [id]
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .integer(let number): "i\(number)"
    case .double(let number): "d\(number + 0)"
    case .decimal(let number): "m\(number)"
    case .data(let data): "x\(Array(data))"
    case .null: "nil"
    case .object(let composite as CompositeValue):
      zip(composite.elements, composite.values).map { "\($0.name): \(text(of: $1))" }.description
    default: value.boxed.map { "\($0)" } ?? "nil"
    }
  }

  /// The first difference from another content, for a message.
  func difference(from other: ProofContent) -> String? {
    for name in Set(objects.keys).union(other.objects.keys).sorted()
    where objects[name] != other.objects[name] {
      return "\(name): \(objects[name] ?? "isn't there") / \(other.objects[name] ?? "isn't there")"
    }
    return nil
  }
}
