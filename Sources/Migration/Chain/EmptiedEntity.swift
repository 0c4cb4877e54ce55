/// An entity whose objects a step left behind, though its destination still has the entity, and nothing else
/// made any.
public struct EmptiedEntity: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Why none of the objects came along.
  public enum Cause: String, Hashable, Sendable, Codable {
    /// No entity mapping has the entity as its source.
    case notMapped
    /// Entity mappings have it as their source, and their source predicates or expressions left out all objects.
    case notTaken
    /// The entity left the configuration that the store holds.
    case leftConfiguration
  }

  /// In the source model.
  public let entity: String
  /// How many objects there were.
  public let count: Int
  public let cause: Cause

  public var description: String {
    "\(entity): \(count) \(count == 1 ? "object" : "objects") before, none after, \(reason)"
  }

  private var reason: String {
    switch cause {
    case .notMapped: "mapped by nothing"
    case .notTaken: "taken by none of its entity mappings"
    case .leftConfiguration: "not in the store's configuration any more"
    }
  }
}

extension MigrationStep {
  /// The entities that the step emptied.
  ///
  /// An inferred mapping covers all entities that live on. A policy that takes objects and makes none of them
  /// is nothing to be told: it says so itself.
  /// - Parameter runs: What the step's mapping models did.
  // Core Data: "Mapping Overview" of the Model Versioning and Data Migration Programming Guide: only the
  // entity mappings that are in a mapping model are carried out.
  func emptiedEntities(
    by choice: MappingChoice?, _ runs: [StepReport.Run], from source: PersistentStore,
    to destination: PersistentStore
  ) throws -> [EmptiedEntity] {
    let mappings = choice?.mappings.flatMap { $0.model.entityMappings ?? [] } ?? []
    let left = try leavingEntities.compactMap { name in
      let count = try source.ownCount(of: name)
      let isTaken = choice?.kind == .custom && mappings.contains { $0.sourceEntityName == name }
      return count == 0 || isTaken
        ? nil : EmptiedEntity(entity: name, count: count, cause: .leftConfiguration)
    }
    guard choice?.kind == .custom else { return left }
    let reports = runs.flatMap(\.entityMappings)
    let pairing = ElementPairing(from: sourceModel, to: destinationModel)
    return try left
      + destinationModel.entities.compactMap { entity in
        guard let old = pairing.source(of: entity), !old.isAbstract,
          let cause = EmptiedEntity.Cause(of: old.name, mappings, reports),
          try destination.ownCount(of: entity.name) == 0
        else { return nil }
        let count = try source.ownCount(of: old.name)
        return count > 0 ? EmptiedEntity(entity: old.name, count: count, cause: cause) : nil
      }
  }
}

extension EmptiedEntity.Cause {
  /// - Returns: Nil where an entity mapping took objects of the entity, or removes it on purpose.
  fileprivate init?(
    of entity: String, _ mappings: [EntityMapping], _ reports: [EntityMappingReport]
  ) {
    guard mappings.contains(where: { $0.sourceEntityName == entity }) else {
      self = .notMapped
      return
    }
    let own = reports.filter { $0.sourceEntity == entity }
    let isRemoved = own.contains { $0.type == .removeEntityMappingType }
    guard !own.isEmpty, !isRemoved, own.allSatisfy({ $0.sourceCount == 0 }) else { return nil }
    self = .notTaken
  }
}

extension PersistentStore {
  /// The objects of an entity, those of subentities not included.
  fileprivate func ownCount(of name: String) throws -> Int {
    guard let entity = model.entity(named: name) else { return 0 }
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    return try count(of: query)
  }
}
