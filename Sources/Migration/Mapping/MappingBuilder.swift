/// Makes a mapping model out of drafts, as Xcode does with what is in its mapping editor.
///
/// Same-named properties get generated expressions, mappings get the name `SourceToDestination`,
/// mapping types follow from policies, names and version hashes, and the version hashes of both
/// models are taken in.
public struct MappingBuilder {
  public let source: ManagedObjectModel
  public let destination: ManagedObjectModel

  public init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// Makes a mapping model with one entity mapping per draft, in the order of the drafts.
  /// - Throws: ``MappingBuilderError`` naming the mapping and what is wrong with it.
  public func mappingModel(_ drafts: [EntityMappingDraft]) throws -> MappingModel {
    var names = Set<String>()
    return MappingModel(
      entityMappings: try drafts.map { draft in
        if draft.sourceEntityName == nil && draft.destinationEntityName == nil {
          throw MappingBuilderError(.noEntity, in: draft)
        }
        guard names.insert(draft.name).inserted else {
          throw MappingBuilderError(.duplicateName, in: draft)
        }
        return try entityMapping(draft, among: drafts)
      })
  }

  /// Drafts with one more for each entity of both models that none of them makes, or removes: what Xcode
  /// has in a new mapping model.
  /// - Complexity: O(*d* + *e*) in drafts and entities.
  public func withRest(_ drafts: [EntityMappingDraft]) -> [EntityMappingDraft] {
    let made = Set(drafts.compactMap(\.destinationEntityName))
    let removed = Set(
      drafts.filter { $0.destinationEntityName == nil }.compactMap(\.sourceEntityName))
    let rest = destination.entities.map(\.name).filter { name in
      !made.contains(name) && !removed.contains(name) && source.entity(named: name) != nil
    }
    return drafts + rest.map { EntityMappingDraft(source: $0, destination: $0) }
  }

  // MARK: One mapping

  private func entityMapping(
    _ draft: EntityMappingDraft, among drafts: [EntityMappingDraft]
  ) throws -> EntityMapping {
    let sourceEntity = try entity(draft.sourceEntityName, in: source, side: .source, draft: draft)
    let destinationEntity = try entity(
      draft.destinationEntityName, in: destination, side: .destination, draft: draft)
    let mapping = EntityMapping()
    mapping.name = draft.name
    mapping.sourceEntityName = draft.sourceEntityName
    mapping.destinationEntityName = draft.destinationEntityName
    mapping.entityMigrationPolicyClassName = draft.policyClassName
    mapping.userInfo = draft.userInfo
    mapping.bind(source: source, destination: destination)
    mapping.mappingType = draft.explicitType ?? Self.type(of: mapping)
    mapping.sourceExpression = try sourceExpression(draft)
    if let destinationEntity {
      let properties = PropertyMappingBuilder(
        draft: draft, drafts: drafts, sourceModel: source, source: sourceEntity,
        destination: destinationEntity)
      mapping.attributeMappings = try properties.attributeMappings()
      mapping.relationshipMappings = try properties.relationshipMappings()
    }
    return mapping
  }

  private func entity(
    _ name: String?, in model: ManagedObjectModel, side: MappingMisfit.Side,
    draft: EntityMappingDraft
  ) throws -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entity(named: name) { return entity }
    throw MappingBuilderError(.unknownEntity(name, side: side), in: draft)
  }

  /// As Xcode's compiler decides it.
  /// Core Data: observed in compiled mapping models.
  private static func type(of mapping: EntityMapping) -> EntityMappingType {
    if mapping.sourceEntityName == nil { return .addEntityMappingType }
    if mapping.destinationEntityName == nil { return .removeEntityMappingType }
    if mapping.entityMigrationPolicyClassName != nil { return .customEntityMappingType }
    let isUnchanged = mapping.sourceEntityVersionHash == mapping.destinationEntityVersionHash
    return isUnchanged ? .copyEntityMappingType : .transformEntityMappingType
  }

  private func sourceExpression(_ draft: EntityMappingDraft) throws -> Expression? {
    guard let name = draft.sourceEntityName else { return nil }
    if let expression = draft.sourceExpression { return expression }
    let predicate = draft.sourcePredicate ?? "TRUEPREDICATE"
    do { _ = try Predicate.parse(predicate, arguments: []) } catch {
      throw MappingBuilderError(.sourcePredicate(predicate, error), in: draft)
    }
    return GeneratedExpression.fetch(entityName: name, predicate: predicate).expression
  }
}

/// A draft that can't become an entity mapping.
public struct MappingBuilderError: Error {
  /// What is wrong. Match on this, never on the text.
  public enum Kind: Sendable {
    /// Neither a source nor a destination is named.
    case noEntity
    case duplicateName
    case unknownEntity(String, side: MappingMisfit.Side)
    case unknownAttribute(String)
    case unknownRelationship(String)
    /// The value expression of a property can't be parsed.
    case expression(property: String, any Error)
    case sourcePredicate(String, any Error)
    /// A relationship takes its objects from a mapping that doesn't exist.
    case unknownMapping(String, property: String)
  }
  public var kind: Kind
  public var entityMapping: String
  public var sourceEntity: String?
  public var destinationEntity: String?

  init(_ kind: Kind, in draft: EntityMappingDraft) {
    self.kind = kind
    entityMapping = draft.name
    sourceEntity = draft.sourceEntityName
    destinationEntity = draft.destinationEntityName
  }
}

// MARK: - Wording

extension MappingBuilderError: CustomStringConvertible {
  public var description: String { "entity mapping '\(entityMapping)': \(message)" }

  /// What is wrong, without the mapping's name.
  public var message: String {
    switch kind {
    case .noEntity: "it has neither a source nor a destination entity"
    case .duplicateName: "another entity mapping has that name; rename one of them"
    case .unknownEntity(let name, let side): "the \(side.rawValue) model has no entity '\(name)'"
    case .unknownAttribute(let name):
      "destination entity '\(destinationEntity ?? "")' has no attribute '\(name)'"
    case .unknownRelationship(let name):
      "destination entity '\(destinationEntity ?? "")' has no relationship '\(name)'"
    case .expression(let property, let error): "value expression of '\(property)': \(error)"
    case .sourcePredicate(let text, let error): "source predicate '\(text)': \(error)"
    case .unknownMapping(let name, let property):
      "'\(property)' takes its objects from the entity mapping '\(name)', which doesn't exist"
    }
  }
}
