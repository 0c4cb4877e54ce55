/// The copy of a model that Xcode's mapping editor keeps in a mapping file: an archive of the
/// editor's own objects (`XDPMModel`).
///
/// A fallback for when the model itself can't be found: the copy dates from the mapping's last
/// refresh. It has no fetch indexes, derived or composite attributes.
public enum ModelSnapshot {
  /// - Parameter data: The archive, with the file's Base64 taken off.
  /// - Throws: ``KeyedArchiveError`` when the data is damaged, ``ModelArchiveError`` when it holds
  ///   no model, ``ModelError`` when the model contradicts itself.
  public static func decode(_ data: Data, name: String? = nil) throws -> ManagedObjectModel {
    let root = try KeyedArchive(data).root
    guard let model = root.objectValue, model.className == "XDPMModel" else {
      throw ModelArchiveError(.notAModel(className: root.objectValue?.className))
    }
    let package = model["_xd_rootPackage"].objectValue
    let entities = package?["XDBucketForClassesstorage"].entries ?? []
    let identifier = model["_modelVersionIdentifier"].stringValue
    return try ManagedObjectModel(
      entities: entities.compactMap(\.value.objectValue).map {
        try SnapshotEntity($0).description()
      },
      name: name, versionIdentifiers: identifier.map { [$0] } ?? [])
  }
}

/// An object of the mapping editor, with its settings: named values, in groups called stereotypes.
private struct SnapshotObject {
  let archived: ArchivedObject
  private let settings: [String: ArchivedValue]

  init(_ archived: ArchivedObject) {
    self.archived = archived
    let groups = archived["XDBucketForStereotypesstorage"].entries.compactMap(\.value.objectValue)
    let values = groups.flatMap { $0["XDBucketForOwnedAttributesstorage"].entries }
    settings = Dictionary(
      values.compactMap { key, value in
        key.stringValue.map { ($0, value.objectValue?["_default"] ?? .null) }
      }
    ) { first, _ in first }
  }

  var name: String? { archived["_name"].stringValue }

  subscript(key: String) -> ArchivedValue { settings[key] ?? .null }

  /// A text; nil when absent or empty.
  func text(_ key: String) -> String? { self[key].stringValue.flatMap { $0.isEmpty ? nil : $0 } }

  func userInfo(_ key: String) -> [String: String] {
    let texts = self[key].entries.compactMap { key, value in
      key.stringValue.flatMap { key in value.stringValue.map { (key, $0) } }
    }
    return Dictionary(texts) { first, _ in first }
  }

  /// Lists of names; a member is a text or an object with a name.
  func nameLists(_ key: String) -> [[String]] {
    self[key].elements.map { list in
      list.elements.compactMap { $0.stringValue ?? $0.objectValue?["_name"].stringValue }
    }
  }
}

private struct SnapshotEntity {
  private let object: SnapshotObject

  init(_ archived: ArchivedObject) { object = SnapshotObject(archived) }

  func description() throws -> EntityDescription {
    guard let name = object.name else { throw ModelArchiveError(.entityWithoutName(key: "?")) }
    let entity = EntityDescription(name: name)
    entity.managedObjectClassName = object.text("XD_PSK_entityClassName")
    entity.isAbstract = object["XD_PSK_isAbstract"].isTrue
    entity.explicitRenamingIdentifier = object.text("XD_PSK_elementID")
    entity.versionHashModifier = object.text("XD_PSK_versionHashModifier")
    entity.userInfo = object.userInfo("XD_PSK_userInfo")
    entity.superentityName = superentityName
    entity.uniquenessConstraints = object.nameLists("XDPMUniquenessConstraints")
    entity.ownProperties = try object.archived["XDBucketForOwnedAttributesstorage"].entries
      .compactMap(\.value.objectValue)
      .compactMap { try SnapshotProperty($0, entity: name).description() }
    entity.addIndexes(fromCompounds: object.nameLists("XDPMCompoundIndexes"))
    return entity
  }

  private var superentityName: String? {
    let generalizations = object.archived["XDBucketForGeneralizationsstorage"]
    let first = generalizations.elements.first ?? generalizations.entries.first?.value
    return first?.objectValue?["_general"].objectValue?["_name"].stringValue
  }
}

private struct SnapshotProperty {
  private let object: SnapshotObject
  private let entity: String

  init(_ archived: ArchivedObject, entity: String) {
    object = SnapshotObject(archived)
    self.entity = entity
  }

  /// The property; nil for kinds other than attributes and relationships.
  func description() throws -> PropertyDescription? {
    guard let name = object.name, let property = try kind(named: name) else { return nil }
    property.isOptional = object["XD_PPSK_isOptional"].isTrue
    property.isTransient = object["XD_PPSK_isTransient"].isTrue
    property.explicitRenamingIdentifier = object.text("XD_PPSK_elementID")
    property.versionHashModifier = object.text("XD_PPSK_versionHashModifier")
    property.userInfo = object.userInfo("XD_PPSK_userInfo")
    return property
  }

  private func kind(named name: String) throws -> PropertyDescription? {
    switch object.archived.className {
    case "XDPMAttribute": try attribute(named: name)
    case "XDPMRelationship": try relationship(named: name)
    default: nil
    }
  }

  private func attribute(named name: String) throws -> AttributeDescription {
    let number = object["XD_PAttK_attributeType"].integerValue ?? 0
    guard let type = UInt(exactly: number).flatMap(AttributeType.init) else {
      throw ModelArchiveError(.unknownAttributeType(number, entity: entity, attribute: name))
    }
    let attribute = AttributeDescription(name: name, type: type)
    attribute.isIndexed = object["XD_PPSK_isIndexed"].isTrue
    attribute.valueTransformerName = object.text("XD_PAttK_valueTransformerName")
    attribute.allowsExternalBinaryDataStorage =
      object["XD_PAttK_allowsExternalBinaryDataStorage"].isTrue
    attribute.defaultValueString = object["XD_PAttK_defaultValueAsString"].stringValue
    attribute.typedDefaultValue = value("XD_PAttK_defaultValueAsString", as: type)
    let boundType = type == .string ? AttributeType.integer64 : type
    attribute.minimum = value("XD_PAttK_minValueString", as: boundType)
    attribute.maximum = value("XD_PAttK_maxValueString", as: boundType)
    attribute.regularExpression = object.text("XD_PAttK_regularExpressionString")
    return attribute
  }

  private func value(_ key: String, as type: AttributeType) -> Value {
    object[key].stringValue.map { LenientValue.parse($0, as: type) } ?? .null
  }

  private func relationship(named name: String) throws -> RelationshipDescription {
    let destination = object["XD_PRK_destination"].objectValue?["_name"].stringValue
    guard let destination else {
      throw ModelArchiveError(.relationshipWithoutDestination(entity: entity, relationship: name))
    }
    let relationship = RelationshipDescription(
      name: name, destinationEntityName: destination, toMany: object["XD_PRK_isToMany"].isTrue)
    relationship.inverseName =
      object["XD_PRK_inverseRelationship"].objectValue?["_name"].stringValue
    relationship.isOrdered = object["XD_PRK_ordered"].isTrue
    relationship.minCount = Int(object["XD_PRK_minCount"].integerValue ?? 0)
    if relationship.isToMany {
      relationship.maxCount = Int(object["XD_PRK_maxCount"].integerValue ?? 0)
    }
    let rule = object["XD_PRK_deleteRule"].integerValue ?? 0
    relationship.deleteRule = UInt(exactly: rule).flatMap(DeleteRule.init) ?? .noAction
    return relationship
  }
}
