/// Infers how to get from one model to another without a mapping model: what Core Data calls
/// lightweight migration.
///
/// All problems are found, not only the first; see ``MappingModel/inferredMappingModel(forSourceModel:destinationModel:)``.
struct MappingInference {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private(set) var problems: [CoreDataError] = []
  /// Entities by the name they have in the destination.
  let entities: ElementPairing<EntityDescription>

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
    entities = ElementPairing(from: source, to: destination)
  }

  /// Goes through both models for the ``problems`` only, which is a fraction of the work.
  mutating func examine() {
    examineEntities()
    for entity in destination.entities {
      guard let original = entities.source(of: entity) else { continue }
      var properties = PropertyInference(source: original, destination: entity)
      properties.examine()
      problems += properties.problems
    }
  }

  private mutating func examineEntities() {
    for (entity, reason) in entities.ambiguities {
      problems.append(
        .notInferable(
          "ambiguous renaming: \(reason)", entity: entity.name,
          advice: CoreDataError.ambiguousAdvice))
    }
    problems += HierarchyInference(destination: destination, entities: entities).problems
  }

  /// Goes through both models.
  /// - Returns: The mapping, to be used only when there are no ``problems``.
  mutating func infer() -> MappingModel {
    examineEntities()
    var kept: [EntityMapping] = []
    var added: [EntityMapping] = []
    for entity in destination.entities {
      if let original = entities.source(of: entity) {
        if let mapping = keptMapping(from: original, to: entity) { kept.append(mapping) }
      } else if !entity.isAbstract {
        added.append(mapping(.addEntityMappingType, "Add", from: nil, to: entity))
      }
    }
    return MappingModel(entityMappings: kept + added + removeMappings())
  }

  // MARK: Entity mappings

  /// Copy or transform. Nothing for an entity that is abstract in both models.
  private mutating func keptMapping(
    from original: EntityDescription, to entity: EntityDescription
  ) -> EntityMapping? {
    var properties = PropertyInference(source: original, destination: entity)
    let (attributes, relationships) = properties.infer()
    problems += properties.problems
    if original.isAbstract && entity.isAbstract { return nil }
    let mapping =
      original.versionHash == entity.versionHash
      ? mapping(.copyEntityMappingType, "Copy", from: original, to: entity)
      : mapping(.transformEntityMappingType, "Transform", from: original, to: entity)
    mapping.sourceExpression =
      GeneratedExpression.fetch(entityName: original.name, predicate: "TRUEPREDICATE").expression
    mapping.attributeMappings = attributes
    mapping.relationshipMappings = relationships
    mapping.userInfo = Self.propertyChanges(from: original, to: entity)
    return mapping
  }

  private func mapping(
    _ type: EntityMappingType, _ word: String, from original: EntityDescription?,
    to entity: EntityDescription?
  ) -> EntityMapping {
    let mapping = EntityMapping()
    mapping.mappingType = type
    mapping.name = "IEM_\(word)_\((entity ?? original)?.name ?? "")"
    mapping.sourceEntityName = original?.name
    mapping.destinationEntityName = entity?.name
    mapping.bind(source: source, destination: destination)
    return mapping
  }

  /// Which properties go on, come and go, by name, as Core Data notes it.
  // Core Data: the keys are known from a public library's tests; the names are sets of text there.
  private static func propertyChanges(
    from original: EntityDescription, to entity: EntityDescription
  ) -> [AnyHashable: Any] {
    let old = original.properties.filter { !($0 is FetchedPropertyDescription) }
    let new = entity.properties.filter { !($0 is FetchedPropertyDescription) }
    if ElementPairing.areUnchanged(old, new) {
      return [
        "mappedProperties": Set(new.map(\.name)) as NSSet, "addedProperties": NSSet(),
        "removedProperties": NSSet(),
      ]
    }
    let pairing = ElementPairing(source: old, destination: new)
    let mapped = Set(new.map(\.name).filter { pairing.sources[$0] != nil })
    let used = Set(pairing.sources.values.map(\.name))
    return [
      "mappedProperties": mapped as NSSet,
      "addedProperties": Set(new.map(\.name)).subtracting(mapped) as NSSet,
      "removedProperties": Set(old.map(\.name)).subtracting(used) as NSSet,
    ]
  }

  private func removeMappings() -> [EntityMapping] {
    let kept = Set(entities.sources.values.map { ObjectIdentifier($0) })
    return source.entities.filter { !$0.isAbstract && !kept.contains(ObjectIdentifier($0)) }
      .map { mapping(.removeEntityMappingType, "Remove", from: $0, to: nil) }
  }
}

extension MappingModel {
  /// Whether ``inferredMappingModel(forSourceModel:destinationModel:)`` gives one.
  package class func canBeInferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    source.prepareForUse()
    destination.prepareForUse()
    var inference = MappingInference(source: source, destination: destination)
    inference.examine()
    return inference.problems.isEmpty
  }

  /// The mapping model that Core Data infers from the differences of two models.
  ///
  /// Entities and properties keep their identity by name or renaming identifier. The entity
  /// mappings are named `IEM_Copy_…`, `IEM_Transform_…`, `IEM_Add_…` and `IEM_Remove_…`.
  /// - Throws: `CoreDataError.inferredMappingModel` (134190) with the reason, entity and property
  ///   of the first change that can't be inferred; all of them in `details` when there are several.
  public class func inferredMappingModel(
    forSourceModel sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel
  ) throws -> MappingModel {
    sourceModel.prepareForUse()
    destinationModel.prepareForUse()
    var inference = MappingInference(source: sourceModel, destination: destinationModel)
    let mapping = inference.infer()
    guard var error = inference.problems.first else { return mapping }
    if inference.problems.count > 1 { error.details = inference.problems }
    throw error
  }
}
