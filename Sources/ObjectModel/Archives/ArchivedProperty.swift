/// Reads one archived property of an entity.
struct ArchivedProperty {
  private let archived: ArchivedObject
  private let name: String
  private let entity: String
  private let composition: Composition
  /// How many composite attributes this one is in.
  private let depth: Int

  /// What keeps composite attributes from having parts without end.
  private final class Composition {
    var partsLeft = 10_000
  }

  /// Bits of `NSFlagsKey`.
  /// Core Data: observed in 94 of 94 attributes that have them.
  enum Flag {
    static let allowsExternalBinaryDataStorage: Int64 = 4
    static let preservesValueInHistoryOnDeletion: Int64 = 16
  }

  init(_ archived: ArchivedObject, name: String, entity: String) {
    self.init(archived, name: name, entity: entity, in: Composition(), depth: 0)
  }

  private init(
    _ archived: ArchivedObject, name: String, entity: String, in composition: Composition,
    depth: Int
  ) {
    self.archived = archived
    self.composition = composition
    self.depth = depth
    self.name = name
    self.entity = entity
  }

  /// The property; nil for proxies of inherited properties, and for kinds that are never stored and
  /// that no model file has.
  func description() throws -> PropertyDescription? {
    guard let property = try kind() else { return nil }
    property.isOptional = archived["NSIsOptional"].isTrue
    property.isTransient = property.isTransient || archived["NSIsTransient"].isTrue
    property.versionHashModifier = archived["NSVersionHashModifier"].stringValue
    let identifier = archived["NSRenamingIdentifier"].stringValue
    property.explicitRenamingIdentifier = identifier == name ? nil : identifier
    property.userInfo = ModelArchiveReader.userInfo(archived["NSUserInfo"])
    property.isIndexedBySpotlight = archived["NSIsIndexedBySpotlight"].isTrue
    property.isStoredInExternalRecord = archived["NSIsStoredInExternalRecord"].isTrue
    return property
  }

  private func kind() throws -> PropertyDescription? {
    let classNames = Set(archived.classNames)
    if classNames.contains("NSAttributeDescription") { return try attribute() }
    if classNames.contains("NSRelationshipDescription") { return try relationship() }
    if classNames.contains("NSFetchedPropertyDescription") { return fetchedProperty() }
    return nil
  }

  private func attribute() throws -> AttributeDescription {
    let number = archived["NSAttributeType"].integerValue
    guard let type = number.flatMap({ UInt(exactly: $0) }).flatMap(AttributeType.init) else {
      throw ModelArchiveError(.unknownAttributeType(number, entity: entity, attribute: name))
    }
    let attribute = AttributeDescription(name: name, type: type)
    let flags = archived["NSFlagsKey"].integerValue ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & Flag.allowsExternalBinaryDataStorage != 0
    attribute.preservesValueInHistoryOnDeletion =
      flags & Flag.preservesValueInHistoryOnDeletion != 0
    attribute.isIndexed = archived["NSIsIndexed"].isTrue
    attribute.valueTransformerName = archived["NSValueTransformerName"].stringValue
    if type == .transformable {
      attribute.attributeValueClassName = archived["NSAttributeValueClassName"].stringValue
    }
    attribute.derivationExpression = archived["NSDerivationExpression"].objectValue
      .map { ArchivedExpression.text(of: $0) }
    attribute.filterPredicate = ArchivedFormat.predicate(archived["NSFilteringPredicate"])
    attribute.allowsCloudEncryption = archived["NSAllowsCloudEncryption"].isTrue
    if type == .composite { try readComposite(into: attribute) }
    setDefault(of: attribute)
    ArchivedValidation.read(
      archived["NSValidationPredicates"], archived["NSValidationWarnings"], into: attribute)
    return attribute
  }

  /// Composite attributes in composite attributes.
  private static let deepestComposite = 32

  private func readComposite(into attribute: AttributeDescription) throws {
    // The other two are in stores that earlier versions of this tool wrote.
    attribute.compositeName = archived["NSCompositeName"].stringValue
    let elements = archived["NSCompositeElements"]
    let parts = (elements.isNull ? archived["NSElements"] : elements).elements
      .compactMap(\.objectValue)
    if parts.isEmpty { return }
    composition.partsLeft -= parts.count
    if depth == Self.deepestComposite || composition.partsLeft < 0 {
      throw ModelArchiveError(.endlessComposite(entity: entity, attribute: name))
    }
    attribute.elements = try parts.compactMap { part in
      try ArchivedProperty(
        part, name: part["NSPropertyName"].stringValue ?? "", entity: entity, in: composition,
        depth: depth + 1
      ).description() as? AttributeDescription
    }
  }

  private func setDefault(of attribute: AttributeDescription) {
    let archivedDefault = archived["NSDefaultValue"]
    attribute.typedDefaultValue =
      ArchivedDefault.value(of: archivedDefault)?.coerced(to: attribute.attributeType) ?? .null
    // An object of an app's own class: it can't be had here, but it can be named.
    if attribute.typedDefaultValue.isNull, let object = archivedDefault.objectValue {
      attribute.defaultValueString = "<\(object.className)>"
    }
  }

  private func relationship() throws -> RelationshipDescription {
    let destination =
      archived["_NSDestinationEntityName"].stringValue
      ?? archived["NSDestinationEntity"].objectValue?["NSEntityName"].stringValue
    guard let destination else {
      throw ModelArchiveError(.relationshipWithoutDestination(entity: entity, relationship: name))
    }
    let maxCount = try count("NSMaxCount", least: -1)
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: maxCount != 1)
    relationship.maxCount = maxCount
    relationship.minCount = try count("NSMinCount")
    relationship.isOrdered = archived["NSIsOrdered"].isTrue
    relationship.inverseName =
      archived["_NSInverseRelationshipName"].stringValue
      ?? archived["NSInverseRelationship"].objectValue?["NSPropertyName"].stringValue
    let rule = archived["NSDeleteRule"].integerValue ?? 0
    relationship.deleteRule = UInt(exactly: rule).flatMap(DeleteRule.init) ?? .noAction
    return relationship
  }

  /// From 0 to the largest that Core Data has room for.
  private func count(_ key: String, least: Int32 = 0) throws -> Int {
    let number = archived[key].integerValue ?? 0
    guard let count = Int32(exactly: number), count >= least else {
      throw ModelArchiveError(.badCount(number, entity: entity, relationship: name))
    }
    return Int(count)
  }

  private func fetchedProperty() -> FetchedPropertyDescription {
    let name = FetchRequestTemplate.fetchedPropertyName
    let entityName = archived["_NSFetchRequestEntityName"].stringValue ?? ""
    let request = archived["NSFetchRequest"].objectValue.flatMap {
      ArchivedRequest($0).template(named: name, entityName: entityName)
    }
    return FetchedPropertyDescription(
      name: self.name, fetchRequest: request ?? .init(name: name, entityName: entityName))
  }
}
