/// A property, or an element of a composite attribute, that the rows of a destination must have a value for:
/// all that a migration inside a store looks at, since it sees columns, not objects. A to-many relationship
/// has none, and real stores hold many required ones that are empty.
package struct RequiredValue {
  package let property: PropertyDescription
  /// Whether the rows of the source had to have it, too. A row without it was left so by a migration in
  /// place that added the attribute, and such stores are opened and migrated all the same.
  // Core Data: observed in 12 of 24 photo libraries; assumed for the step itself.
  package let wasRequired: Bool

  /// Whether an object lacks it. A composite that is nil has no elements to be missed.
  /// - Parameter value: The object's values by slot.
  package func isMissing(in value: (Int) -> Value) -> Bool {
    Self.value(of: property, in: value).map(\.isNull) ?? false
  }

  /// Nil for an element of a composite that is nil.
  package static func value(of property: PropertyDescription, in value: (Int) -> Value) -> Value? {
    guard let composite = (property as? AttributeDescription)?.composite else {
      return value(property.slot)
    }
    return self.value(of: composite, in: value)?.composite?.value(of: property.name)
  }
}

extension EntityDescription {
  /// What rows that are made by a mapping must have.
  /// - Parameters:
  ///   - source: Where the mapping takes an attribute from.
  ///   - origin: What a relationship was.
  package func requiredValues(
    source: (AttributeDescription) -> ValueSource?,
    origin: (RelationshipDescription) -> RelationshipDescription?
  ) -> [RequiredValue] {
    properties.flatMap { property -> [RequiredValue] in
      switch property {
      case let attribute as AttributeDescription where attribute.isStored && !attribute.isDerived:
        return attribute.requiredValues(from: source(attribute)?.carried)
      case let relationship as RelationshipDescription
      where !relationship.isToMany && !relationship.isOptional && !relationship.isTransient:
        let wasRequired =
          origin(relationship).map {
            !$0.isOptional && !$0.isToMany && relationship.keepsEnds(of: $0)
          } ?? false
        return [RequiredValue(property: relationship, wasRequired: wasRequired)]
      default: return []
      }
    }
  }
}

extension RelationshipDescription {
  /// Whether the objects that another one led to may be at its own end, too. Where they can't, a link that isn't
  /// there is one that the step drops.
  fileprivate func keepsEnds(of old: RelationshipDescription) -> Bool {
    destinationEntity.selfAndDescendants.contains {
      $0.renamingIdentifier == old.destinationEntity.renamingIdentifier
    }
  }
}

extension AttributeDescription {
  /// The attribute and its elements, as far as they are required.
  // Core Data: assumed for elements: a crash is reported, the code isn't.
  fileprivate func requiredValues(from original: AttributeDescription?) -> [RequiredValue] {
    let own =
      isOptional ? [] : [RequiredValue(property: self, wasRequired: original?.isOptional == false)]
    return own
      + elements.flatMap { element in
        element.requiredValues(
          from: original?.elements.first { $0.renamingIdentifier == element.renamingIdentifier })
      }
  }
}

extension ValueSource {
  /// The source attribute whose value is taken over, without anything in its place where it is nil.
  fileprivate var carried: AttributeDescription? {
    if case .fallback = self { nil } else { original }
  }

  /// The source attribute that is read.
  package var original: AttributeDescription? {
    switch self {
    case .copied(let attribute), .converted(let attribute), .elements(let attribute),
      .fallback(let attribute, _):
      attribute
    case .constant, .element, .expression: nil
    }
  }
}
