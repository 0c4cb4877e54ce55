/// Value expressions that end a migration as soon as there is one object: Xcode leaves such behind when it writes a
/// mapping model again after the versions changed.
struct MappingValueRule {
  let mapping: PlacedMapping
  let model: MappingModel
  let source: ManagedObjectModel
  let destination: ManagedObjectModel

  // A policy of the app's own may do without the expression.
  var findings: [CheckFinding] {
    (model.entityMappings ?? []).filter { $0.entityMigrationPolicyClassName?.isEmpty != false }
      .flatMap { entityMapping in
        [entityMapping.attributeMappings, entityMapping.relationshipMappings].flatMap { $0 ?? [] }
          .compactMap { finding(on: $0, of: entityMapping) }
      }
  }

  private func finding(
    on property: PropertyMapping, of entityMapping: EntityMapping
  ) -> CheckFinding? {
    let entity = entityMapping.destinationEntityName
    let subject = CheckFinding.Subject(
      step: VersionPair(source, destination), entity: entity, property: property.name,
      file: mapping.file.url.lastPathComponent)
    if let error = property.unreadable {
      return CheckFinding(
        .mappingUnreadable, subject, "its value expression can't be read: \(error.reason)")
    }
    guard let expression = property.valueExpression,
      let problem = constantProblem(
        expression, destination.entity(named: entity ?? "")?.property(named: property.name ?? ""))
        ?? keyProblem(expression, entityMapping.sourceEntityName.flatMap(source.entity(named:)))
    else { return nil }
    return CheckFinding(
      .mappingValueImpossible, subject, "\(problem): the first object ends the migration",
      advice: "Write the expression anew in Xcode's mapping editor, or leave it empty.")
  }

  private func constantProblem(
    _ expression: Expression, _ property: PropertyDescription?
  ) -> String? {
    guard let attribute = property as? AttributeDescription, let value = expression.constant,
      attribute.attributeType != .transformable, attribute.attributeType != .composite,
      value.coerced(to: attribute.attributeType) == nil
        || value.isPlainNumber(forDecimal: attribute)
    else { return nil }
    return "its value is the constant \(expression), which isn't a \(attribute.attributeType.name)"
  }

  private func keyProblem(_ expression: Expression, _ entity: EntityDescription?) -> String? {
    guard let entity else { return nil }
    if expression.expressionType == .keyPath {
      guard expression.operand.expressionType == .variable,
        expression.operand.variable == MigrationVariable.source.rawValue
      else { return nil }
      return entity.firstMissing(of: expression.keyPath.split(separator: ".").map(String.init)[...])
    }
    guard expression.expressionType == .function else { return nil }
    return (expression.arguments ?? []).lazy.compactMap { keyProblem($0, entity) }.first
  }
}

extension EntityDescription {
  /// What every managed object has besides its properties.
  private static let keysOfAll: Set = [
    "self", "objectID", "entity", "managedObjectContext", "description", "hash",
  ]

  /// What is wrong with the first key that no object of the entity has.
  fileprivate func firstMissing(of keys: ArraySlice<String>) -> String? {
    guard let key = keys.first, !key.hasPrefix("@"), !Self.keysOfAll.contains(key) else {
      return nil
    }
    guard let property = selfAndDescendants.lazy.compactMap({ $0.property(named: key) }).first
    else {
      return "it asks for the key '\(key)', which no source \(name) has"
    }
    guard let relationship = property as? RelationshipDescription else { return nil }
    return relationship.destinationEntity.firstMissing(of: keys.dropFirst())
  }
}
