/// One change of a store through its context.
struct StoreChange {
  let situation: Situation
  let version: String
  let kind: Action.Kind

  private var context: ManagedObjectContext { situation.context }

  /// - Returns: The object that was inserted, if it was given a name.
  func perform() throws -> (name: String, object: ManagedObject)? {
    switch kind {
    case .insert(let entity, let name, let values):
      let entity = try situation.model.entity(entity, version: version)
      let object = context.insertNewObject(for: entity)
      for value in values { try set(value, of: object) }
      return name.map { ($0.value, object) }
    case .set(let object, let values):
      let object = try situation.object(object)
      for value in values { try set(value, of: object) }
    case .link(let object, let members):
      let object = try situation.object(object)
      for member in members { try link(member, of: object) }
    case .unlink(let object, let members):
      let object = try situation.object(object)
      for member in members { try unlink(member, of: object) }
    case .delete(let object): context.delete(try situation.object(object))
    case .save: try context.save()
    case .rollback: context.rollback()
    case .start, .none: break
    }
    return nil
  }

  private func set(_ field: PropertyValue, of object: ManagedObject) throws {
    if let attribute = object.entity.attribute(named: field.key.value) {
      let value = try ValueReader.value(field.value, for: attribute)
      return object.setAttributeValue(value, at: attribute.slot)
    }
    let (relationship, members) = try members(field, of: object)
    if relationship.isToMany {
      try object.setDestinations(members, of: relationship)
    } else {
      try object.setDestination(members.first, of: relationship)
    }
  }

  private func link(_ field: PropertyValue, of object: ManagedObject) throws {
    let (relationship, members) = try members(field, of: object)
    for member in members {
      if relationship.isToMany {
        try object.add(member, to: relationship)
      } else {
        try object.setDestination(member, of: relationship)
      }
    }
  }

  private func unlink(_ field: PropertyValue, of object: ManagedObject) throws {
    let (relationship, members) = try members(field, of: object)
    for member in members {
      if relationship.isToMany {
        object.remove(member, from: relationship)
      } else if object.destination(of: relationship) === member {
        try object.setDestination(nil, of: relationship)
      }
    }
  }

  private func members(
    _ field: PropertyValue, of object: ManagedObject
  ) throws -> (RelationshipDescription, [ManagedObject]) {
    let relationship = try object.entity.relationship(field.key, version: version)
    let references = try Members(field.value, of: relationship).references
    return (relationship, try references.map(situation.object))
  }
}
