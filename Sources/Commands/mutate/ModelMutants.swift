/// The mutants of the versions that a scenario's chain leads to: what of a model a migration can come to depend
/// on.
struct ModelMutants {
  private let scenario: CheckedScenario
  private let deletes: Bool

  init(_ scenario: CheckedScenario) {
    self.scenario = scenario
    deletes = scenario.deletesObjects()
  }

  func all() -> [Mutant] {
    var seen: Set<String> = []
    return scenario.scenario.chain.flatMap { step in
      step.passedVersions.filter { seen.insert($0).inserted }.flatMap { mutants(of: $0, step) }
    }
  }

  private func mutants(of version: String, _ step: ChainStep) -> [Mutant] {
    guard let model = scenario.models[version] else { return [] }
    let before = scenario.models[step.ends.value.source]
    let places = ModelPlaces(scenario, version)
    let renamed = step.mappings.isEmpty ? model.entities.filter { Self.isRenamed($0, before) } : []
    return renamed.map { mutant(ofRenamed: $0, version, places) }
      + model.entities.flatMap { entity in
        entity.ownProperties.flatMap {
          mutants(of: $0, in: entity, version: version, step: step, before: before, places: places)
        }
      }
  }

  /// Whether inference follows an entity's renaming identifier here.
  private static func isRenamed(
    _ entity: EntityDescription, _ before: ManagedObjectModel?
  ) -> Bool {
    guard let identifier = entity.explicitRenamingIdentifier, identifier != entity.name else {
      return false
    }
    return before?.entities.contains { $0.renamingIdentifier == identifier } == true
  }

  private func mutant(
    ofRenamed entity: EntityDescription, _ version: String, _ places: ModelPlaces
  ) -> Mutant {
    mutant(
      .renamingIdentifier, at: places.place(of: entity.name, nil), among: places,
      title: "drop the renaming identifier of \(entity.name)",
      removed: "\(entity.name): renamed from \(entity.renamingIdentifier)", added: nil,
      version: version,
      by: .renamingIdentifier(entity: entity.name, property: nil))
  }

  private func mutants(
    of property: PropertyDescription, in entity: EntityDescription, version: String,
    step: ChainStep, before: ManagedObjectModel?, places: ModelPlaces
  ) -> [Mutant] {
    let path = "\(entity.name).\(property.name)"
    let place = places.place(of: entity.name, property.name)
    let old = before?.entities.first { $0.renamingIdentifier == entity.renamingIdentifier }
    var found: [Mutant] = []
    if step.mappings.isEmpty, let identifier = property.explicitRenamingIdentifier,
      identifier != property.name,
      old?.properties.contains(where: { $0.renamingIdentifier == identifier }) == true
    {
      found.append(
        mutant(
          .renamingIdentifier, at: place, among: places,
          title: "drop the renaming identifier of \(path)",
          removed: "\(path): renamed from \(identifier)", added: nil, version: version,
          by: .renamingIdentifier(entity: entity.name, property: property.name)))
    }
    if let attribute = property as? AttributeDescription,
      usesDefault(attribute, before: old, in: step)
    {
      let altered = attribute.alteredDefault
      found.append(
        mutant(
          .default, at: place, among: places, title: "alter the default of \(path)",
          removed: "\(path): default \(attribute.typedDefaultValue.shown(as: attribute))",
          added: "\(path): "
            + (altered.isNull ? "no default" : "default \(altered.shown(as: attribute))"),
          version: version, by: .default(entity: entity.name, attribute: property.name)))
    }
    if let relationship = property as? RelationshipDescription {
      found += mutants(of: relationship, in: entity, version: version, at: place, places: places)
    }
    return found
  }

  /// Whether objects may come to the version without a value of their own.
  private func usesDefault(
    _ attribute: AttributeDescription, before old: EntityDescription?, in step: ChainStep
  ) -> Bool {
    guard !attribute.typedDefaultValue.isNull, !attribute.isDerived, !attribute.isTransient else {
      return false
    }
    // A policy, a handler or a mapping model may leave it out.
    if !step.mappings.isEmpty || step.stages != nil { return true }
    let before = old?.properties.first { $0.renamingIdentifier == attribute.renamingIdentifier }
    return before == nil || (before?.isOptional == true && !attribute.isOptional)
  }

