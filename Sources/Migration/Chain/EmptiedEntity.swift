/// An entity whose objects a step left behind, though its destination still has the entity: no entity
/// mapping has it as its source, and nothing else made any.
public struct EmptiedEntity: Hashable, Sendable, Codable, CustomStringConvertible {
  /// In the source model.
  public let entity: String
  /// How many objects there were.
  public let count: Int

  public var description: String {
    "\(entity): \(count) \(count == 1 ? "object" : "objects") before, none afterwards, mapped by nothing"
  }
}

extension MigrationStep {
  /// The entities that the step emptied.
  ///
  /// An inferred mapping covers all entities that live on.
  // Core Data: "Mapping Overview" of the Model Versioning and Data Migration Programming Guide: only the
  // entity mappings that are in a mapping model are carried out.
  func emptiedEntities(
    by choice: MappingChoice?, from source: PersistentStore, to destination: PersistentStore
  ) throws -> [EmptiedEntity] {
    guard let choice, choice.kind == .custom else { return [] }
    let mapped = Set(
      choice.mappings.flatMap { $0.model.entityMappings ?? [] }.compactMap(\.sourceEntityName))
    let pairing = ElementPairing(from: sourceModel, to: destinationModel)
    return try destinationModel.entities.compactMap { entity in
      guard let old = pairing.source(of: entity), !old.isAbstract, !mapped.contains(old.name),
        try destination.ownCount(of: entity.name) == 0
      else { return nil }
      let count = try source.ownCount(of: old.name)
      return count > 0 ? EmptiedEntity(entity: old.name, count: count) : nil
    }
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
