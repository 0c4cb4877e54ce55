// Models and mapping models, as code that builds them.

extension ExportedScenario {
  mutating func add(_ version: String, _ model: ManagedObjectModel) {
    statements.append(SwiftCall("t.model", SwiftText.literal(version)).text)
    for entity in model.entities {
      statements.append(text(of: entity))
      for property in entity.ownProperties { add(property) }
    }
    statements.append("t.endModel()")
  }

  private func text(of entity: EntityDescription) -> String {
    let name = entity.managedObjectClassName
    let className = name.flatMap { classes[$0] ?? ($0 == entity.name ? nil : $0) }
    return SwiftCall("t.entity", SwiftText.literal(entity.name))
      .with(text: "parent", entity.superentityName)
      .with("abstract", entity.isAbstract, unless: false)
      .with(text: "was", entity.explicitRenamingIdentifier)
      .with(text: "modifier", entity.versionHashModifier).with(text: "className", className)
      .with("unique", SwiftText.list(entity.uniquenessConstraints, SwiftText.texts), unless: "[]")
      .with(
        "indexes",
        SwiftText.list(entity.indexes.filter(\.hasPropertiesOnly)) { index in
          let elements = SwiftText.list(index.elements) {
            "(\(SwiftText.literal($0.propertyName)), \($0.isAscending))"
          }
          return "(\(SwiftText.literal(index.name)), \(elements))"
        }, unless: "[]"
      ).with("userInfo", entity.userInfo).text
  }

  private mutating func add(_ property: PropertyDescription, in composite: String? = nil) {
    switch property {
    case let attribute as AttributeDescription where attribute.attributeType == .composite:
      compositeCount += 1
      let name = "composite\(compositeCount)"
      statements.append(
        "let \(name) = "
          + described(SwiftCall("t.composite", SwiftText.literal(attribute.name)), attribute)
          .with("in", composite).text)
      for element in attribute.elements { add(element, in: name) }
    case let attribute as AttributeDescription:
      statements.append(call(attribute).with("in", composite).text)
    case let relationship as RelationshipDescription: statements.append(text(of: relationship))
    default: leaveOut("the fetched property \(property.entity.name).\(property.name)")
    }
  }

  private func described(_ call: SwiftCall, _ property: PropertyDescription) -> SwiftCall {
    call.with("optional", property.isOptional, unless: true)
      .with(text: "was", property.explicitRenamingIdentifier)
      .with(text: "modifier", property.versionHashModifier)
  }

  private mutating func call(_ attribute: AttributeDescription) -> SwiftCall {
    let value = SwiftText.literal(attribute.typedDefaultValue, as: attribute)
    if value == nil { leaveOut("the default value of \(attribute.entity.name).\(attribute.name)") }
    let call = SwiftCall(
      "t.attribute", SwiftText.literal(attribute.name), attribute.attributeType.appleName
    ).with("optional", attribute.isOptional, unless: true)
      .with("transient", attribute.isTransient, unless: false)
      .with("default", value, unless: "nil")
      .with(text: "was", attribute.explicitRenamingIdentifier)
      .with(text: "modifier", attribute.versionHashModifier)
    return
      call
      .with("external", attribute.allowsExternalBinaryDataStorage, unless: false)
      .with(text: "transformer", attribute.valueTransformerName)
      .with(text: "className", attribute.attributeValueClassName)
      .with(text: "derivedFrom", attribute.derivationExpression)
      .with("conditions", SwiftText.texts(attribute.conditions), unless: "[]")
      .with("userInfo", attribute.userInfo)
  }

