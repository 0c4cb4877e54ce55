/// Finds entity hierarchies that were merged, which can't be inferred: two entities without a
/// common ancestor in the source can't get one in the destination.
/// Core Data: "Lightweight Migration" of the Model Versioning and Data Migration Programming Guide.
///
/// An entity may still move under one that stays a root, and a hierarchy may get a new root.
struct HierarchyInference {
  let destination: ManagedObjectModel
  let entities: ElementPairing<EntityDescription>

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(
      destination: destination, entities: ElementPairing(from: source, to: destination))
  }

  init(destination: ManagedObjectModel, entities: ElementPairing<EntityDescription>) {
    self.destination = destination
    self.entities = entities
  }

  var problems: [CoreDataError] {
    destination.entities.filter { $0.superentity == nil }.compactMap(problem(in:))
  }

  /// Hierarchies that an entity joins which was a root with a table of its own.
  var joinedTables: [JoinedTables] {
    destination.entities.filter { $0.superentity == nil }.compactMap { root in
      let roots = root.selfAndDescendants.compactMap { entities.source(of: $0)?.rootEntity.name }
      let different = roots.uniqued()
      return different.count > 1 ? JoinedTables(root: root.name, sources: different) : nil
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

/// Tables of several root entities that become one.
///
/// Apple's guide rules out that entities without a common ancestor get one; that an entity moves under one that
/// was a root before, and stays one, it neither allows nor forbids.
// Core Data: assumed to be done; neither a document nor a store that shows it was found.
public struct JoinedTables: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The entity whose table it is afterwards.
  public let root: String
  /// The root entities whose tables these were, in the source.
  public let sources: [String]

  /// Those of an inferred mapping from one version to another.
  package static func inferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [JoinedTables] {
    HierarchyInference(from: source, to: destination).joinedTables
  }

  public var description: String {
    "\(sources.joined(separator: " and ")), with tables of their own, become one entity hierarchy below \(root)"
  }
}
