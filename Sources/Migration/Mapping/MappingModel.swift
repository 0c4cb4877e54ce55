/// An ordered list of entity mappings that leads from one model to another.
open class MappingModel: NSObject {
  /// The entity mappings, in the order in which they run in each pass.
  open var entityMappings: [EntityMapping]!
  /// Whether the mapping was inferred, and nobody added to it by hand.
  final var isInferred: Bool {
    !entityMappings.isEmpty
      && entityMappings.allSatisfy {
        $0.name?.hasPrefix("IEM_") == true && $0.entityMigrationPolicyClassName == nil
      }
  }

  public override init() {
    entityMappings = []
    super.init()
  }

  public init(entityMappings: [EntityMapping]) {
    self.entityMappings = entityMappings
    super.init()
  }

  /// The entity mappings by name; of several with one name the first.
  open var entityMappingsByName: [String: EntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Mapping models are equal by their content: the same entity mappings in the same order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? MappingModel else { return false }
    return other === self || other.entityMappings ?? [] == entityMappings ?? []
  }

  open override var hash: Int { entityMappings?.count ?? 0 }

  open override var description: String {
    "mapping model of " + entityMappings.map(\.description).joined(separator: ", ")
  }
}

// MARK: - Fit

/// An entity that isn't what a mapping was made for.
public struct MappingMisfit: Hashable, Sendable {
  public enum Side: String, Hashable, Sendable {
    case source, destination
  }
  public enum Reason: String, Hashable, Sendable {
    /// The model has no entity of that name.
    case missing = "is missing"
    /// The entity's version hash isn't the mapping's.
    case changed = "was changed"
  }
  public var entityMapping: String
  public var entity: String
  public var side: Side
  public var reason: Reason
}

extension MappingMisfit: CustomStringConvertible {
  public var description: String {
    "\(entityMapping): \(side.rawValue) entity '\(entity)' \(reason.rawValue)"
  }
}

extension MappingModel {
  /// Whether each entity mapping's version hashes are those of the two models' entities, which is
  /// how Core Data finds the mapping model for a pair. Entities that no mapping mentions don't
  /// count; a mapping without hashes fits by name.
  public func fits(source: ManagedObjectModel, destination: ManagedObjectModel) -> Bool {
    misfits(source: source, destination: destination).isEmpty
  }

  /// The entities that keep the mapping model from fitting a pair of models.
  public func misfits(
    source: ManagedObjectModel, destination: ManagedObjectModel
  ) -> [MappingMisfit] {
    (entityMappings ?? []).flatMap { mapping in
      [
        mapping.misfit(
          .source, entityName: mapping.sourceEntityName, hash: mapping.sourceEntityVersionHash,
          in: source),
        mapping.misfit(
          .destination, entityName: mapping.destinationEntityName,
          hash: mapping.destinationEntityVersionHash,
          in: destination),
      ].compactMap { $0 }
    }
  }

  /// - Throws: What Core Data raises when it is told to run a mapping that doesn't fit.
  public func checkFit(source: ManagedObjectModel, destination: ManagedObjectModel) throws {
    let misfits = misfits(source: source, destination: destination)
    guard let first = misfits.first else { return }
    throw CoreDataError.misfits(misfits.map(\.description))
      .at(entityMapping: first.entityMapping, entity: first.entity)
  }
}

extension EntityMapping {
  fileprivate func misfit(
    _ side: MappingMisfit.Side, entityName: String?, hash: Data?, in model: ManagedObjectModel
  ) -> MappingMisfit? {
    guard let entityName else { return nil }
    let found = model.versionHash(ofEntityNamed: entityName)
    if found != nil && (hash == nil || hash == found) { return nil }
    return MappingMisfit(
      entityMapping: name, entity: entityName, side: side,
      reason: found == nil ? .missing : .changed)
  }

  /// Takes the hashes of the two models' entities.
  func bind(source: ManagedObjectModel, destination: ManagedObjectModel) {
    sourceEntityVersionHash = sourceEntityName.flatMap(source.versionHash(ofEntityNamed:))
    destinationEntityVersionHash = destinationEntityName.flatMap(
      destination.versionHash(ofEntityNamed:))
  }
}

extension MappingModel {
  /// Takes the hashes of new models where the mapping had those of the old ones, as whoever changes a version
  /// and its mapping together would have it.
  package func rebind(
    from old: (source: ManagedObjectModel, destination: ManagedObjectModel),
    to new: (source: ManagedObjectModel, destination: ManagedObjectModel)
  ) {
    for mapping in entityMappings ?? [] {
      if let name = mapping.sourceEntityName, let hash = mapping.sourceEntityVersionHash,
        hash == old.source.versionHash(ofEntityNamed: name)
      {
        mapping.sourceEntityVersionHash = new.source.versionHash(ofEntityNamed: name)
      }
      if let name = mapping.destinationEntityName, let hash = mapping.destinationEntityVersionHash,
        hash == old.destination.versionHash(ofEntityNamed: name)
      {
        mapping.destinationEntityVersionHash = new.destination.versionHash(ofEntityNamed: name)
      }
    }
  }
}
