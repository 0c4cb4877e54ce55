/// Reads one property of an entity from a model file.
struct PropertyReader {
  let reader: ModelFileReader
  let node: XMLElementNode

  func attribute() throws -> AttributeDescription {
    let attribute = AttributeDescription(name: try reader.name(of: node), type: try type())
    try readCommon(into: attribute)
    attribute.isTransient = flag("transient")
    attribute.valueTransformerName = text("valueTransformerName")
    attribute.attributeValueClassName = text("customClassName")
    attribute.usesScalarValueType =
      node.attributes["usesScalarValueType"].map { _ in flag("usesScalarValueType") }
    attribute.isIndexed = flag("indexed")
    attribute.allowsExternalBinaryDataStorage = flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = flag("preserveAfterDeletion")
    readDerivation(into: attribute)
    attribute.allowsCloudEncryption = flag("allowsCloudEncryption")
    if attribute.attributeType == .composite { try readComposite(into: attribute) }
    try readDefault(into: attribute)
    try readBounds(into: attribute)
    return attribute
  }

  func relationship() throws -> RelationshipDescription {
    let relationship = RelationshipDescription(
      name: try reader.name(of: node),
      destinationEntityName: try reader.required("destinationEntity", of: node),
      toMany: flag("toMany"))
    try readCommon(into: relationship)
    relationship.isTransient = flag("transient")
    relationship.inverseName = text("inverseName")
    relationship.isOrdered = flag("ordered")
    relationship.minCount = try reader.count("minCount", of: node) ?? 0
    relationship.maxCount =
      try reader.count("maxCount", of: node, least: relationship.isToMany ? -1 : 0)
      ?? relationship.maxCount
    relationship.deleteRule = try deleteRule()
    return relationship
  }

  func fetchedProperty() throws -> FetchedPropertyDescription {
    let name = try reader.name(of: node)
    guard let request = node.children(named: "fetchRequest").first else {
      throw reader.error(.missingElement("fetchRequest", element: node.name), at: node)
    }
    let property = FetchedPropertyDescription(
      name: name, fetchRequest: try reader.fetchRequest(request))
    try readCommon(into: property)
    return property
  }

  private func readCommon(into property: PropertyDescription) throws {
    property.isOptional = flag("optional")
    property.versionHashModifier = text("versionHashModifier")
    property.explicitRenamingIdentifier = reader.renamingIdentifier(of: node)
    property.userInfo = try reader.userInfo(of: node)
    property.isIndexedBySpotlight = flag("spotlightIndexingEnabled")
    property.isStoredInExternalRecord = flag("storedInTruthFile")
  }

  private func flag(_ attribute: String) -> Bool { reader.flag(attribute, of: node) }
  private func text(_ attribute: String) -> String? { reader.text(attribute, of: node) }
}

// MARK: - Types and rules

extension PropertyReader {
  /// No type at all means Undefined.
  private func type() throws -> AttributeType {
    guard let name = text("attributeType") else { return .undefined }
    guard let type = AttributeType(xcodeName: name) else {
      throw reader.invalid(name, "attributeType", of: node)
    }
    return type
  }

  /// Xcode writes `deletionRule`; a hand-written file was seen to say `deleteRule`.
  private func deleteRule() throws -> DeleteRule {
    guard let name = text("deletionRule") ?? text("deleteRule") else { return .noAction }
    guard let rule = ModelFileVocabulary.deleteRules[name] else {
      throw reader.invalid(name, "deletionRule", of: node)
    }
    return rule
  }
}

// MARK: - Derivation and composition

extension PropertyReader {
  private func readDerivation(into attribute: AttributeDescription) {
    guard flag("derived") else { return }
    attribute.derivationExpression = text("derivationExpression")
    if attribute.derivationExpression == nil {
      reader.note(
        "'\(attribute.name)' is derived, but <attribute> lacks 'derivationExpression'",
        at: node)
    }
  }

  private func readComposite(into attribute: AttributeDescription) throws {
    let name = try reader.required("composite", of: node)
    attribute.compositeName = name
    attribute.elements = try reader.composites.elements(of: name, for: node, by: reader)
  }
}

// MARK: - Defaults and bounds

extension PropertyReader {
  private func readDefault(into attribute: AttributeDescription) throws {
    attribute.defaultValueString = node.attributes["defaultValueString"]
    if attribute.attributeType == .date {
      attribute.typedDefaultValue = try date("defaultDateTimeInterval")
    } else if let text = attribute.defaultValueString {
      attribute.typedDefaultValue = LenientValue.parse(text, as: attribute.attributeType)
    }
  }

  /// Bounds of a text are bounds of its length.
  private func readBounds(into attribute: AttributeDescription) throws {
    switch attribute.attributeType {
    case .date:
      attribute.minimum = try date("minDateTimeInterval")
      attribute.maximum = try date("maxDateTimeInterval")
    case .string:
      attribute.minimum = bound("minValueString", as: .integer64)
      attribute.maximum = bound("maxValueString", as: .integer64)
      attribute.regularExpression = text("regularExpressionString")
    case let type where type.isNumeric:
      attribute.minimum = bound("minValueString", as: type)
      attribute.maximum = bound("maxValueString", as: type)
    default: break
    }
  }

  private func bound(_ attribute: String, as type: AttributeType) -> Value {
    text(attribute).map { LenientValue.parse($0, as: type) } ?? .null
  }

  private func date(_ attribute: String) throws -> Value {
    guard let value = text(attribute) else { return .null }
    guard let seconds = Double(value), seconds.isFinite else {
      throw reader.invalid(value, attribute, of: node)
    }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}
