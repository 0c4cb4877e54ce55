/// What happens to the objects at the other end when an object is deleted. Raw values are Core
/// Data's own.
public enum DeleteRule: UInt, Sendable, Hashable, CaseIterable {
  case noAction = 0
  case nullify = 1
  case cascade = 2
  case deny = 3
}

/// A property that leads to other objects.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class RelationshipDescription: PropertyDescription, @unchecked Sendable {
  /// Name of the entity at the other end; the model resolves it.
  public var destinationEntityName: String { willSet { requireMutable() } }
  /// Name of the relationship that leads back; nil when there is none.
  public var inverseName: String? { willSet { requireMutable() } }
  public var deleteRule: DeleteRule = .nullify { willSet { requireMutable() } }
  /// Fewest destinations; 0 in nearly all models, also for required relationships.
  public var minCount = 0 { willSet { requireMutable() } }
  /// Most destinations: 1 makes the relationship to-one, 0 means no limit, and so does -1, which some generators
  /// of models write.
  public var maxCount = 0 { willSet { requireMutable() } }
  public var isOrdered = false { willSet { requireMutable() } }

  /// The entity at the other end. Set by the model.
  public internal(set) unowned var destinationEntity: EntityDescription! {
    didSet { destinationEntityID = destinationEntity.map { ObjectIdentifier($0) } }
  }
  /// Which object that is: asked for more often than it is worth counting a reference.
  package private(set) var destinationEntityID: ObjectIdentifier?
  /// The relationship that leads back. Set by the model.
  public internal(set) unowned var inverseRelationship: RelationshipDescription? {
    didSet { inverseInPlace = inverseRelationship.map { .passUnretained($0) } }
  }
  /// The same, for those who know that the model is there: no reference is counted.
  package private(set) var inverseInPlace: Unmanaged<RelationshipDescription>?

  public init(name: String, destinationEntityName: String, toMany: Bool) {
    self.destinationEntityName = destinationEntityName
    super.init(name: name)
    maxCount = toMany ? 0 : 1
  }

  /// A relationship to be described in code: to-many, without destination yet.
  public convenience init() { self.init(name: "", destinationEntityName: "", toMany: true) }

  /// Destination and inverse given as descriptions, whose names may still change.
  package var destinationInCode: EntityDescription? { willSet { requireMutable() } }
  package var inverseInCode: RelationshipDescription? { willSet { requireMutable() } }

  /// A copy that still leads to the same entity, and has an inverse of the same name, until it has a model of its own.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = unattachedCopy() as! RelationshipDescription
    copy.destinationInCode = destinationInCode ?? destinationEntity
    copy.inverseInCode = inverseInCode
    return copy
  }

  public var isToMany: Bool { maxCount != 1 }

  /// Whether the bounds allow so many destinations. Optional and empty passes even with a minimum.
  package func allows(count: Int) -> Bool {
    count == 0 && isOptional || count >= minCount && (maxCount <= 0 || count <= maxCount)
  }
}

/// A property whose value is the result of a stored fetch request.
/// Sendable unchecked: frozen before a model is used, and changed by one thread until then.
public final class FetchedPropertyDescription: PropertyDescription, @unchecked Sendable {
  public var fetchRequest: FetchRequestTemplate { willSet { requireMutable() } }

  public init(name: String, fetchRequest: FetchRequestTemplate) {
    self.fetchRequest = fetchRequest
    super.init(name: name)
    isTransient = true
  }

  /// A fetched property to be described in code.
  public convenience init() {
    self.init(
      name: "",
      fetchRequest: FetchRequestTemplate(
        name: FetchRequestTemplate.fetchedPropertyName, entityName: ""))
  }
}
