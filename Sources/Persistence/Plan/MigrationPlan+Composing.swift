// Two plans one after the other, as one that leaves the store in between out.

extension MigrationPlan {
  /// This plan and `next` as one.
  ///
  /// Only what is carried over unchanged can be put together: a store in between would check, drop or
  /// convert the rest.
  /// - Returns: Nil when the store in between may matter.
  package func followed(by next: MigrationPlan) -> MigrationPlan? {
    guard leavesNothingToJudge, next.keepsHierarchiesAndLinks else { return nil }
    var composed: [EntityPlan] = []
    for later in next.entities where later.ends != nil {
      // Of several entities one became, none is renamed any more: their mappings tell them apart.
      let earlier = entities.filter { $0.ends?.destination.name == later.source?.name }
      if earlier.count > 1 { return nil }
      guard let first = earlier.first else { continue }
      guard let both = first.followed(by: later) else { return nil }
      composed.append(both)
    }
    var both = MigrationPlan(entities: composed, checks: next.checks)
    both.presumptions = presumptions + entities.flatMap(\.presumptions)
    return both
  }

  /// Whether the store that this plan fills could refuse nothing, and computes nothing.
  private var leavesNothingToJudge: Bool {
    keepsHierarchiesAndLinks
      && entities.allSatisfy { entity in
        guard let (source, end) = entity.ends else { return true }
        return end.isAbstract == source.isAbstract && !end.hasUniquenessConstraint
          && !end.attributes.contains(where: \.isDerived)
          && end.relationships.allSatisfy { $0.isOptional || $0.isToMany || $0.isTransient }
          // Of a composite, which may be optional, each element may be required.
          && end.attributes.allSatisfy {
            !$0.isStored
              || $0.attributeType != .composite && ($0.isOptional || entity.fills($0))
          }
      }
  }

  /// Whether rows keep their keys and all their links, and nothing takes objects.
  private var keepsHierarchiesAndLinks: Bool {
    guard (try? requireRows()) != nil else { return false }
    var roots: [ObjectIdentifier: ObjectIdentifier] = [:]
    for (source, destination) in entities.compactMap(\.ends) {
      let (old, new) = (
        ObjectIdentifier(source.rootEntity), ObjectIdentifier(destination.rootEntity)
      )
      if roots.updateValue(new, forKey: old).map({ $0 != new }) == true { return false }
    }
    guard Set(roots.values).count == roots.count else { return false }
    return entities.allSatisfy { entity in
      entity.ends?.destination.relationships.allSatisfy { keepsLinks(of: $0, in: entity) } ?? true
    }
  }

  private func keepsLinks(of relationship: RelationshipDescription, in entity: EntityPlan) -> Bool {
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
      && entities.compactMap(\.ends).allSatisfy {
        !$0.source.isKindOf(entity: old.destinationEntity)
          || $0.destination.isKindOf(entity: relationship.destinationEntity)
      }
  }
}

extension EntityPlan {
  /// What fills an attribute, known by its name: what it is mapped from, else its default value; nil where
  /// it stays empty.
  func source(of attribute: AttributeDescription) -> ValueSource? {
    if let mapped = attributes.last(where: { $0.attribute.name == attribute.name }) {
      return mapped.source
    }
    let value = attribute.typedDefaultValue
    return attribute.isDerived || value.isNull ? nil : .constant(value)
  }

  /// Whether every row has a value as long as the presumptions hold.
  fileprivate func fills(_ attribute: AttributeDescription) -> Bool {
    switch source(of: attribute) {
    case .constant(let value)?, .fallback(_, let value)?: !value.isNull
    case .copied?, .converted?: true
    case .expression?, .elements?, .element?, nil: false
    }
  }

  /// The source's attributes that must have values, or the store in between would be refused.
  fileprivate var presumptions: [MigrationPlan.Presumption] {
    guard let ends else { return [] }
    return ends.destination.attributes.filter { !$0.isOptional && $0.isStored }
      .compactMap { attribute in
        switch source(of: attribute) {
        case .copied(let original)?, .converted(let original)?:
          MigrationPlan.Presumption(entity: ends.source, attribute: original)
        default: nil
        }
      }
  }

  /// The mapping of `later` applied to what this one makes; its name is that of `later`. Elements of composites
  /// aren't known by their names alone.
  fileprivate func followed(by later: EntityPlan) -> EntityPlan? {
    guard let ends, let last = later.ends?.destination, condition == nil, later.condition == nil,
      !later.attributes.contains(where: { $0.attribute.attributeType == .composite })
    else { return nil }
    var both = EntityPlan(
      name: later.name, instances: instances, source: ends.source, destination: last)
    for (attribute, source) in later.attributes {
      guard let source = composed(source, for: attribute) else { return nil }
      both.fill(attribute, from: source)
    }
    for relationship in last.relationships {
      guard let middle = later.origin(of: relationship),
        let known = ends.destination.relationship(named: middle.name),
        let first = self.origin(of: known)
      else { continue }
      both.link(relationship, from: .related(first))
    }
    return both
  }

  /// What fills an attribute that `later` fills from the store in between; nil where that store may matter.
  private func composed(
    _ later: ValueSource, for attribute: AttributeDescription
  ) -> ValueSource? {
    switch later {
    case .constant: return later
    case .expression, .elements, .element: return nil
    case .copied(let middle), .converted(let middle):
      guard middle.isStored, middle.isKept(as: attribute) else { return nil }
      // Empty, and not left out: what nothing fills gets the default value of the last version.
      let first = source(of: middle) ?? .constant(.null)
      return first.isKept(as: middle) ? first : nil
    case .fallback(let middle, let value):
      guard middle.isStored, middle.isKept(as: attribute) else { return nil }
      return filling(source(of: middle), with: value, middle)
    }
  }

  /// What is in the column in between, or `value` where that is empty.
  private func filling(
    _ first: ValueSource?, with value: Value, _ middle: AttributeDescription
  ) -> ValueSource? {
    switch first {
    case nil: .constant(value)
    case .constant(let known)?: .constant(known.isNull ? value : known)
    case .copied(let oldest)?, .converted(let oldest)?:
      oldest.isKept(as: middle) ? .fallback(oldest, value) : nil
    case .fallback(let oldest, let known)?:
      oldest.isKept(as: middle) ? .fallback(oldest, known.isNull ? value : known) : nil
    case .expression?, .elements?, .element?: nil
    }
  }
}

extension ValueSource {
  /// Whether an attribute of the store in between has these values unconverted.
  fileprivate func isKept(as attribute: AttributeDescription) -> Bool {
    switch self {
    case .copied(let old), .converted(let old), .fallback(let old, _): old.isKept(as: attribute)
    case .constant: true
    case .expression, .elements, .element: false
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
