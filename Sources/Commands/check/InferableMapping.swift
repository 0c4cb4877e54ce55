extension MappingModel {
  /// Whether inference would do the same for two models: no policies, no user info, and the same
  /// values for the same properties of the same entities.
  func couldBeInferred(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> Bool {
    // What can't be inferred is no inferable mapping.
    guard
      let inferred = try? MappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
    else { return false }
    // The user info of an inferred one only says what changed.
    if entityMappings?.contains(where: { $0.userInfo?.isEmpty == false }) == true { return false }
    let own = MappingSense(self, destination)
    let others = MappingSense(inferred, destination)
    return own != nil && own == others
  }
}

/// What a mapping model does, without names and order; nil when policies take part.
private struct MappingSense: Equatable {
  private struct Entity: Hashable {
    let source: String
    let destination: String
    let values: [String: String]
  }
  private let entities: Set<Entity>

  init?(_ model: MappingModel, _ destination: ManagedObjectModel) {
    var entities = Set<Entity>()
    for mapping in model.entityMappings ?? [] {
      if mapping.entityMigrationPolicyClassName != nil { return nil }
      // Adding and removing move no values.
      guard let source = mapping.sourceEntityName, let name = mapping.destinationEntityName,
        let entity = destination.entity(named: name)
      else { continue }
      guard Self.fetchesAll(mapping, of: source) else { return nil }
      entities.insert(
        Entity(
          source: source, destination: name, values: Self.values(of: mapping, for: entity)))
    }
    self.entities = entities
  }

  private static func fetchesAll(_ mapping: EntityMapping, of source: String) -> Bool {
    guard let expression = mapping.sourceExpression else { return true }
    guard case .fetch(source, "TRUEPREDICATE")? = GeneratedExpression(expression) else {
      return false
    }
    return true
  }

  private static func values(
    of mapping: EntityMapping, for entity: EntityDescription
  ) -> [String: String] {
    let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
    return Dictionary(
      firstOf: properties.compactMap { property in
        guard let name = property.name, let expression = property.valueExpression,
          let sense = sense(of: expression, for: entity.attribute(named: name))
        else { return nil }
        return (name, sense)
      })
  }

  /// The source's key path, whichever of the generated forms it stands in; nil for the default value,
  /// which the property has anyway.
  private static func sense(
    of expression: Expression, for attribute: AttributeDescription?
  ) -> String? {
    switch expression.expressionType {
    case .constantValue where expression.constant == attribute?.typedDefaultValue: return nil
    case .function:
      guard let last = expression.arguments?.last, expression.arguments?.count == 2,
        expression.function.hasPrefix("destinationInstancesFor")
      else { return expression.expressionFormat }
      return last.expressionFormat
    default: return expression.expressionFormat
    }
  }
}
