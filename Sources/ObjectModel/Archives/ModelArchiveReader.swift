/// Reads an archived `NSManagedObjectModel`.
struct ModelArchiveReader {
  private let root: ArchivedValue

  init(_ archive: KeyedArchive) { root = archive.root }

  func model(named name: String?) throws -> ManagedObjectModel {
    guard let model = root.objectValue, model.classNames.contains("NSManagedObjectModel") else {
      throw ModelArchiveError(.notAModel(className: root.objectValue?.className))
    }
    return try ManagedObjectModel(
      entities: Self.entries(of: model["NSEntities"]).map { try entity($0.value, key: $0.key) },
      name: name,
      versionIdentifiers: model["NSVersionIdentifiers"].elements.compactMap(\.stringValue).sorted(),
      configurations: configurations(model["NSConfigurations"]),
      fetchRequestTemplates: templates(model["NSFetchRequestTemplates"]))
  }

  /// The entries of a dictionary, whether of Foundation's kind or of the kind with known keys.
  static func entries(of value: ArchivedValue) -> [(key: String, value: ArchivedValue)] {
    guard let known = value.objectValue, known.classNames.contains("NSKnownKeysDictionary") else {
      return value.entries.compactMap { entry in entry.key.stringValue.map { ($0, entry.value) } }
    }
    let keys = known["searchMapping"].objectValue?["keys"].elements ?? []
    return zip(keys, known["values"].elements).compactMap { key, value in
      key.stringValue.map { ($0, value) }
    }
  }

  private func templates(_ value: ArchivedValue) -> [String: FetchRequestTemplate] {
    let named = Self.entries(of: value).compactMap { name, value in
      value.objectValue.flatMap { ArchivedRequest($0).template(named: name) }
    }
    return Dictionary(named.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Members are entities in some archives, entity names in others.
  private func configurations(_ value: ArchivedValue) -> [String: [String]] {
    let named = Self.entries(of: value).map { name, members in
      (name, members.elements.compactMap { Self.name(of: $0, key: "NSEntityName") })
    }
    return Dictionary(named) { first, _ in first }
  }

  /// A string itself, or an object's name.
  private static func name(of value: ArchivedValue, key: String) -> String? {
    value.stringValue ?? value.objectValue?[key].stringValue
  }
}

// MARK: - Entities

extension ModelArchiveReader {
  private func entity(_ value: ArchivedValue, key: String) throws -> EntityDescription {
    guard let archived = value.objectValue, let name = archived["NSEntityName"].stringValue else {
      throw ModelArchiveError(.entityWithoutName(key: key))
    }
    let entity = EntityDescription(name: name)
    entity.managedObjectClassName = archived["NSClassNameForEntity"].stringValue
    entity.isAbstract = archived["NSIsAbstract"].isTrue
    entity.superentityName = archived["NSSuperentity"].objectValue?["NSEntityName"].stringValue
    entity.versionHashModifier = archived["NSVersionHashModifier"].stringValue
    entity.explicitRenamingIdentifier = renamingIdentifier(of: archived, name: name)
    entity.userInfo = Self.userInfo(archived["NSUserInfo"])
    entity.coreSpotlightDisplayNameFormat = archived["NSCoreSpotlightDisplayNameExpression"]
      .objectValue.map(ArchivedExpression.text)
    entity.uniquenessConstraints = archived["NSUniqueTuples"].elements.map {
      $0.elements.compactMap { Self.name(of: $0, key: "NSPropertyName") }
    }
    entity.ownProperties = try ownProperties(of: archived, entity: name)
    addIndexes(of: archived, to: entity)
    return entity
  }

  private func renamingIdentifier(of archived: ArchivedObject, name: String) -> String? {
    let identifier = archived["NSRenamingIdentifier"].stringValue
    return identifier == name ? nil : identifier
  }

  static func userInfo(_ value: ArchivedValue) -> [String: String] {
    let texts = entries(of: value).compactMap { key, value -> (String, String)? in
      // SwiftData's mark of an enum is a Boolean.
      if case .bool(let isSet) = value { return (key, "\(isSet)") }
      return value.stringValue.map { (key, $0) }
    }
    return Dictionary(texts) { first, _ in first }
  }

  /// The archive lists inherited properties again; own ones are those no superentity has.
  private func ownProperties(
    of archived: ArchivedObject, entity: String
  ) throws -> [PropertyDescription] {
    let inherited = inheritedNames(of: archived)
    return try Self.entries(of: archived["NSProperties"]).compactMap { name, value in
      guard !inherited.contains(name), let property = value.objectValue else { return nil }
      return try ArchivedProperty(property, name: name, entity: entity).description()
    }
  }

  private func inheritedNames(of archived: ArchivedObject) -> Set<String> {
    var names: Set<String> = []
    var seen: Set<ArchivedObject> = [archived]
    var current = archived["NSSuperentity"].objectValue
    // A circle of superentities, or too long a row of them, is left for the model to report.
    while let entity = current, seen.insert(entity).inserted,
      seen.count <= ModelLinker.mostAncestors
    {
      names.formUnion(Self.entries(of: entity["NSProperties"]).map(\.key))
      current = entity["NSSuperentity"].objectValue
    }
    return names
  }

  private func addIndexes(of archived: ArchivedObject, to entity: EntityDescription) {
    let indexes = archived["NSFetchIndexDescriptions"]
    entity.indexes = indexes.elements.compactMap(\.objectValue).compactMap {
      ArchivedIndex($0).description
    }
    // Archives from before 2017 have only the older kinds of index.
    if indexes.isNull {
      entity.addIndexes(
        fromCompounds: archived["NSCompoundIndexes"].elements.map {
          $0.elements.compactMap { Self.name(of: $0, key: "NSPropertyName") }
        })
    }
  }
}
