import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// A migration between two small models in memory, with compiled policies.
struct PolicyMigration {
  let source: InMemoryStore
  let destination: InMemoryStore
  private let sourceContext: ManagedObjectContext

  init(from sourceEntities: [EntityDescription], to destinationEntities: [EntityDescription]) throws
  {
    source = InMemoryStore(model: try ManagedObjectModel(entities: sourceEntities))
    destination = InMemoryStore(model: try ManagedObjectModel(entities: destinationEntities))
    sourceContext = Self.context(of: source)
  }

  private static func context(of store: PersistentStore) -> ManagedObjectContext {
    let coordinator = PersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    return ManagedObjectContext(coordinator: coordinator)
  }

  /// Puts an object into the source store.
  func seed(_ entity: String, _ values: [String: Any]) throws {
    let object = EntityDescription.insertNewObject(forEntityName: entity, into: sourceContext)
    object.setValuesForKeys(values)
    try sourceContext.save()
  }

  @discardableResult
  func run(_ mappings: [EntityMapping], _ policies: PolicyLibrary) throws -> MigrationManager {
    let manager = MigrationManager(
      sourceModel: source.model, destinationModel: destination.model)
    manager.policyProvider = policies
    try manager.migrate(
      from: source, to: destination, with: MappingModel(entityMappings: mappings))
    return manager
  }

  /// One line per object of an entity: the values of `keys`, dates in seconds since 1970, related
  /// objects by their `name`.
  func dump(_ entity: String, _ keys: [String]) throws -> [String] {
    let context = Self.context(of: destination)
    return try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).map { object in
      try keys.map { try Self.text(object.typedValue(forKey: $0)) }.joined(separator: " ")
    }.sorted()
  }

  private static func text(_ value: Value) throws -> String {
    switch value {
    case .null: "-"
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .date(let date): "@\(Int(date.timeIntervalSince1970))"
    case .object(let object as ManagedObject): try text(object.typedValue(forKey: "name"))
    case .collection(let members):
      "[" + (try members.elements.map { try text($0) }.sorted().joined(separator: ",")) + "]"
    default: "\(value)"
    }
  }
}

// MARK: - Models and mappings in short

extension EntityDescription {
  convenience init(_ name: String, _ properties: [PropertyDescription]) {
    self.init(name: name)
    ownProperties = properties
  }
}

extension PropertyDescription {
  static func attribute(_ name: String, _ type: AttributeType) -> PropertyDescription {
    AttributeDescription(name: name, type: type)
  }

  static func relationship(
    _ name: String, to entity: String, toMany: Bool = false, inverse: String
  ) -> PropertyDescription {
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: entity, toMany: toMany)
    relationship.inverseName = inverse
    return relationship
  }
}

extension EntityMapping {
  /// A mapping by a policy, with expressions for attributes and relationships.
  convenience init(
    _ source: String, _ destination: String, policy: String?,
    attributes: KeyValuePairs<String, String> = [:],
    relationships: KeyValuePairs<String, String> = [:]
  ) throws {
    self.init()
    name = "\(source)To\(destination)"
    mappingType = policy == nil ? .transformEntityMappingType : .customEntityMappingType
    sourceEntityName = source
    destinationEntityName = destination
    entityMigrationPolicyClassName = policy
    attributeMappings = try attributes.map(Self.mapping)
    relationshipMappings = try relationships.map(Self.mapping)
  }

  private static func mapping(_ pair: (key: String, value: String)) throws -> PropertyMapping {
    PropertyMapping(
      name: pair.key, valueExpression: try Expression.parse(pair.value, arguments: []))
  }
}
