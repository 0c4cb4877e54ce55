/// A key path, followed through a model.
package struct ModelPath: Sendable {
  /// What a key path leads to.
  package enum End: Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    /// `@count` of a to-many relationship.
    case count
  }

  package let end: End
  /// The relationships on the way, the end left out.
  package let steps: [RelationshipDescription]
  /// The composite attribute that the end is an element of, and the keys that lead there.
  package private(set) var composite: (attribute: AttributeDescription, keys: [String])?

  /// Whether the path gives several values.
  package var isPlural: Bool {
    if case .relationship(let end) = end, end.isToMany { return true }
    if case .count = end { return false }
    return steps.contains(where: \.isToMany)
  }

  /// Whether several values come in an order that means something.
  package var isOrdered: Bool {
    !toManyRelationships.isEmpty && toManyRelationships.allSatisfy(\.isOrdered)
  }

  /// Those on the way, and at the end of it.
  var toManyRelationships: [RelationshipDescription] {
    var all = steps
    if case .relationship(let end) = end { all.append(end) }
    return all.filter(\.isToMany)
  }

  /// - Throws: ``Diagnostic`` naming the first key that leads nowhere.
  package init(_ keys: Located<String>, from entity: EntityDescription, version: String) throws {
    var steps: [RelationshipDescription] = []
    var current = entity
    let parts = keys.components(separatedBy: ".")
    for (index, key) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if key.value == "@count", isLast, let last = steps.last, last.isToMany {
        self.init(end: .count, steps: steps)
        return
      }
      let property = try current.property(key, version: version)
      if let relationship = property as? RelationshipDescription {
        if isLast {
          self.init(end: .relationship(relationship), steps: steps)
          return
        }
        steps.append(relationship)
        current = relationship.destinationEntity
      } else if let attribute = property as? AttributeDescription, isLast {
        self.init(end: .attribute(attribute), steps: steps)
        return
      } else if let attribute = property as? AttributeDescription,
        attribute.attributeType == .composite
      {
        let rest = parts[(index + 1)...].map(\.value)
        guard let element = attribute.element(at: rest) else {
          throw Diagnostic(
            "'\(current.name).\(key.value)' has no element '\(rest.joined(separator: "."))'",
            at: keys.place)
        }
        self.init(end: .attribute(element), steps: steps)
        composite = (attribute, rest)
        return
      } else {
        throw Diagnostic(
          "'\(current.name).\(key.value)' isn't a relationship, so '\(keys.value)' leads nowhere",
          at: key.place)
      }
    }
    throw Diagnostic("'\(keys.value)' isn't a key path", at: keys.place)
  }

  private init(end: End, steps: [RelationshipDescription]) {
    self.end = end
    self.steps = steps
  }
}

extension ModelPath {
  /// The value of the attribute at the end, of one of the objects on the way there.
  package func value(of attribute: AttributeDescription, in object: ManagedObject) -> Value {
    guard let composite else { return object.attributeValue(at: attribute.slot) }
    let whole = object.attributeValue(at: composite.attribute.slot)
    return composite.keys.reduce(whole) { $0.composite?.value(of: $1) ?? .null }
  }
}

// MARK: - Names that must exist

extension EntityDescription {
  /// The property with a name.
  /// - Throws: ``Diagnostic`` with a suggestion when there is none.
  func property(_ name: Located<String>, version: String) throws -> PropertyDescription {
    if let property = property(named: name.value) { return property }
    throw Diagnostic(
      "entity '\(self.name)' of \(version) has no property", unknown: name,
      among: propertiesByName.keys, called: "properties of \(self.name)")
  }

  func attribute(_ name: Located<String>, version: String) throws -> AttributeDescription {
    if let attribute = try property(name, version: version) as? AttributeDescription {
      return attribute
    }
    throw Diagnostic("'\(self.name).\(name.value)' isn't an attribute", at: name.place)
  }

  package func relationship(_ name: Located<String>, version: String) throws
    -> RelationshipDescription
  {
    if let found = try property(name, version: version) as? RelationshipDescription { return found }
    throw Diagnostic("'\(self.name).\(name.value)' isn't a relationship", at: name.place)
  }
}

extension ManagedObjectModel {
  /// The entity with a name.
  /// - Throws: ``Diagnostic`` with a suggestion when there is none.
  package func entity(_ name: Located<String>, version: String) throws -> EntityDescription {
    if let entity = entity(named: name.value) { return entity }
    throw Diagnostic(
      "\(version) has no entity", unknown: name, among: entitiesByName.keys,
      called: "entities of \(version)")
  }
}
