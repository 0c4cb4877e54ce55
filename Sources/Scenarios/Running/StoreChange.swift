// Changes of a store through its context.

extension Situation {
  /// - Returns: The object that was inserted, if it was given a name.
  /// - Throws: ``ReferenceError`` for an object that isn't there; what the context throws.
  func perform(_ change: ResolvedAction.Change) throws -> (name: String, object: ManagedObject)? {
    switch change {
    case .insert(let entity, let name, let fields):
      let object = context.insertNewObject(for: entity)
      for field in fields { try set(field, of: object) }
      return name.map { ($0, object) }
    case .set(let object, let fields):
      let object = try self.object(object)
      for field in fields { try set(field, of: object) }
    case .link(let object, let links):
      let object = try self.object(object)
      for links in links { try link(links, of: object) }
    case .unlink(let object, let links):
      let object = try self.object(object)
      for links in links { try unlink(links, of: object) }
    case .delete(let object): context.delete(try self.object(object))
    case .save: try context.save()
    case .rollback: context.rollback()
    }
    return nil
  }

  private func set(_ field: ResolvedField, of object: ManagedObject) throws {
    switch field {
    case .attribute(let attribute, let value):
      object.setAttributeValue(value, at: attribute.slot)
    case .relationship(let links):
      let members = try links.members.map(self.object)
      if links.relationship.isToMany {
        try object.setDestinations(members, of: links.relationship)
      } else {
        try object.setDestination(members.first, of: links.relationship)
      }
    }
  }

  private func link(_ links: ResolvedLinks, of object: ManagedObject) throws {
    for member in try links.members.map(self.object) {
      if links.relationship.isToMany {
        try object.add(member, to: links.relationship)
      } else {
        try object.setDestination(member, of: links.relationship)
      }
    }
  }

  private func unlink(_ links: ResolvedLinks, of object: ManagedObject) throws {
    for member in try links.members.map(self.object) {
      if links.relationship.isToMany {
        object.remove(member, from: links.relationship)
      } else if object.destination(of: links.relationship) === member {
        try object.setDestination(nil, of: links.relationship)
      }
    }
  }
}
