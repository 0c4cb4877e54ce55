// Two transfers one after the other, as one that leaves the store in between out.

extension StoreTransfer {
  /// This transfer and `next` as one.
  ///
  /// Only what is carried over unchanged can be put together: a store in between would check, drop or
  /// convert the rest.
  /// - Returns: Nil when the store in between may matter.
  package func followed(by next: StoreTransfer) -> StoreTransfer? {
    guard leavesNothingToJudge, next.keepsFamiliesAndLinks else { return nil }
    var composed: [Entity] = []
    for later in next.entities {
      // Of several entities one became, none is renamed any more: their mappings tell them apart.
      let earlier = entities.filter { $0.destination.name == later.source.name }
      if earlier.count > 1 { return nil }
      guard let first = earlier.first else { continue }
      guard let both = first.followed(by: later) else { return nil }
      composed.append(both)
    }
    var both = StoreTransfer(entities: composed)
    both.checks = next.checks
    both.presumptions = presumptions + entities.flatMap(\.presumptions)
    return both
  }

  /// Whether the store that this transfer fills could refuse nothing, and computes nothing.
  private var leavesNothingToJudge: Bool {
    keepsFamiliesAndLinks
      && entities.allSatisfy { entity in
        let end = entity.destination
        return end.isAbstract == entity.source.isAbstract && !end.hasUniquenessConstraint
          && !end.attributes.contains(where: \.isDerived)
          && end.relationships.allSatisfy { $0.isOptional || $0.isToMany || $0.isTransient }
          && end.attributes.allSatisfy { $0.isOptional || !$0.isStored || entity.fills($0) }
      }
  }

  /// Whether rows keep their keys and all their links.
  private var keepsFamiliesAndLinks: Bool {
    var families: [ObjectIdentifier: ObjectIdentifier] = [:]
    for entity in entities {
      let (old, new) = (
        ObjectIdentifier(entity.source.rootEntity), ObjectIdentifier(entity.destination.rootEntity)
      )
      if families.updateValue(new, forKey: old).map({ $0 != new }) == true { return false }
    }
    guard Set(families.values).count == families.count else { return false }
    return entities.allSatisfy { entity in
      entity.destination.relationships.allSatisfy { keepsLinks(of: $0, in: entity) }
    }
  }

  private func keepsLinks(of relationship: RelationshipDescription, in entity: Entity) -> Bool {
    guard let old = entity.origin(of: relationship) else {
      return origins(of: relationship).isEmpty
        && relationship.inverseRelationship.map { origins(of: $0).isEmpty } ?? true
    }
    let inverses = relationship.inverseRelationship.map { origins(of: $0) } ?? []
    let expected = relationship.inverseRelationship == nil ? [] : [old.inverseRelationship]
    return origins(of: relationship).count == 1 && old.isToMany == relationship.isToMany
      && old.isOrdered == relationship.isOrdered && old.isTransient == relationship.isTransient
      && (old.inverseRelationship == nil) == (relationship.inverseRelationship == nil)
      && inverses.elementsEqual(expected, by: { $0 === $1 })
      && entities.allSatisfy {
        !$0.source.isKindOf(entity: old.destinationEntity)
          || $0.destination.isKindOf(entity: relationship.destinationEntity)
      }
  }
}

extension StoreTransfer.Entity {
  /// Whether every row has a value as long as the presumptions hold.
  fileprivate func fills(_ attribute: AttributeDescription) -> Bool {
    switch origin(of: attribute) {
    case .value(let value)?, .attributeOrValue(_, let value)?: !value.isNull
    case .attribute?: true
    case .computed?, .element?, nil: false
    }
  }

  /// The source's attributes that must have values, or the store in between would be refused.
  fileprivate var presumptions: [StoreTransfer.Presumption] {
    destination.attributes.filter { !$0.isOptional && $0.isStored }.compactMap { attribute in
      guard case .attribute(let original)? = origin(of: attribute) else { return nil }
      return StoreTransfer.Presumption(entity: source, attribute: original)
    }
  }

  /// Whether it fills composite attributes, whose elements aren't known by their names alone.
  private var hasElements: Bool { attributes.contains { $0.destination.composite != nil } }

  private func origin(of attribute: AttributeDescription) -> StoreTransfer.AttributeOrigin? {
    attributes.last { $0.destination.name == attribute.name }?.origin
  }

  /// The mapping of `later` applied to what this one makes; its name is that of `later`.
  fileprivate func followed(by later: StoreTransfer.Entity) -> StoreTransfer.Entity? {
    if condition != nil || later.condition != nil || hasElements || later.hasElements { return nil }
    var both = StoreTransfer.Entity(
      name: later.name, source: source, destination: later.destination)
    for (attribute, origin) in later.attributes {
      switch composed(origin, for: attribute) {
      case .nothing: continue
      case .origin(let origin): both.fill(attribute, from: origin)
      case .unknown: return nil
      }
    }
    for relationship in later.destination.relationships {
      guard let middle = later.origin(of: relationship),
        let known = destination.relationship(named: middle.name),
        let first = self.origin(of: known)
      else { continue }
      both.link(relationship, from: first)
    }
    return both
  }

  private enum Composition {
    case origin(StoreTransfer.AttributeOrigin)
    /// The column stays empty.
    case nothing
    case unknown
  }

  private func composed(
    _ origin: StoreTransfer.AttributeOrigin, for attribute: AttributeDescription
  ) -> Composition {
    switch origin {
    case .value: return .origin(origin)
    case .computed, .element: return .unknown
    case .attribute(let middle):
      guard middle.isStored, middle.isKept(as: attribute) else { return .unknown }
      guard let first = self.origin(of: middle) else { return .nothing }
      return first.isKept(as: middle) ? .origin(first) : .unknown
    case .attributeOrValue(let middle, let value):
      guard middle.isStored, middle.isKept(as: attribute) else { return .unknown }
      return filling(self.origin(of: middle), with: value, middle)
    }
  }

  /// What is in the column in between, or `value` where that is empty.
  private func filling(
    _ first: StoreTransfer.AttributeOrigin?, with value: Value, _ middle: AttributeDescription
  ) -> Composition {
    switch first {
    case nil: return .origin(.value(value))
    case .value(let known)?: return .origin(.value(known.isNull ? value : known))
    case .attribute(let oldest)?:
      return oldest.isKept(as: middle) ? .origin(.attributeOrValue(oldest, value)) : .unknown
    case .attributeOrValue(let oldest, let known)?:
      guard oldest.isKept(as: middle) else { return .unknown }
      return .origin(.attributeOrValue(oldest, known.isNull ? value : known))
    case .computed?, .element?: return .unknown
    }
  }
}

extension StoreTransfer.AttributeOrigin {
  /// Whether an attribute of the store in between has these values unconverted.
  fileprivate func isKept(as attribute: AttributeDescription) -> Bool {
    switch self {
    case .attribute(let old), .attributeOrValue(let old, _): old.isKept(as: attribute)
    case .value: true
    case .computed, .element: false
    }
  }
}

extension AttributeDescription {
  fileprivate func isKept(as other: AttributeDescription) -> Bool {
    attributeType == other.attributeType
      && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
  }
}

extension EntityDescription {
  var hasUniquenessConstraint: Bool {
    !uniquenessConstraints.isEmpty || superentity?.hasUniquenessConstraint == true
  }
}
