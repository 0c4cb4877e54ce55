import Migration

/// The content of a store as text, one line per object, independent of keys: relationships are
/// shown by the `name`-like text of the objects they lead to.
///
/// `Event(name: "a", tags: ["x", "y"])`; entities and lines are sorted.
func dump(_ store: PersistentStore) throws -> [String] {
  let context = ManagedObjectContext(on: store)
  var lines: [String] = []
  for entity in store.model.entities {
    let request = FetchRequest<ManagedObject>(entityName: entity.name)
    request.includesSubentities = false
    lines += try context.fetch(request).map { line($0) }
  }
  return lines.sorted()
}

private func line(_ object: ManagedObject) -> String {
  let values = object.entity.properties.sorted { $0.name < $1.name }.map { property in
    "\(property.name): \(text(property, of: object))"
  }
  return "\(object.entity.name)(\(values.joined(separator: ", ")))"
}

private func text(_ property: PropertyDescription, of object: ManagedObject) -> String {
  guard let relationship = property as? RelationshipDescription else {
    return text(object.attributeValue(at: property.slot))
  }
  if !relationship.isToMany {
    return object.destination(of: relationship).map(label) ?? "nil"
  }
  let labels = object.destinations(of: relationship).map(label)
  return "[" + (relationship.isOrdered ? labels : labels.sorted()).joined(separator: ", ") + "]"
}

/// The first text attribute of an object, by name.
private func label(_ object: ManagedObject) -> String {
  let attribute = object.entity.attributes.filter { $0.attributeType == .string }
    .min { $0.name < $1.name }
  guard let attribute else { return object.entity.name }
  return text(object.attributeValue(at: attribute.slot))
}

private func text(_ value: Value) -> String {
  switch value {
  case .null: "nil"
  case .string(let text): text
  case .integer(let number): "\(number)"
  case .double(let number): "\(number)"
  case .decimal(let number): "\(number)"
  default: value.boxed.map { "\($0)" } ?? "nil"
  }
}
