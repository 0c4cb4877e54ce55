/// Values that an entity mapping brought along although their value transformer can't read them.
///
/// The engine carries the bytes. A migration manager on a device reads the value as an object, by the transformer's
/// reverse transformation, and has the object transformed again when it saves.
// Core Data: assumed; the reference of `valueTransformerName` only says that the transformer must allow reverse
// transformation.
public struct UnreadableValues: Hashable, Sendable, Codable, CustomStringConvertible {
  public let entityMapping: String
  /// In the destination model.
  public let entity: String
  /// The attribute; for an element of a composite one, the composite.
  public let attribute: String
  public let transformer: String

  public var description: String {
    "\(entity).\(attribute) was copied by '\(entityMapping)', and the value transformer \(transformer) has no reverse "
      + "transformation"
  }
}

extension MigrationStep {
  /// The values that the step brought along and a migration manager on a device couldn't read.
  ///
  /// A lightweight step carries bytes on a device, too. What a policy sets is validated, so that values of such a
  /// transformer in the destination are copies.
  /// - Parameter runs: What the step's mapping models did.
  func unreadableValues(
    by choice: MappingChoice?, _ runs: [StepReport.Run], from source: PersistentStore,
    to destination: PersistentStore
  ) throws -> [UnreadableValues] {
    guard let choice, choice.kind == .custom || isManaged,
      source.model.hasOneWayTransformers || destination.model.hasOneWayTransformers
    else { return [] }
    let reports = runs.flatMap(\.entityMappings).filter { $0.destinationCount > 0 }
    let names = Set(reports.map(\.name))
    let mappings = choice.mappings.flatMap { $0.model.entityMappings ?? [] }
    return try mappings.filter { names.contains($0.name) }.flatMap { mapping in
      let compiler = MappingCompiler(
        mapping: mapping, source: source.model, destination: destination.model)
      return try compiler.compiled().unreadableValues(in: destination)
    }
  }
}

extension CompiledMapping {
  fileprivate func unreadableValues(in store: PersistentStore) throws -> [UnreadableValues] {
    guard let entity = destinationEntity else { return [] }
    var found: [UnreadableValues] = []
    for step in attributes where step.property.isStored {
      // A policy may have made the value of something else.
      let original = needsPolicy ? nil : step.source.original
      let names =
        step.property.oneWayTransformerNames + (original?.oneWayTransformerNames ?? [])
      guard let name = names.first, try store.hasTransformableValues(of: step.property, in: entity)
      else { continue }
      found.append(
        UnreadableValues(
          entityMapping: mapping.name, entity: entity.name, attribute: step.property.name,
          transformer: name))
    }
    return found
  }
}

extension ManagedObjectModel {
  fileprivate var hasOneWayTransformers: Bool {
    entities.contains { $0.attributes.contains { !$0.oneWayTransformerNames.isEmpty } }
  }
}

extension ValueSource {
  /// The source attribute whose value is set as it is.
  fileprivate var original: AttributeDescription? {
    switch self {
    case .copied(let attribute), .fallback(let attribute, _), .elements(let attribute): attribute
    case .converted, .constant, .element, .expression: nil
    }
  }
}

extension PersistentStore {
  /// Whether an object of the entity itself has such a value. Reads rows up to the first that has.
  fileprivate func hasTransformableValues(
    of attribute: AttributeDescription, in entity: EntityDescription
  ) throws -> Bool {
    var query = StoreQuery(entity: entity)
    query.includesSubentities = false
    var isFound = false
    try enumerateRows(matching: query) { row in
      isFound = row.values[attribute.slot].hasTransformable
      return !isFound
    }
    return isFound
  }
}

extension Value {
  /// Whether it is the value of a Transformable attribute, or a composite with one.
  fileprivate var hasTransformable: Bool {
    switch self {
    case .transformable: true
    case .object(let composite as CompositeValue):
      composite.values.contains(where: \.hasTransformable)
    default: false
    }
  }
}
