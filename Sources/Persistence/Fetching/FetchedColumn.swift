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
    default: throw CoreDataError.unfetchable("\(property)", of: entity, "it is no property")
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
      throw CoreDataError(
        .coreData, "Invalid to many relationship in setPropertiesToFetch: (\(keyPath))",
        advice: "Fetch attributes and to-one relationships; count a to-many one with "
          + "\(keys[0]).@count."
      ).at(entity: entity.name, property: keyPath)
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

extension CoreDataError {
  fileprivate static func unfetchable(
    _ name: String, of entity: EntityDescription, _ reason: String
  ) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid property (\(name)) passed to setPropertiesToFetch: \(reason)",
      advice: "Give names or key paths, property descriptions or expression descriptions."
    ).at(entity: entity.name)
  }

  static func notGrouped(
    _ expression: Expression?, _ entity: EntityDescription
  ) -> CoreDataError {
    let shown = expression?.expressionFormat ?? "SELF"
    return CoreDataError(
      .coreData,
      "SELECT clauses in queries with GROUP BY components can only contain properties named in the "
        + "GROUP BY or aggregate functions (\(shown) is not in the GROUP BY)",
      advice: "Add it to propertiesToGroupBy, or fetch an aggregate of it."
    ).at(entity: entity.name)
  }

  static func havingWithoutGroups(_ entity: EntityDescription) -> CoreDataError {
    CoreDataError(
      .coreData, "Invalid fetch request: HAVING requires GROUP BY",
      advice: "Set propertiesToGroupBy, or use predicate."
    ).at(entity: entity.name)
  }
}