  private func mutants(
    of relationship: RelationshipDescription, in entity: EntityDescription, version: String,
    at place: FilePlace, places: ModelPlaces
  ) -> [Mutant] {
    let path = "\(entity.name).\(relationship.name)"
    var found: [Mutant] = []
    // Of a pair one is enough: neither knows of the other then.
    if let inverse = relationship.inverseRelationship, relationship.isFirstOfPair,
      !isSeededFromFile(version)
    {
      let other = "\(relationship.destinationEntityName).\(inverse.name)"
      found.append(
        mutant(
          .inverse, at: place, among: places, title: "drop the inverse of \(path)",
          removed: "\(path) <-> \(other)",
          added: "\(path) -> \(relationship.destinationEntityName)",
          version: version, by: .inverse(entity: entity.name, relationship: relationship.name)))
    }
    // Where nothing is deleted no rule is asked.
    guard deletes else { return found }
    let rule = relationship.alteredDeleteRule
    found.append(
      mutant(
        .deleteRule, at: place, among: places, title: "alter the delete rule of \(path)",
        removed: "\(path): \(relationship.deleteRule)", added: "\(path): \(rule)", version: version,
        by: .deleteRule(entity: entity.name, relationship: relationship.name)))
    return found
  }

  /// A store's file has a version of its own, which a model with another hash isn't.
  private func isSeededFromFile(_ version: String) -> Bool {
    guard scenario.starts.contains(version),
      case .store? = scenario.seed(for: version)?.content
    else { return false }
    return true
  }

  private func mutant(
    _ kind: Mutant.Kind, at place: FilePlace, among places: ModelPlaces, title: String,
    removed: String, added: String?, version: String, by change: ModelMutation
  ) -> Mutant {
    Mutant(
      kind: kind, file: place.file, line: place.line, title: places.prefix + title,
      removed: [removed], added: added.map { [$0] } ?? [],
      targets: [Mutant.Target(scenario: 0, mutation: .model(version: version, change))])
  }
}

/// Where the parts of a version of a model were written.
struct ModelPlaces {
  /// What tells mutants of one file apart: the version, where a file has several.
  let prefix: String
  private let fallback: FilePlace
  private var entities: [String: FilePlace] = [:]
  private var properties: [String: FilePlace] = [:]

  init(_ scenario: CheckedScenario, _ version: String) {
    let folder = scenario.scenario.folder
    var files: [URL] = []
    switch scenario.scenario.models {
    case .inline(let versions, let place):
      let written = versions.first { $0.name.value == version }
      switch written?.definition {
      case .entities(let notations)?:
        prefix = "\(version) "
        fallback = FilePlace(written?.name.place ?? place)
        for entity in notations {
          entities[entity.name.value] = FilePlace(entity.name.place)
          for property in entity.properties {
            properties["\(entity.name.value).\(property.name.value)"] = FilePlace(
              property.name.place)
          }
        }
        return
      case .file(let path)?: files = [folder.resolving(path.value)]
      case nil: files = []
      }
    case .xcode(let paths, _): files = paths.map { folder.resolving($0.value) }
    }
    let names = [scenario.models[version]?.name, version].compactMap(\.self)
    let candidates = files.flatMap { file in
      names.map { file.appending(path: "\($0).xcdatamodel/contents") }
        + [file.appending(path: "contents")]
    }
    let found = candidates.first { FileManager.default.fileExists(atPath: $0.path) }
    // A merged or compiled model has no file in which one could point at a line.
    prefix = found == nil ? "\(version) " : ""
    fallback = FilePlace(
      file: found.map { ShownPath.of($0) } ?? files.first.map { ShownPath.of($0) }
        ?? scenario.scenario.file.path, line: nil)
    if let found { read(found) }
  }

  private mutating func read(_ url: URL) {
    for (name, entity) in ElementPlaces.listing(ofFile: url).entities {
      entities[name] = FilePlace(file: fallback.file, line: entity.place.line)
      for (property, place) in entity.properties {
        properties["\(name).\(property)"] = FilePlace(file: fallback.file, line: place.line)
      }
    }
  }

  func place(of entity: String, _ property: String?) -> FilePlace {
    property.flatMap { properties["\(entity).\($0)"] } ?? entities[entity] ?? fallback
  }
}
