/// A feature of an entity or property that two versions of a model may differ in.
public enum ModelFeature: String, Hashable, Sendable, CaseIterable {
  case kind, parent, type, destination, inverse, ordered, optional, transient
  case minimumCount = "minimum count"
  case maximumCount = "maximum count"
  case deleteRule = "delete rule"
  case abstract
  case defaultValue = "default"
  case minimum, maximum
  case pattern, condition
  case derivation
  case derivationFilter = "derivation filter"
  case externalStorage = "external storage"
  case preservedAfterDeletion = "preserved after deletion"
  case transformer
  case valueClass = "value class"
  case compositeElements = "composite elements"
  case cloudEncryption = "cloud encryption"
  case fetchRequest = "fetch request"
  case uniquenessConstraints = "uniqueness constraints"
  case versionHashModifier = "version hash modifier"
  case renamingIdentifier = "renaming identifier"
  case indexed
  case indexes
  case className = "class"
  case userInfo = "user info"
  case spotlight
  case externalRecord = "external record"
}

// MARK: - Values

extension ModelFeature {
  /// The features an entity has, as text; features at their ordinary value are left out.
  static func values(of entity: EntityDescription) -> [ModelFeature: String] {
    var values = common(
      entity.versionHashModifier, identifier: entity.explicitRenamingIdentifier,
      userInfo: entity.userInfo)
    values[.parent] = entity.superentityName
    values[.abstract] = entity.isAbstract ? "abstract" : nil
    values[.className] = entity.managedObjectClassName
    values[.spotlight] = entity.coreSpotlightDisplayNameFormat
    values[.uniquenessConstraints] = list(
      entity.uniquenessConstraints.map { "(\($0.joined(separator: ", ")))" })
    // In no order that means anything; stores were seen that list one twice.
    values[.indexes] = list(entity.storedIndexes.map(\.summary).uniqued().sorted())
    return values
  }

  /// The features a property has, as text; features at their ordinary value are left out.
  package static func values(of property: PropertyDescription) -> [ModelFeature: String] {
    var values = common(
      property.versionHashModifier, identifier: property.explicitRenamingIdentifier,
      userInfo: property.userInfo)
    values[.optional] = property.isOptional ? "optional" : "required"
    values[.transient] = property.isTransient ? "transient" : nil
    values[.spotlight] = property.isIndexedBySpotlight ? "indexed" : nil
    values[.externalRecord] = property.isStoredInExternalRecord ? "stored" : nil
    let own =
      switch property {
      case let attribute as AttributeDescription: self.values(ofAttribute: attribute)
      case let relationship as RelationshipDescription:
        self.values(ofRelationship: relationship)
      case let fetched as FetchedPropertyDescription: self.values(ofFetchedProperty: fetched)
      default: [ModelFeature: String]()
      }
    return values.merging(own) { _, own in own }
  }

  private static func common(
    _ modifier: String?, identifier: String?, userInfo: [String: String]
  ) -> [ModelFeature: String] {
    var values: [ModelFeature: String] = [:]
    values[.versionHashModifier] = modifier
    values[.renamingIdentifier] = identifier
    values[.userInfo] = list(
      userInfo.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" })
    return values
  }

  private static func values(
    ofAttribute attribute: AttributeDescription
  ) -> [ModelFeature: String] {
    var values: [ModelFeature: String] = [.kind: "attribute", .type: attribute.attributeType.name]
    values[.defaultValue] = attribute.typedDefaultValue.notation
    values[.minimum] = attribute.minimum.notation
    values[.maximum] = attribute.maximum.notation
    values[.pattern] = attribute.regularExpression
    values[.condition] = list(attribute.validationConditions.map(\.predicateFormat))
    values[.derivation] = attribute.compiledDerivation
    values[.derivationFilter] = attribute.filterPredicate
    values[.externalStorage] = attribute.allowsExternalBinaryDataStorage ? "external" : nil
    values[.preservedAfterDeletion] =
      attribute.preservesValueInHistoryOnDeletion ? "preserved" : nil
    values[.transformer] = attribute.valueTransformerName
    values[.valueClass] = attribute.attributeValueClassName
    values[.indexed] = attribute.isIndexed ? "indexed" : nil
    values[.compositeElements] = parts(of: attribute)
    values[.cloudEncryption] = attribute.allowsCloudEncryption ? "allowed" : nil
    return values
  }

  private static func values(
    ofRelationship relationship: RelationshipDescription
  ) -> [ModelFeature: String] {
    var values: [ModelFeature: String] = [
      .kind: relationship.isToMany ? "to-many relationship" : "to-one relationship",
      .destination: relationship.destinationEntityName,
      .deleteRule: "\(relationship.deleteRule)",
    ]
    values[.inverse] = relationship.inverseName
    values[.ordered] = relationship.isOrdered ? "ordered" : nil
    values[.minimumCount] = relationship.minCount == 0 ? nil : "\(relationship.minCount)"
    let ordinary = relationship.isToMany ? 0 : 1
    values[.maximumCount] =
      relationship.maxCount == ordinary ? nil : "\(relationship.maxCount)"
    return values
  }

  private static func values(
    ofFetchedProperty property: FetchedPropertyDescription
  ) -> [ModelFeature: String] {
    [.kind: "fetched property", .fetchRequest: property.fetchRequest.summary]
  }

  /// A composite attribute's parts, with theirs.
  private static func parts(of attribute: AttributeDescription) -> String? {
    list(
      attribute.elements.map { element in
        let own = parts(of: element).map { " (\($0))" } ?? ""
        return "\(element.name) \(element.attributeType.name)\(own)"
      })
  }

  /// nil for none, since a feature without content is an absent one.
  private static func list(_ texts: [String]) -> String? {
    texts.isEmpty ? nil : texts.joined(separator: ", ")
  }
}

extension Value {
  /// The value as scenario files and reports write it; nil for nil.
  public var notation: String? {
    switch self {
    case .null: nil
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let value): value.notation
    case .string(let value): "\"\(value)\""
    case .data(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .uri(let value): value.absoluteString
    case .decimal(let value): "\(value)"
    case .transformable: "transformable"
    case .object(let value): "\(value)"
    case .collection(let value):
      "{" + value.elements.map { $0.notation ?? "nil" }.joined(separator: ", ") + "}"
    }
  }
}
