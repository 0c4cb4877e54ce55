/// One of the properties of a request for dictionaries: its name, what it is, and its type.
struct FetchedColumn {
  let name: String
  let expression: Expression
  let type: AttributeType

  /// - Parameter property: A name or key path, a description, or an ``ExpressionDescription``.
  /// - Throws: `CoreDataError` for anything else, an unknown key, and a to-many relationship.
  init(_ property: Any, of entity: EntityDescription) throws {
    switch property {
    case let computed as ExpressionDescription:
      guard let expression = computed.expression else {
        throw CoreDataError.unfetchable(computed.name, of: entity, "it has no expression")
      }
      self.init(
        name: computed.name, expression: expression, type: computed.expressionResultType)
    case let description as PropertyDescription:
      try self.init(keyPath: description.name, of: entity)
    case let keyPath as String: try self.init(keyPath: keyPath, of: entity)
    default: throw CoreDataError.unfetchable("\(property)", of: entity, "it isn't a property")
    }
  }

  private init(name: String, expression: Expression, type: AttributeType) {
    self.name = name
    self.expression = expression
    self.type = type
  }

  private init(keyPath: String, of entity: EntityDescription) throws {
    let keys = keyPath.components(separatedBy: ".")
    try KeyPathCheck(entity: entity).check(keys)
    if entity.leadsThroughCollection(keys), !keyPath.contains("@") {
      throw CoreDataError.toManyToFetch(keyPath, of: entity)
    }
    let attribute = entity.property(at: keys) as? AttributeDescription
    self.init(
      name: keyPath, expression: Expression(forKeyPath: keyPath),
      type: attribute?.attributeType ?? .undefined)
  }
}

extension EntityDescription {
  /// What dictionaries hold when a request doesn't say it: all that the entity's rows have.
  var fetchedByDefault: [Any] {
    properties.filter { property in
      switch property {
      case let attribute as AttributeDescription: attribute.isStored
      case let relationship as RelationshipDescription:
        !relationship.isToMany && !relationship.isTransient
      default: false
      }
    }
  }
}
