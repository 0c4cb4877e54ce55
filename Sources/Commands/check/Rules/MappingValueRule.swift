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
        .mappingUnreadable, about: subject, "its value expression can't be read: \(error.reason)")
    }
    let sourceEntity = entityMapping.sourceEntityName.flatMap(source.entity(named:))
    guard let expression = property.valueExpression,
      let problem = keyProblem(expression, sourceEntity)
        ?? kindProblem(
          of: expression, in: sourceEntity,
          for: destination.entity(named: entity ?? "")?.attribute(named: property.name ?? ""))
    else { return nil }
    return CheckFinding(
      .mappingValueImpossible, about: subject, problem + " ends the migration",
      advice: expression.expressionType == .constantValue
        ? "Write the expression anew in Xcode's mapping editor, or leave it empty."
        : "Convert the value in the expression, or in a method of a policy that it calls.")
  }

  /// What the value of an object that has all values is, where the attribute can't take that.
  private func kindProblem(
    of expression: Expression, in entity: EntityDescription?, for attribute: AttributeDescription?
  ) -> String? {
    guard let attribute, expression.isPlain,
      attribute.attributeType != .transformable, attribute.attributeType != .composite,
      // What can't be computed of an example says nothing.
      let value = try? expression.value(
        for: .null,
        variables: [MigrationVariable.source.rawValue: entity?.example(depth: 2) ?? .null]),
      value.coerced(to: attribute.attributeType) == nil
        || value.isPlainNumber(forDecimal: attribute)
    else { return nil }
    let kind = attribute.attributeType.name
    let given = if case .object = value { "object" } else { value.className }
    return expression.expressionType == .constantValue
      ? "its value is the constant \(expression), which isn't a \(kind): the first object"
      : "\(expression) gives an \(given), which isn't a \(kind): the first object that has one"
  }

  private func keyProblem(_ expression: Expression, _ entity: EntityDescription?) -> String? {
    guard let entity else { return nil }
    if expression.expressionType == .keyPath {
      guard expression.operand.expressionType == .variable,
        expression.operand.variable == MigrationVariable.source.rawValue
      else { return nil }
      return entity.firstMissing(of: expression.keyPath.split(separator: ".").map(String.init)[...])
        .map { $0 + ": the first object" }
    }
    guard expression.expressionType == .function else { return nil }
    return (expression.arguments ?? []).lazy.compactMap { keyProblem($0, entity) }.first
  }
}

extension Expression {
  /// Whether it is made of constants, key paths and functions alone, so that an example stands for all objects.
  fileprivate var isPlain: Bool {
    switch expressionType {
    case .constantValue, .keyPath: true
    case .function: arguments?.allSatisfy(\.isPlain) == true
    default: false
    }
  }
}

extension AttributeType {
  /// A value as objects have it; nil where their class isn't known.
  fileprivate var example: Value? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: .integer(1)
    case .double, .float: .double(1)
    case .decimal: .decimal(1)
    case .string: .string("1")
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .binaryData: .data(Data())
    case .uuid: .uuid(UUID())
    case .uri: .uri(URL(fileURLWithPath: "/"))
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}

extension EntityDescription {
  /// An object with a value of each property.
  fileprivate func example(depth: Int) -> Value {
    var values: [String: Value] = [:]
    for property in properties {
      if let attribute = property as? AttributeDescription {
        values[attribute.name] = attribute.attributeType.example
      } else if depth > 0, let relationship = property as? RelationshipDescription {
        let other = relationship.destinationEntity.example(depth: depth - 1)
        values[relationship.name] =
          relationship.isToMany ? .collection(.init(.set, [other])) : other
      }
    }
    return .object(KeyedValues(values))
  }

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
