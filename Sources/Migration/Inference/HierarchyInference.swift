/// Finds entity hierarchies that were merged, which can't be inferred: two entities without a
/// common ancestor in the source can't get one in the destination.
/// Core Data: "Lightweight Migration" of the Model Versioning and Data Migration Programming Guide.
///
/// An entity may still move under one that stays a root, and a hierarchy may get a new root.
struct HierarchyInference {
  let destination: ManagedObjectModel
  let entities: ElementPairing<EntityDescription>

  init(destination: ManagedObjectModel, entities: ElementPairing<EntityDescription>) {
    self.destination = destination
    self.entities = entities
  }

  var problems: [CoreDataError] {
    destination.entities.filter { $0.superentity == nil }.compactMap(problem(in:))
  }

  /// Hierarchies that an entity joins which was a root with a table of its own.
  var joinedTables: [InferenceDoubt] {
    destination.entities.filter { $0.superentity == nil }.compactMap { root in
      let roots = root.selfAndDescendants.compactMap { entities.source(of: $0)?.rootEntity.name }
      let different = roots.uniqued()
      return different.count > 1
        ? InferenceDoubt(
          kind: .joinedTables, entity: root.name, before: different, after: root.name) : nil
    }
  }

  /// Entities whose table goes, with the root that named it, while they go on.
  var removedRoots: [InferenceDoubt] {
    let kept = Set(entities.sources.values.map { ObjectIdentifier($0) })
    func removedRoot(of entity: EntityDescription) -> EntityDescription? {
      guard let root = entities.source(of: entity)?.rootEntity,
        !kept.contains(ObjectIdentifier(root))
      else { return nil }
      return root
    }
    return destination.entities.compactMap { entity in
      guard let root = removedRoot(of: entity),
        entity.superentity.flatMap(removedRoot) !== root
      else { return nil }
      return InferenceDoubt(
        kind: .rootRemoved, entity: entity.name, before: [root.name], after: entity.rootEntity.name)
    }
  }

  /// Roots above what was their root.
  var exchangedRoots: [InferenceDoubt] {
    destination.entities.filter { $0.superentity == nil }.compactMap { root in
      guard let before = entities.source(of: root)?.rootEntity,
        root.selfAndDescendants.dropFirst().contains(where: { entities.source(of: $0) === before })
      else { return nil }
      return InferenceDoubt(
        kind: .rootExchanged, entity: root.name, before: [before.name], after: root.name,
        rows: before.name)
    }
  }

  private func problem(in root: EntityDescription) -> CoreDataError? {
    var first: EntityDescription?
    for entity in root.selfAndDescendants.dropFirst() {
      guard let sourceRoot = entities.source(of: entity)?.rootEntity else { continue }
      if let first, first !== sourceRoot { return merged(first, sourceRoot, into: root) }
      first = sourceRoot
    }
    return nil
  }

  private func merged(
    _ a: EntityDescription, _ b: EntityDescription, into root: EntityDescription
  ) -> CoreDataError {
    .notInferable(
      "Cannot merge multiple root entity source tables into one destination entity root table",
      entity: root.name,
      advice: "'\(a.name)' and '\(b.name)' had no common ancestor and get '\(root.name)'; "
        + "write a mapping model for this step.")
  }
}
