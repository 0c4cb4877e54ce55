/// Keeps uniqueness constraints in a store that has no unique indexes.
///
/// As in SQLite, a nil in any part of a constraint clashes with nothing.
struct UniquenessChecker {
  private var constraints: [Constraint]

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
  mutating func check(
    _ changes: SaveRequest, stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws {
    let next = try constraints.map { try owners(after: changes, under: $0, stored: stored) }
    for (constraint, owners) in zip(constraints, next) { constraint.owners = owners }
  }

  private func owners(
    after changes: SaveRequest, under constraint: Constraint,
    stored: (ManagedObjectID) -> ContiguousArray<Value>?
  ) throws -> [[Value]: ManagedObjectID] {
    var owners = constraint.owners
    for id in changes.deleted.map(\.objectID) + changes.updated.map(\.objectID) {
      if let key = stored(id).flatMap({ constraint.key(of: id, $0) }) { owners[key] = nil }
    }
    for change in changes.updated + changes.inserted {
      guard let key = constraint.key(of: change.objectID, change.values) else { continue }
      if let owner = owners.updateValue(change.objectID, forKey: key) {
        throw CoreDataError.constraintViolated(
          entity: constraint.entity.name, properties: constraint.names,
          values: key, objects: [owner, change.objectID])
      }
    }
    return owners
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
        + "uniqueness constraint forbids; deduplicate before saving, or set a merge policy."
    ).at(
      entity: entity, property: properties.joined(separator: ", "),
      object: objects.map { "\($0)" }.joined(separator: ", ")
    ).with(value: shown)
  }
}
