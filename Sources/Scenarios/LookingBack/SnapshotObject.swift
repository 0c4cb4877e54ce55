/// The objects of a snapshot as predicates see them.
final class SnapshotGraph {
  private let content: ContentSnapshot
  private lazy var nodes = content.objects.indices.map { SnapshotObject(self, $0) }

  init(_ content: ContentSnapshot) { self.content = content }

  /// The places of the objects of an entity that meet a condition.
  /// - Throws: What evaluating throws, for a property that a version hasn't got, say.
  func indices(
    of entity: String, where predicate: Predicate, are wanted: Bool
  ) throws -> [Int] {
    try ExceptionTrap.catching {
      try content.objects.indices.filter { index in
        guard content.objects[index].entity.isNamedOrDescends(from: entity) else { return false }
        return try predicate.evaluate(.object(nodes[index]), variables: [:]) == wanted
      }
    }
  }

  fileprivate func value(of key: String, at index: Int) throws -> Value {
    let object = content.objects[index]
    if let place = object.entity.attributes.firstIndex(where: { $0.name == key }) {
      return object.values[place]
    }
    guard let place = object.entity.relationships.firstIndex(where: { $0.name == key }) else {
      throw CoreDataError(.coreData, "\(object.entity.name) has no property '\(key)'")
    }
    let relationship = object.entity.relationships[place]
    let linked = object.links[place].map { Value.object(nodes[$0]) }
    if !relationship.isToMany { return linked.first ?? .null }
    return .collection(.init(relationship.isOrdered ? .orderedSet : .set, linked))
  }
}

/// One of them.
private final class SnapshotObject: KeyValueCoding {
  private unowned let graph: SnapshotGraph
  private let index: Int

  init(_ graph: SnapshotGraph, _ index: Int) {
    self.graph = graph
    self.index = index
  }

  func typedValue(forKey key: String) throws -> Value { try graph.value(of: key, at: index) }
}
