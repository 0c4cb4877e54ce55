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
      ("NSEntityName", .reference(writer.add(entity.name))),
      (
        "NSClassNameForEntity",
        .reference(form == .compiledModel ? writer.add(entity.managedObjectClassName) : .null)
      ),
      ("NSUserInfo", .reference(userInfo(entity.userInfo))),
      ("NSManagedObjectModel", .reference(root)),
      ("NSSuperentity", .reference(entity.superentity.map(reference) ?? .null)),
      ("NSSubentities", .reference(byName(entity.subentities, \.name, reference))),
      (
        "NSProperties",
        .reference(byName(listedProperties(of: entity), \.name) { add($0, in: entity) })
      ),
      ("NSRenamingIdentifier", .reference(writer.add(entity.renamingIdentifier))),
      ("NSVersionHashModifier", .reference(writer.add(entity.versionHashModifier))),
      ("NSFetchIndexDescriptions", .reference(addIndexes(of: entity))),
      ("NSCompoundIndexes", .reference(writer.add(array: [], mutable: true))),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
    if let format = entity.coreSpotlightDisplayNameFormat, form == .compiledModel {
      fields.append(
        (
          "NSCoreSpotlightDisplayNameExpression",
          .reference(ArchivedExpression.add(format, to: writer))
        ))
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

  private func byName<Element>(
    _ elements: [Element], _ name: (Element) -> String, _ reference: (Element) -> Reference
  ) -> Reference {
    writer.add(
      dictionary: elements.map { (key: writer.add(name($0)), value: reference($0)) }, mutable: true)
  }
}
