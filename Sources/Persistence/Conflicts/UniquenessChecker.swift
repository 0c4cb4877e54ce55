/// Keeps uniqueness constraints in a store that has no unique indexes.
///
/// As in SQLite, a nil in any part of a constraint clashes with nothing.
struct UniquenessChecker {
  private let constraints: [Owners]

  /// Which object has which values, under one constraint.
  private final class Owners {
    let constraint: UniquenessConstraint
    var byKey: [[Value]: ManagedObjectID] = [:]

    init(_ constraint: UniquenessConstraint) { self.constraint = constraint }

    func key(of id: ManagedObjectID, _ values: ContiguousArray<Value>) -> [Value]? {
      constraint.key(of: id.entity, values)
    }
  }

  init(_ constraints: [UniquenessConstraint]) {
    self.constraints = constraints.map(Owners.init)
  }

  /// Whether there are no constraints.
  var isEmpty: Bool { constraints.isEmpty }

  /// The object that has values under a constraint.
  func owner(of key: [Value], under constraint: UniquenessConstraint) -> ManagedObjectID? {
    constraints.first {
      $0.constraint.entity === constraint.entity && $0.constraint.names == constraint.names
    }?.byKey[key]
  }

  /// Takes a new object in, whether or not another one has its values.
  func take(_ id: ManagedObjectID, _ values: ContiguousArray<Value>) {
    for constraint in constraints {
      if let key = constraint.key(of: id, values) { constraint.byKey[key] = id }
    }
  }

  /// Takes a save's changes in, if none of them violates a constraint or they may do so.
  /// - Throws: `.managedObjectConstraintMerge`.
  func check(
    _ changes: SaveRequest, stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws {
    let next = try constraints.map { try ownership(after: changes, under: $0, stored: stored) }
    for (constraint, change) in zip(constraints, next) {
      for key in change.freed { constraint.byKey[key] = nil }
      constraint.byKey.merge(change.taken) { _, new in new }
    }
  }

  /// The keys that a save gives up and those it takes, so that the cost of a save depends on its own
  /// size only.
  private func ownership(
    after changes: SaveRequest, under constraint: Owners,
    stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws -> (freed: Set<[Value]>, taken: [[Value]: ManagedObjectID]) {
    var freed: Set<[Value]> = []
    var taken: [[Value]: ManagedObjectID] = [:]
    for id in changes.deleted.map(\.objectID) + changes.updated.map(\.objectID) {
      if let key = stored(id).flatMap({ constraint.key(of: id, $0) }) { freed.insert(key) }
    }
    for change in changes.updated + changes.inserted {
      guard let key = constraint.key(of: change.objectID, change.values) else { continue }
      let previous = freed.contains(key) ? nil : constraint.byKey[key]
      let owner = taken.updateValue(change.objectID, forKey: key) ?? previous
      if let owner, !changes.mayHaveDuplicates {
        throw CoreDataError.constraintViolated(
          entity: constraint.constraint.entity.name, properties: constraint.constraint.names,
          values: key, objects: [owner, change.objectID])
      }
    }
    return (freed, taken)
  }
}
