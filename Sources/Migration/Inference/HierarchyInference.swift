/// Finds entity hierarchies that were merged, which can't be inferred: two entities without a
/// common ancestor in the source can't get one in the destination (Apple's guide).
///
/// An entity may still move under one that stays a root, and a hierarchy may get a new root.
struct HierarchyInference {
  let destination: ManagedObjectModel
  let entities: ElementPairing<EntityDescription>

  var problems: [CoreDataError] {
    destination.entities.filter { $0.superentity == nil }.compactMap(problem(in:))
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
