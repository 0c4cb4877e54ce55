/// Writes a model in the form of an archived `NSManagedObjectModel`.
struct ModelArchiveWriter {
  /// What differs between archives of models.
  enum Form {
    /// As in a store: without class names and user info, and every entity has its inherited
    /// properties again.
    case modelCache
    /// As in a `.mom`: with everything, and own properties alone.
    /// Core Data: observed in compiled models.
    case compiledModel
  }

  typealias Reference = KeyedArchiveWriter.Reference
  typealias Fields = [(String, KeyedArchiveWriter.Field)]

  let model: ManagedObjectModel
  let form: Form
  /// Parses what is text here; without one, predicates and expressions are left out.
  let predicates: (any PredicateArchiving)?
  let writer = KeyedArchiveWriter()
  private let root: Reference
  private let emptyUserInfo: Reference
  private var entities: [ObjectIdentifier: Reference] = [:]
  private var properties: [ObjectIdentifier: Reference] = [:]

  /// What Core Data puts in unused slots of a dictionary with known keys; always the same.
  private static let emptyToken = "__empty_slot_token_4c24_98dc_ac1e_b773__"

  init(
    _ model: ManagedObjectModel, form: Form = .modelCache, predicates: (any PredicateArchiving)?
  ) {
    self.model = model
    self.form = form
    self.predicates = predicates
    root = writer.reserve()
    emptyUserInfo = writer.add(dictionary: [])
    for entity in model.entities {
      entities[ObjectIdentifier(entity)] = writer.reserve()
      for property in entity.ownProperties {
        properties[ObjectIdentifier(property)] = writer.reserve()
      }
    }
  }

  func data() -> Data {
    for entity in model.entities { define(entity) }
    writer.define(
      root, as: ["NSManagedObjectModel"],
      fields: [
        ("NSEntities", .reference(addEntities())),
        ("NSFetchRequestTemplates", .reference(addTemplates())),
        (
          "NSVersionIdentifiers",
          .reference(writer.add(set: model.versionIdentifiers.map { writer.add($0) }))
        ),
      ] + configurations)
    return writer.data(root: root)
  }

  /// The entities by name, as the dictionary with known keys that Core Data uses.
  private func addEntities() -> Reference {
    let sorted = model.entities.sorted { VersionHash.precedes($0.name, $1.name) }
    let mapping = writer.add(
      "NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy",
      fields: [
        "keys": .reference(writer.add(array: sorted.map { writer.add($0.name) })),
        "length": .integer(Int64(sorted.count)),
        "version": .integer(1),
      ])
    return writer.add(
      "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary",
      fields: [
        "searchMapping": .reference(mapping),
        "values": .reference(writer.add(array: sorted.map(reference))),
        "emptyToken": .reference(writer.add(Self.emptyToken)),
        "version": .integer(1),
      ])
  }

  /// Stores are without templates.
  private func addTemplates() -> Reference {
    if form == .modelCache || model.fetchRequestTemplates.isEmpty { return .null }
    let sorted = model.fetchRequestTemplates.sorted { $0.key < $1.key }
    return writer.add(
      dictionary: sorted.map { (key: writer.add($0.key), value: add($0.value)) }, mutable: true)
  }

  private var configurations: Fields {
    if model.configurations.isEmpty { return [] }
    let sorted = model.configurations.sorted { $0.key < $1.key }
    let dictionary = sorted.map { name, members in
      let entities = members.compactMap { model.entity(named: $0) }.map(reference)
      return (key: writer.add(name), value: writer.add(array: entities))
    }
    return [("NSConfigurations", .reference(writer.add(dictionary: dictionary, mutable: true)))]
  }

  func reference(_ entity: EntityDescription) -> Reference {
    entities[ObjectIdentifier(entity)] ?? .null
  }

  func reference(_ property: PropertyDescription?) -> Reference {
    property.flatMap { properties[ObjectIdentifier($0)] } ?? .null
  }
}

// MARK: - Entities

extension ModelArchiveWriter {
  private func define(_ entity: EntityDescription) {
    var fields: Fields = [
      ("NSEntityName", text(entity.name)),
      ("NSClassNameForEntity", text(form == .compiledModel ? entity.managedObjectClassName : nil)),
      ("NSUserInfo", .reference(userInfo(entity.userInfo))),
      ("NSManagedObjectModel", .reference(root)),
      ("NSSuperentity", .reference(entity.superentity.map(reference) ?? .null)),
      ("NSSubentities", .reference(byName(entity.subentities, name: \.name, reference: reference))),
      (
        "NSProperties",
        .reference(byName(listedProperties(of: entity), name: \.name) { add($0, in: entity) })
      ),
      ("NSRenamingIdentifier", text(entity.renamingIdentifier)),
      ("NSVersionHashModifier", text(entity.versionHashModifier)),
      ("NSFetchIndexDescriptions", .reference(addIndexes(of: entity))),
      ("NSCompoundIndexes", .reference(writer.add(array: [], mutable: true))),
    ]
    fields += Self.flags([("NSIsAbstract", entity.isAbstract)])
    if let format = entity.coreSpotlightDisplayNameFormat, form == .compiledModel {
      let expression = ArchivedExpression.add(format, to: writer)
      fields.append(("NSCoreSpotlightDisplayNameExpression", .reference(expression)))
    }
    if !entity.uniquenessConstraints.isEmpty {
      let tuples = entity.uniquenessConstraints.map { names in
        writer.add(array: names.map { writer.add($0) })
      }
      fields.append(("NSUniqueTuples", .reference(writer.add(array: tuples, mutable: true))))
    }
    writer.define(reference(entity), as: ["NSEntityDescription"], fields: fields)
  }

