/// What kind of object something is: a name, properties, and a place in a hierarchy.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class EntityDescription: NSObject, @unchecked Sendable {
  public var name: String { willSet { requireMutable() } }
  public var managedObjectClassName: String? { willSet { requireMutable() } }
  public var isAbstract = false { willSet { requireMutable() } }
  /// Name of the superentity; the model resolves it.
  public var superentityName: String? { willSet { requireMutable() } }
  /// The properties declared here, inherited ones left out.
  public var ownProperties: [PropertyDescription] = [] { willSet { requireMutable() } }
  public var explicitRenamingIdentifier: String? { willSet { requireMutable() } }
  public var versionHashModifier: String? { willSet { requireMutable() } }
  /// Lists of property names whose values must be unique together.
  public var uniquenessConstraints: [[String]] = [] { willSet { requireMutable() } }
  public var indexes: [FetchIndexDescription] = [] { willSet { requireMutable() } }
  public var userInfo: [String: String] = [:] { willSet { requireMutable() } }
  /// What Spotlight shows of an object, as an expression's text. Stores take no notice.
  public var coreSpotlightDisplayNameFormat: String? { willSet { requireMutable() } }

  /// The model the entity belongs to.
  public internal(set) unowned var managedObjectModel: ManagedObjectModel!
  public internal(set) unowned var superentity: EntityDescription?
  /// Direct subentities, sorted by name.
  public internal(set) var subentities: [EntityDescription] = []
  /// The top of the hierarchy; the entity itself when it has no superentity.
  public internal(set) unowned var rootEntity: EntityDescription!
  /// Position in the model's store order: roots sorted without regard to case, each followed by
  /// its subentities, depth first. The entity number in a fresh store is this plus one.
  public internal(set) var storeIndex = -1
  /// The ``storeIndex`` of the top of the hierarchy.
  package internal(set) var hierarchyIndex = -1
  /// Which object the top of the hierarchy is: asked for more often than it is worth counting a reference.
  package internal(set) var hierarchyID: ObjectIdentifier?

  /// Own and inherited properties in slot order: a superentity's first, then own ones by name.
  public internal(set) var properties: [PropertyDescription] = []
  public internal(set) var attributes: [AttributeDescription] = []
  public internal(set) var relationships: [RelationshipDescription] = []
  public internal(set) var propertiesByName: [String: PropertyDescription] = [:]
  public internal(set) var attributesByName: [String: AttributeDescription] = [:]
  public internal(set) var relationshipsByName: [String: RelationshipDescription] = [:]

  /// Nil until the entity is in use.
  var attributePlaces: AttributePlaces?

  /// What transient attributes start with, by slot, wherever an object comes from.
  package internal(set) var transientDefaults: [(slot: Int, value: Value)] = []

  public internal(set) var isFrozen = false
  /// Computed once; see `versionHash`.
  let versionHashStorage = Computed<Data>()

  /// The model that is being built with this entity, if it isn't in use yet.
  package internal(set) weak var modelBeingBuilt: ManagedObjectModel?
  /// Subentities given as descriptions, whose names may still change.
  package var subentitiesInCode: [EntityDescription]? { willSet { requireMutable() } }

  /// Entities are equal by their content; see ``hasContent(of:)``.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EntityDescription else { return false }
    return other === self || (other.name == name && hasContent(of: other))
  }

  public override var hash: Int { name.hashValue }

  public init(name: String) { self.name = name }

  /// An entity to be described in code; it needs a name before its model is used.
  public override convenience init() { self.init(name: "") }

  func requireMutable() {
    precondition(
      !isFrozen, "Can't modify an immutable model: entity '\(name)' is in use"
    )
    modelBeingBuilt?.needsLinking = true
  }

  public override var description: String { name }
}

// MARK: - Looking things up

extension EntityDescription {
  /// What the entity was called before: its renaming identifier, else its name.
  public var renamingIdentifier: String {
    get { explicitRenamingIdentifier ?? name }
    set { explicitRenamingIdentifier = newValue }
  }

  /// How many values a row of this entity has.
  public var slotCount: Int { properties.count }

  public func property(named name: String) -> PropertyDescription? {
    propertiesByName[name]
  }
  public func attribute(named name: String) -> AttributeDescription? {
    attributesByName[name]
  }
  /// Where the values of an attribute are, and their type: what is asked with every value, without a
  /// reference to count. Nil also where looking for the attribute may find it.
  package func attributePlace(named name: String) -> (slot: Int, type: AttributeType)? {
    attributePlaces?[name]
  }
  public func relationship(named name: String) -> RelationshipDescription? {
    relationshipsByName[name]
  }

  /// Whether this is `other` or one of its descendants.
  public func isKindOf(entity other: EntityDescription) -> Bool {
    var candidate: EntityDescription? = self
    while let current = candidate {
      if current === other { return true }
      candidate = current.superentity
    }
    return false
  }

  /// This entity and all its descendants, depth first.
  public var selfAndDescendants: [EntityDescription] {
    [self] + subentities.flatMap(\.selfAndDescendants)
  }
}

extension EntityDescription {
  /// The attributes that the entity declares.
  package var ownAttributes: [AttributeDescription] {
    ownProperties.compactMap { $0 as? AttributeDescription }
  }

  /// The relationships that the entity declares.
  package var ownRelationships: [RelationshipDescription] {
    ownProperties.compactMap { $0 as? RelationshipDescription }
  }
}

extension ManagedObjectModel {
  /// The attributes that the entities declare.
  package var ownAttributes: [AttributeDescription] { entities.flatMap(\.ownAttributes) }

  /// The relationships that the entities declare.
  package var ownRelationships: [RelationshipDescription] { entities.flatMap(\.ownRelationships) }
}

// MARK: - Indexes

extension EntityDescription {
  /// The fetch indexes that stores have: the entity's own, and for each attribute marked as indexed one of the
  /// attribute's name.
  package var storedIndexes: [FetchIndexDescription] { indexes(withCompounds: []) }

  /// Adds the fetch indexes that Core Data makes from the kinds of index before Xcode 9.
  func addIndexes(fromCompounds compounds: [[String]]) {
    indexes = indexes(withCompounds: compounds)
  }

  /// With one index for each marked attribute, and for each compound index one named by its properties joined
  /// with `_`.
  /// Core Data: observed in model caches since framework 847.
  private func indexes(withCompounds compounds: [[String]]) -> [FetchIndexDescription] {
    let marked = ownAttributes.filter(\.isIndexed)
    var all = indexes
    var known = Set(indexes.map(\.name))
    for names in marked.map({ [$0.name] }) + compounds where !names.isEmpty {
      let name = names.joined(separator: "_")
      guard known.insert(name).inserted else { continue }
      all.append(
        FetchIndexDescription(name: name, elements: names.map { .init(propertyName: $0) }))
    }
    return all
  }
}
