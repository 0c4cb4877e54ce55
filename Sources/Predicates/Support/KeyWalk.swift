/// A walk along the keys of a path through the model.
struct KeyWalk {
  /// Where it is; nil behind an attribute.
  private(set) var entity: EntityDescription?
  /// The type of the attribute at its end.
  private(set) var attributeType: AttributeType?
  private(set) var toManyCount = 0
  /// Whether the last key is a to-many relationship.
  private(set) var endsWithToMany = false
  /// Whether the keys from here on aren't the model's: what there is to know of an entity.
  private var isBeyondModel = false
  /// The composite attribute whose elements the keys from here on are; each is a column of its own.
  private var composite: AttributeDescription?
  /// Whether a collection operator makes one value of many.
  var isReduced = false

  init(entity: EntityDescription) { self.entity = entity }

  /// Takes one key; false when the store doesn't have it.
  mutating func follow(_ key: String) -> Bool {
    if key == "self" || isBeyondModel { return true }
    if let composite { return follow(key, in: composite) }
    guard let entity else { return false }
    endsWithToMany = false
    switch entity.property(named: key) {
    case let attribute as AttributeDescription:
      self.entity = nil
      attributeType = attribute.attributeType
      composite = attribute.attributeType == .composite ? attribute : nil
      return attribute.isStored
    case let relationship as RelationshipDescription:
      self.entity = relationship.destinationEntity
      endsWithToMany = relationship.isToMany
      if relationship.isToMany { toManyCount += 1 }
      return !relationship.isTransient
    default:
      // Every object answers these two without their being properties of the model.
      isBeyondModel = key == "entity" || key == "objectID"
      return isBeyondModel
    }
  }

  private mutating func follow(_ key: String, in attribute: AttributeDescription) -> Bool {
    guard let element = attribute.element(at: [key]) else { return false }
    attributeType = element.attributeType
    composite = element.attributeType == .composite ? element : nil
    return composite != nil || element.isStored
  }
}
