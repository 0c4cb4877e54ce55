/// A list of properties whose values no two objects may share.
///
/// As in SQLite, where it is an index over the table of a hierarchy of entities: it applies to every
/// object of the hierarchy that has the properties, and nil in any of them clashes with nothing.
public struct UniquenessConstraint {
  public let entity: EntityDescription
  let properties: [PropertyDescription]
  /// The properties as the model names them, elements of composites by their paths.
  public let names: [String]

  /// - Returns: nil when a name stands for something that no store watches over.
  init?(entity: EntityDescription, names: [String]) {
    guard !names.isEmpty, names.allSatisfy({ entity.obstacle(toUniquenessOf: $0) == nil }) else {
      return nil
    }
    let properties = names.compactMap { entity.property(at: $0.components(separatedBy: ".")) }
    self.entity = entity
    self.properties = properties
    self.names = properties.map(\.dottedName)
  }

  /// The constrained values of an object; nil when the constraint doesn't apply to it.
  public func key(of entity: EntityDescription, _ values: ContiguousArray<Value>) -> [Value]? {
    guard entity.rootEntity === self.entity.rootEntity else { return nil }
    var key: [Value] = []
    for property in properties {
      guard property.slot < values.count,
        entity.isKindOf(entity: self.entity) || entity.propertiesByName[property.name] === property
      else { return nil }
      let value = property.value(in: values)
      if value.isNull { return nil }
      key.append(value)
    }
    return key
  }

  public static func all(of model: ManagedObjectModel) -> [UniquenessConstraint] {
    model.entities.flatMap { entity in
      entity.uniquenessConstraints.compactMap {
        UniquenessConstraint(entity: entity, names: $0)
      }
    }
  }
}
