/// A configuration of one model object, for what is kept by it. Whoever keeps something must keep the model,
/// too, or another one could come to the same place.
struct ModelPart: Hashable, Sendable {
  private let model: ObjectIdentifier
  private let configuration: String?

  init(_ configuration: StoreConfiguration) {
    model = ObjectIdentifier(configuration.model)
    self.configuration = configuration.name
  }
}

/// The part of a model that one store holds: the entities of a configuration.
public struct StoreConfiguration {
  public let model: ManagedObjectModel
  /// The configuration's name; nil for the default one, which has all entities.
  public let name: String?
  /// Its entities, in store order.
  public let entities: [EntityDescription]
  /// By store index.
  private let isMember: [Bool]

  /// The configuration with all entities.
  public init(model: ManagedObjectModel) {
    model.prepareForUse()
    self.model = model
    name = nil
    entities = model.entities
    isMember = []
  }

  /// A named configuration; for nil the one with all entities.
  /// - Throws: `CoreDataError` `.persistentStoreOpen` when the model has none of this name.
  public init(model: ManagedObjectModel, named name: String?) throws {
    try model.use()
    guard let name, name != ManagedObjectModel.defaultConfigurationName else {
      self.init(model: model)
      return
    }
    guard let members = model.entities(forConfigurationName: name) else {
      throw CoreDataError.unknownConfiguration(name, in: model)
    }
    self.init(model: model, name: name, entities: members.withDescendants(in: model))
  }

  /// The first configuration with just the entities that a store's metadata names; else the one with all.
  public init(model: ManagedObjectModel, holding hashes: [String: Data]?) {
    let names = Set(hashes.map { Array($0.keys) } ?? [])
    let whole = StoreConfiguration(model: model)
    // A configuration that a store can't have isn't this one's.
    let fitting = model.configurations.keys.sorted().lazy
      .compactMap { try? StoreConfiguration(model: model, named: $0) }
      .first { Set($0.entities.map(\.name)) == names }
    self = names.count == whole.entities.count ? whole : fitting ?? whole
  }

  private init(model: ManagedObjectModel, name: String, entities: [EntityDescription]) {
    self.model = model
    self.name = name
    self.entities = entities
    var isMember = [Bool](repeating: false, count: model.entities.count)
    for entity in entities { isMember[entity.storeIndex] = true }
    self.isMember = isMember
  }

  /// Whether every entity of the model belongs to it.
  public var isWhole: Bool { entities.count == model.entities.count }

  public func contains(_ entity: EntityDescription) -> Bool {
    isMember.isEmpty || isMember[entity.storeIndex]
  }

  /// Whether objects of an entity, or of entities derived from it, may be in the store.
  func mayAnswer(_ query: StoreQuery) -> Bool {
    if isMember.isEmpty || contains(query.entity) { return true }
    return query.includesSubentities && query.entity.selfAndDescendants.contains(where: contains)
  }

  /// Its entities and those they are derived from, which share a table with them; in store order.
  var tableEntities: [EntityDescription] {
    if isWhole { return entities }
    var wanted: Set<ObjectIdentifier> = []
    for entity in entities {
      var next: EntityDescription? = entity
      while let current = next {
        wanted.insert(ObjectIdentifier(current))
        next = current.superentity
      }
    }
    return model.entities.filter { wanted.contains(ObjectIdentifier($0)) }
  }

  /// The version hashes that a store's metadata holds.
  public var versionHashes: [String: Data] {
    Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0.versionHash) })
  }
}