  private func text(of relationship: RelationshipDescription) -> String {
    let rule =
      switch relationship.deleteRule {
      case .noAction: ".noActionDeleteRule"
      case .nullify: ".nullifyDeleteRule"
      case .cascade: ".cascadeDeleteRule"
      case .deny: ".denyDeleteRule"
      }
    return SwiftCall("t.relationship", SwiftText.literal(relationship.name))
      .with(text: "to", relationship.destinationEntityName)
      .with("inverse", relationship.inverseName.map(SwiftText.literal) ?? "nil")
      .with("min", "\(relationship.minCount)").with("max", "\(relationship.maxCount)")
      .with("rule", rule).with("ordered", relationship.isOrdered, unless: false)
      .with("optional", relationship.isOptional, unless: true)
      .with("transient", relationship.isTransient, unless: false)
      .with(text: "was", relationship.explicitRenamingIdentifier)
      .with(text: "modifier", relationship.versionHashModifier)
      .with("userInfo", relationship.userInfo).text
  }

  // MARK: Mapping models

  mutating func add(_ mapping: MappingModel, madeFor ends: StepEnds) {
    statements.append("t.mapping()")
    for entity in mapping.entityMappings ?? [] {
      let source = side(
        entity: entity.sourceEntityName, hash: entity.sourceEntityVersionHash, version: ends.source)
      let destination = side(
        entity: entity.destinationEntityName, hash: entity.destinationEntityVersionHash,
        version: ends.destination)
      let userInfo = (entity.userInfo ?? [:]).reduce(into: [String: String]()) {
        $0["\($1.key)"] = "\($1.value)"
      }
      let call = SwiftCall(
        "t.entityMapping", SwiftText.literal(entity.name), entity.mappingType.appleName
      ).with("from", source).with("to", destination)
        .with(text: "objects", entity.sourceExpression?.description)
        .with(text: "policy", entity.entityMigrationPolicyClassName.map(fullName))
        .with("userInfo", userInfo)
      statements.append(
        call.with("attributes", entity.attributeMappings.map(list))
          .with("relationships", entity.relationshipMappings.map(list)).text)
    }
  }

  private func list(_ mappings: [PropertyMapping]) -> String {
    SwiftText.list(mappings) { mapping in
      let expression = mapping.valueExpression.map { SwiftText.literal($0.description) }
      return "(\(SwiftText.literal(mapping.name ?? "")), \(expression ?? "nil"))"
    }
  }

  /// An entity with its version hash: that of a version that has it, else the bytes themselves.
  private func side(entity: String?, hash: Data?, version: String) -> String? {
    guard let entity else { return nil }
    let versions = [version] + checked.models.names
    let fitting = versions.first { checked.models[$0]?.entityVersionHashesByName[entity] == hash }
    return SwiftCall("ExportedSide", "entity: \(SwiftText.literal(entity))")
      .with(text: "version", fitting)
      .with(text: "hash", fitting == nil ? hash?.base64EncodedString() ?? "" : nil).text
  }

  /// The class with its module, as the app sets it in code where its mapping models name none.
  private func fullName(_ policy: String) -> String {
    if policy.contains(".") { return policy }
    return (checked.scenario.policies.lazy.compactMap(\.prefix).first ?? "") + policy
  }
}

extension FetchIndexDescription {
  fileprivate var hasPropertiesOnly: Bool {
    partialPredicateFormat == nil
      && elements.allSatisfy { $0.expressionFormat == nil && $0.collation == .binary }
  }
}

extension AttributeDescription {
  /// What values must keep, as predicates about `SELF`.
  fileprivate var conditions: [String] {
    let subject = attributeType == .string ? "length" : "SELF"
    func text(_ value: Value) -> String { "\(Expression(forConstantValue: value.boxed))" }
    let bounds: [String?] = [
      minimum.isNull ? nil : "\(subject) >= \(text(minimum))",
      maximum.isNull ? nil : "\(subject) <= \(text(maximum))",
      regularExpression.map { "SELF MATCHES \(text(.string($0)))" },
    ]
    return bounds.compactMap { $0 } + validationConditions.map(\.predicateFormat)
  }
}

extension AttributeType {
  /// The name in Apple's API.
  fileprivate var appleName: String {
    switch self {
    case .boolean: ".booleanAttributeType"
    case .uuid: ".UUIDAttributeType"
    case .uri: ".URIAttributeType"
    default: ".\(self)AttributeType"
    }
  }
}

extension EntityMappingType {
  fileprivate var appleName: String { ".\(self)EntityMappingType" }
}