  private func listedProperties(of entity: EntityDescription) -> [PropertyDescription] {
    form == .compiledModel ? entity.ownProperties : entity.properties
  }

  func userInfo(_ texts: [String: String]) -> Reference {
    if form == .modelCache || texts.isEmpty { return emptyUserInfo }
    return writer.add(
      dictionary: texts.sorted { $0.key < $1.key }.map {
        (key: writer.add($0.key), value: writer.add($0.value))
      })
  }

  /// SwiftData's mark of an enum is the one entry that model caches were seen to have: a Boolean.
  // Core Data: observed in 14 stores, of frameworks 1345 to 1414.
  private func userInfo(of property: PropertyDescription) -> Reference? {
    if property.userInfo.isEmpty { return nil }
    if form == .compiledModel { return userInfo(property.userInfo) }
    guard property.userInfo["EnumType"] == "true" else { return nil }
    return writer.add(dictionary: [(key: writer.add("EnumType"), value: writer.add(bool: true))])
  }

  private func byName<Element>(
    _ elements: [Element], name: (Element) -> String, reference: (Element) -> Reference
  ) -> Reference {
    writer.add(
      dictionary: elements.map { (key: writer.add(name($0)), value: reference($0)) }, mutable: true)
  }
}

// MARK: - Properties

extension ModelArchiveWriter {
  /// Adds a property of an entity. An inherited one is written again for each entity, as Core Data
  /// does; inverses lead to where a relationship is declared. Nothing leads to a composite's parts.
  func add(_ property: PropertyDescription, in entity: EntityDescription) -> Reference {
    let isPart = (property as? AttributeDescription)?.composite != nil
    let isDeclaredHere = property.entity === entity && !isPart
    let reference = isDeclaredHere ? self.reference(property) : writer.reserve()
    let common = commonFields(of: property, in: entity)
    switch property {
    case let attribute as AttributeDescription:
      writer.define(
        reference, as: Self.classNames(of: attribute),
        fields: common + fields(of: attribute) + composition(of: attribute, in: entity))
    case let relationship as RelationshipDescription:
      writer.define(
        reference, as: ["NSRelationshipDescription", "NSPropertyDescription"],
        fields: common + fields(of: relationship))
    case let fetched as FetchedPropertyDescription:
      writer.define(
        reference, as: ["NSFetchedPropertyDescription", "NSPropertyDescription"],
        fields: common + fields(of: fetched))
    default:
      writer.define(reference, as: ["NSPropertyDescription"], fields: common)
    }
    return reference
  }

  private static func classNames(of attribute: AttributeDescription) -> [String] {
    let plain = ["NSAttributeDescription", "NSPropertyDescription"]
    if attribute.isDerived { return ["NSDerivedAttributeDescription"] + plain }
    if attribute.attributeType == .composite { return ["NSCompositeAttributeDescription"] + plain }
    return plain
  }

  private func commonFields(
    of property: PropertyDescription, in entity: EntityDescription
  ) -> Fields {
    var fields: Fields = [
      ("_P", .integer(PackedFlags.value(of: property))),
      ("NSEntity", .reference(reference(entity))),
      ("NSPropertyName", text(property.name)),
      ("NSRenamingIdentifier", text(property.renamingIdentifier)),
    ]
    if let userInfo = userInfo(of: property) {
      fields.append(("NSUserInfo", .reference(userInfo)))
    }
    if form == .compiledModel { fields += forOtherFrameworks(property) }
    fields += Self.flags([
      ("NSIsOptional", property.isOptional), ("NSIsTransient", property.isTransient),
    ])
    if let modifier = property.versionHashModifier {
      fields.append(("NSVersionHashModifier", text(modifier)))
    }
    return fields
  }

  private func text(_ text: String?) -> KeyedArchiveWriter.Field { .reference(writer.add(text)) }

  /// The flags that are set; others aren't written.
  private static func flags(_ flags: [(String, Bool)]) -> Fields {
    flags.filter(\.1).map { ($0.0, .bool(true)) }
  }

