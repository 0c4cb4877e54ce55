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
          && end.attributes.allSatisfy { $0.isOptional || !$0.isStored || entity.fills($0) }
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

  /// Whether it fills composite attributes, whose elements aren't known by their names alone.
  private var hasComposites: Bool {
    attributes.contains { $0.attribute.attributeType == .composite }
  }

  /// The mapping of `later` applied to what this one makes; its name is that of `later`.
  fileprivate func followed(by later: EntityPlan) -> EntityPlan? {
    guard let ends, let last = later.ends?.destination, condition == nil, later.condition == nil,
      !hasComposites, !later.hasComposites
    else { return nil }
    var both = EntityPlan(
      name: later.name, instances: instances, source: ends.source, destination: last)
    for (attribute, source) in later.attributes {
      switch composed(source, for: attribute) {
      case .nothing: continue
      case .source(let source): both.fill(attribute, from: source)
      case .unknown: return nil
      }
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

  private enum Composition {
    case source(ValueSource)
    /// The column stays empty.
    case nothing
    case unknown
  }

  private func composed(
    _ later: ValueSource, for attribute: AttributeDescription
  ) -> Composition {
    switch later {
    case .constant: return .source(later)
    case .expression, .elements, .element: return .unknown
    case .copied(let middle), .converted(let middle):
      guard middle.isStored, middle.isKept(as: attribute) else { return .unknown }
      guard let first = source(of: middle) else { return .nothing }
      return first.isKept(as: middle) ? .source(first) : .unknown
    case .fallback(let middle, let value):
      guard middle.isStored, middle.isKept(as: attribute) else { return .unknown }
      return filling(source(of: middle), with: value, middle)
    }
  }

  /// What is in the column in between, or `value` where that is empty.
  private func filling(
    _ first: ValueSource?, with value: Value, _ middle: AttributeDescription
  ) -> Composition {
    switch first {
    case nil: return .source(.constant(value))
    case .constant(let known)?: return .source(.constant(known.isNull ? value : known))
    case .copied(let oldest)?, .converted(let oldest)?:
      return oldest.isKept(as: middle) ? .source(.fallback(oldest, value)) : .unknown
    case .fallback(let oldest, let known)?:
      guard oldest.isKept(as: middle) else { return .unknown }
      return .source(.fallback(oldest, known.isNull ? value : known))
    case .expression?, .elements?, .element?: return .unknown
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
