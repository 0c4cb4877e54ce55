/// Keeps uniqueness constraints in a store that has no unique indexes.
///
/// As in SQLite, a nil in any part of a constraint clashes with nothing.
struct UniquenessChecker {
  private let constraints: [Constraint]

  private final class Constraint {
    let entity: EntityDescription
    let names: [String]
    let slots: [Int]
    var owners: [[Value]: ManagedObjectID] = [:]

    init?(entity: EntityDescription, names: [String]) {
      let properties = names.compactMap { entity.property(named: $0) }
      guard properties.count == names.count else { return nil }
      self.entity = entity
      self.names = names
      slots = properties.map(\.slot)
    }

    /// The constrained values of a row; nil when the constraint doesn't apply to it.
    func key(of id: ManagedObjectID, _ values: ContiguousArray<Value>) -> [Value]? {
      guard id.entity.isKindOf(entity: entity) else { return nil }
      let key = slots.map { values[$0] }
      return key.contains(where: \.isNull) ? nil : key
    }
  }

  init(model: ManagedObjectModel) {
    constraints = model.entities.flatMap { entity in
      entity.uniquenessConstraints.compactMap { Constraint(entity: entity, names: $0) }
    }
  }

  /// Takes a save's changes in, if none of them violates a constraint.
  /// - Throws: `.managedObjectConstraintMerge`.
  func check(
    _ changes: SaveRequest, stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws {
    let next = try constraints.map { try ownership(after: changes, under: $0, stored: stored) }
    for (constraint, change) in zip(constraints, next) {
      for key in change.freed { constraint.owners[key] = nil }
      constraint.owners.merge(change.taken) { _, new in new }
    }
  }

  /// The keys that a save gives up and those it takes, so that the cost of a save depends on its own
  /// size only.
  private func ownership(
    after changes: SaveRequest, under constraint: Constraint,
    stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws -> (freed: Set<[Value]>, taken: [[Value]: ManagedObjectID]) {
    var freed: Set<[Value]> = []
    var taken: [[Value]: ManagedObjectID] = [:]
    for id in changes.deleted.map(\.objectID) + changes.updated.map(\.objectID) {
      if let key = stored(id).flatMap({ constraint.key(of: id, $0) }) { freed.insert(key) }
    }
    for change in changes.updated + changes.inserted {
      guard let key = constraint.key(of: change.objectID, change.values) else { continue }
      let previous = freed.contains(key) ? nil : constraint.owners[key]
      if let owner = taken.updateValue(change.objectID, forKey: key) ?? previous {
        throw CoreDataError.constraintViolated(
          entity: constraint.entity.name, properties: constraint.names,
          values: key, objects: [owner, change.objectID])
      }
    }
    return (freed, taken)
  }
}

extension CoreDataError {
  /// Two objects with the values that a uniqueness constraint wants once.
  static func constraintViolated(
    entity: String, properties: [String], values: [Value], objects: [ManagedObjectID]
  ) -> CoreDataError {
    let shown = values.map { $0.boxed.map { "\($0)" } ?? "nil" }.joined(separator: ", ")
    return CoreDataError(
      .managedObjectConstraintMerge, "Could not merge changes.",
      advice: "Two objects have the same \(properties.joined(separator: ", ")), which the model's "
        + "uniqueness constraint forbids; deduplicate before saving."
    ).at(
      entity: entity, property: properties.joined(separator: ", "),
      object: objects.map { "\($0)" }.joined(separator: ", ")
    ).with(value: shown)
  }
}