  /// What stores take no notice of. No archive with it was at hand: it is known to be read back only.
  private func forOtherFrameworks(_ property: PropertyDescription) -> Fields {
    let allowsCloudEncryption = (property as? AttributeDescription)?.allowsCloudEncryption == true
    return Self.flags([
      ("NSIsIndexedBySpotlight", property.isIndexedBySpotlight),
      ("NSIsStoredInExternalRecord", property.isStoredInExternalRecord),
      ("NSAllowsCloudEncryption", allowsCloudEncryption),
    ])
  }

  /// A composite attribute's parts.
  // Core Data: observed in 14 stores, of frameworks 1345 to 1414.
  private func composition(of attribute: AttributeDescription, in entity: EntityDescription)
    -> Fields
  {
    if attribute.attributeType != .composite { return [] }
    let elements = attribute.elements.map { add($0, in: entity) }
    return [("NSCompositeElements", .reference(writer.add(array: elements)))]
  }

  private func fields(of attribute: AttributeDescription) -> Fields {
    var flags: Int64 = 0
    if attribute.allowsExternalBinaryDataStorage {
      flags |= ArchivedProperty.Flag.allowsExternalBinaryDataStorage
    }
    if attribute.preservesValueInHistoryOnDeletion {
      flags |= ArchivedProperty.Flag.preservesValueInHistoryOnDeletion
    }
    let className = attribute.attributeType.valueClassName ?? attribute.attributeValueClassName
    let fields: Fields = [
      ("NSAttributeType", .integer(Int64(attribute.attributeType.rawValue))),
      ("NSAttributeValueClassName", text(className)),
      ("NSDefaultValue", .reference(ArchivedDefault.add(attribute.typedDefaultValue, to: writer))),
      ("NSValueTransformerName", text(attribute.valueTransformerName)),
      ("NSFlagsKey", .integer(flags)),
    ]
    return fields + Self.flags([("NSIsIndexed", attribute.isIndexed)])
      + derivation(of: attribute) + validation(of: attribute)
  }

  private func derivation(of attribute: AttributeDescription) -> Fields {
    guard let text = attribute.compiledDerivation else { return [] }
    let filter = attribute.filterPredicate.flatMap { predicates?.add(predicate: $0, to: writer) }
    return [
      ("NSDerivationExpression", .reference(ArchivedExpression.add(text, to: writer))),
      ("NSFilteringPredicate", .reference(filter ?? .null)),
      ("NSIsReadOnly", .bool(true)),
    ]
  }

  private func validation(of attribute: AttributeDescription) -> Fields {
    let bounds = ArchivedValidation.add(for: attribute, to: writer)
    let conditions = attribute.validationConditions.compactMap { condition in
      predicates?.add(predicate: condition.predicateFormat, to: writer).map {
        ($0, condition.warning)
      }
    }
    let all = bounds.map { ($0, "") } + conditions
    if all.isEmpty { return [] }
    let warnings = all.map { writer.add($0.1) }
    return [
      ("NSValidationPredicates", .reference(writer.add(array: all.map(\.0), mutable: true))),
      ("NSValidationWarnings", .reference(writer.add(array: warnings, mutable: true))),
    ]
  }

  private func fields(of relationship: RelationshipDescription) -> Fields {
    let fields: Fields = [
      ("_NSDestinationEntityName", text(relationship.destinationEntityName)),
      ("_NSInverseRelationshipName", text(relationship.inverseName)),
      ("NSDestinationEntity", .reference(reference(relationship.destinationEntity))),
      ("NSInverseRelationship", .reference(reference(relationship.inverseRelationship))),
      ("NSMinCount", .integer(Int64(relationship.minCount))),
      ("NSMaxCount", .integer(Int64(relationship.maxCount))),
      ("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    return fields + Self.flags([("NSIsOrdered", relationship.isOrdered)])
  }

  private func fields(of property: FetchedPropertyDescription) -> Fields {
    [
      ("NSFetchRequest", .reference(add(property.fetchRequest))),
      ("_NSFetchRequestEntityName", text(property.fetchRequest.entityName)),
      ("NSIsReadOnly", .bool(true)),
    ]
  }
}

/// The copy of a property's flags under `_P`: bits 0 and 4 to 6 are set in all archived properties,
/// 1 means optional, 3 transient, 7 no version hash modifier, 10 ordered.
/// Core Data: observed in 7,232 properties of 26 model caches.
private enum PackedFlags {
  static func value(of property: PropertyDescription) -> Int64 {
    var flags: Int64 = 0b0111_0001
    if property.isOptional { flags |= 1 << 1 }
    if property.isTransient { flags |= 1 << 3 }
    if property.versionHashModifier == nil { flags |= 1 << 7 }
    if (property as? RelationshipDescription)?.isOrdered == true { flags |= 1 << 10 }
    return flags
  }
}
