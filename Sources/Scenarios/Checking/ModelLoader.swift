/// Makes the models of a scenario from its notation or from Xcode's files.
struct ModelLoader {
  let folder: URL
  let collector: DiagnosticCollector
  /// What was read for other scenarios of the call.
  private static let read = VersionCache()

  func load(_ source: ModelSource) -> VersionedModels {
    switch source {
    case .inline(let versions, let place):
      if versions.isEmpty { collector.report("'models' needs a version, as in 'v1: …'", at: place) }
      let models = VersionedModels(
        versions.compactMap { version in model(of: version).map { (version.name.value, $0) } })
      if collector.isEmpty { reportFormerNames(of: versions, models) }
      return models
    case .xcode(let paths, let selected): return xcodeModels(paths, selected)
    }
  }

  // MARK: Short notation

  private func model(of version: ModelVersion) -> ManagedObjectModel? {
    switch version.definition {
    case .file(let path): return singleModel(path)
    case .entities(let notations):
      return InlineModels.model(named: version.name.value, notations) {
        let model = newModel(of: version, notations)
        // What was reported once isn't counted again: any mistake may be this model's.
        return collector.isEmpty ? model : nil
      }
    }
  }

  /// - Returns: Nil, or a model that is of no use, where mistakes were reported.
  private func newModel(
    of version: ModelVersion, _ notations: [EntityNotation]
  ) -> ManagedObjectModel? {
    let mistakes = collector.all.count
    reportSwiftTypes(notations)
    let entities = collector.all.count > mistakes ? [] : notations.map(entity)
    // Without all its properties the model would only seem to contradict itself.
    if collector.all.count > mistakes { return nil }
    return collector.attempt(at: version.name.place) {
      do {
        let model = try ManagedObjectModel(entities: entities, name: version.name.value)
        for notation in notations {
          guard let entity = model.entity(named: notation.name.value) else { continue }
          reportDerivations(of: entity, notation)
          reportUnknownProperties(of: entity, notation)
          reportConstraints(of: entity, notation)
        }
        return model
      } catch let error as ModelError {
        let (place, hint) = problem(error, in: notations)
        throw Diagnostic("\(error)\(hint)", at: place ?? version.name.place)
      }
    }
  }

  private func entity(_ notation: EntityNotation) -> EntityDescription {
    let entity = EntityDescription(name: notation.name.value)
    entity.superentityName = notation.parent?.value
    entity.isAbstract = notation.isAbstract
    entity.explicitRenamingIdentifier = notation.was?.value
    entity.versionHashModifier = notation.modifier
    // As Xcode names it for a new entity; migrations make plain objects whatever it is.
    entity.managedObjectClassName = notation.className ?? notation.name.value
    entity.userInfo = notation.userInfo
    entity.uniquenessConstraints = notation.unique.map { $0.map(\.value) }
    entity.indexes = notation.indexes.map { names in
      FetchIndexDescription(
        name: "by" + names.map(\.value.localizedCapitalized).joined(separator: "And"),
        elements: names.map { .init(propertyName: $0.value) })
    }
    entity.ownProperties = notation.properties.compactMap(property)
    return entity
  }

  private func property(_ notation: PropertyNotation) -> PropertyDescription? {
    collector.attempt(at: notation.text.place) {
      do {
        return try ModelNotation.property(named: notation.name.value, notation.text.value)
      } catch let error as ModelNotationError {
        throw Diagnostic(error.message, at: notation.text.from(column: error.column).place)
      }
    }
  }

  /// What no store derives is a mistake in the file.
  private func reportDerivations(of entity: EntityDescription, _ notation: EntityNotation) {
    for property in notation.properties {
      guard let attribute = entity.attribute(named: property.name.value), attribute.isDerived,
        let error = attribute.derivationError
      else { continue }
      let advice = error.advice.prefix(1).lowercased() + error.advice.dropFirst()
      collector.report(
        "\(error.problem): \(advice.hasSuffix(".") ? String(advice.dropLast()) : advice)",
        at: property.text.place)
    }
  }

  /// Constraints and indexes over properties that aren't there: Core Data would refuse the model.
  private func reportUnknownProperties(of entity: EntityDescription, _ notation: EntityNotation) {
    for (option, lists) in [(".unique", notation.unique), (".index", notation.indexes)] {
      for name in lists.joined() where !entity.hasFirst(of: name.value) {
        let hint = Spelling.hint(
          for: String(name.value.prefix { $0 != "." }), among: entity.propertiesByName.keys,
          called: "properties")
        collector.report(
          "'\(option)' names '\(name.value)', but '\(entity.name)' has no such property\(hint)",
          at: name.place)
      }
    }
  }

  /// What no store keeps unique is a mistake in the file: nothing would notice equal values.
  private func reportConstraints(of entity: EntityDescription, _ notation: EntityNotation) {
    // An unknown first name was reported.
    for name in notation.unique.joined() where entity.hasFirst(of: name.value) {
      guard let obstacle = entity.obstacle(toUniquenessOf: name.value) else { continue }
      collector.report(
        "'.unique' names '\(name.value)', \(obstacle.description): no store keeps it unique; name stored "
          + "attributes and to-one relationships", at: name.place)
    }
  }

  /// Reports `was` with a misspelt name: a value would be lost by a slip of the pen. Any other name that no version has
  /// may be that of a version which isn't written here.
  private func reportFormerNames(of versions: [ModelVersion], _ models: VersionedModels) {
    let entities = models.names.compactMap { models[$0]?.entities }.joined()
    let names = Set(entities.flatMap { [$0.name] + $0.properties.map(\.name) })
    var known = names
    for (index, version) in versions.enumerated() {
      for name in formerNames(in: version, models)
      where known.insert(name.value).inserted && index > 0 {
        guard let meant = Spelling.closest(to: name.value, among: names) else { continue }
        collector.report(
          "no version has '\(name.value)'; did you mean '\(meant)'?", at: name.place)
      }
    }
  }

  private func formerNames(
    in version: ModelVersion, _ models: VersionedModels
  ) -> [Located<String>] {
    guard case .entities(let notations) = version.definition else { return [] }
    return notations.flatMap { notation in
      let entity = models[version.name.value]?.entity(named: notation.name.value)
      return [notation.was].compactMap(\.self)
        + notation.properties.compactMap { written in
          entity?.property(named: written.name.value)?.explicitRenamingIdentifier
            .flatMap { written.text.value.range(of: $0, options: .backwards) }
            .map(written.text.part)
        }
    }
  }

  /// The types of attributes as Xcode and Swift call them, by those names in small letters without spaces.
  private static let typesElsewhere = [
    "integer16": "int16", "integer32": "int32", "integer64": "int64", "int": "int64",
    "integer": "int64", "boolean": "bool", "binarydata": "data", "url": "uri", "text": "string",
  ]

  /// Reports types that are written as Xcode or Swift writes them, which would be taken for entities.
  private func reportSwiftTypes(_ notations: [EntityNotation]) {
    let entities = Set(notations.map(\.name.value))
    for text in notations.flatMap(\.properties).map(\.text) {
      let written = text.value.prefix { $0.isLetter || $0.isNumber || $0 == " " }
        .trimmingCharacters(in: .whitespaces)
      let first = written.prefix { $0 != " " }
      guard first.first?.isUppercase == true, !entities.contains(String(first)) else { continue }
      // `Integer 16`, and `String indexed`.
      let name = [written, String(first)].lazy.map { $0.lowercased().replacing(" ", with: "") }
        .compactMap { Self.typesElsewhere[$0] ?? (ModelNotation.types[$0] == nil ? nil : $0) }.first
      guard let name else { continue }
      collector.report(
        "there is no entity '\(first)'; attribute types are lowercase: did you mean '\(name)'?",
        at: text.place)
    }
  }

  /// Where the entity or property stands that a contradiction is about.
  /// - Returns: The place of the name that is wrong, and what may have been meant.
  private func problem(
    _ error: ModelError, in notations: [EntityNotation]
  ) -> (place: SourcePlace?, hint: String) {
    guard let entity = notations.first(where: { $0.name.value == error.entity }) else {
      return (nil, "")
    }
    func property(_ name: String, naming other: String? = nil) -> SourcePlace {
      let property = entity.properties.first { $0.name.value == name }
      let range = other.flatMap { other in property?.text.value.range(of: other) }
      return range.flatMap { property?.text.part($0).place } ?? property?.name.place
        ?? entity.name.place
    }
    func hint(_ name: String, among names: [String]) -> String {
      Spelling.closest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    }
    let entities = notations.map(\.name.value)
    switch error.kind {
    case .duplicateProperty(let name): return (property(name), "")
    case .unknownDestination(let relationship, let name):
      return (property(relationship, naming: name), hint(name, among: entities))
    case .unknownInverse(let relationship, let destination, let name):
      let others = notations.first { $0.name.value == destination }?.properties ?? []
      return (
        property(relationship, naming: name), hint(name, among: others.map(\.name.value))
      )
    case .unknownSuperentity(let name):
      return (entity.parent?.place ?? entity.name.place, hint(name, among: entities))
    default: return (entity.name.place, "")
    }
  }

  // MARK: Xcode

  private func url(_ path: Located<String>) -> URL { folder.resolving(path.value) }

  private func singleModel(_ path: Located<String>) -> ManagedObjectModel? {
    collector.attempt(at: path.place) {
      let loaded = try StoreModel.loadModel(
        orStoreAt: url(path), reading: VersionReader(cache: Self.read))
      if let problem = loaded.currentVersionProblem ?? loaded.unreadableStores.first {
        throw problem
      }
      if let model = loaded.currentVersion ?? loaded.versions.first, loaded.versions.count == 1 {
        return model
      }
      guard let current = loaded.currentVersion else {
        throw Diagnostic(
          "'\(path.value)' has several versions and doesn't say which is the current one",
          at: path.place)
      }
      return current
    }
  }

  private func xcodeModels(
    _ paths: [Located<String>], _ selected: [Located<String>]
  ) -> VersionedModels {
    var (unreadable, others): ([String: ModelFileError], [String]) = ([:], [])
    var (problems, currents): ([String], [String]) = ([], [])
    let reader = VersionReader(
      only: selected.isEmpty ? nil : Set(selected.map(\.value)), cache: Self.read)
    var files: [VersionedModel?] = []
    let loaded = paths.flatMap { path -> [(name: String, model: ManagedObjectModel)] in
      let model = collector.attempt(at: path.place) {
        try StoreModel.loadModel(orStoreAt: url(path), reading: reader)
      }
      files.append(model)
      unreadable.merge(model?.unreadableVersions ?? [:]) { first, _ in first }
      others += model?.unreadVersionNames ?? []
      problems += model?.order.problems ?? []
      currents += (model?.currentVersionName).map { [$0] } ?? []
      return (model?.versions ?? []).map { ($0.name ?? path.value, $0) }
    }
    if let place = paths.last?.place { checkNames(loaded.map(\.name), at: place) }
    var all = VersionedModels(loaded)
    (all.files, all.unreadable) = (files, unreadable)
    guard !selected.isEmpty else {
      // A run without one of the versions may be of other steps.
      for problem in files.compactMap(\.self).flatMap(\.unreadableStores) {
        collector.report("\(problem)", at: paths[0].place)
      }
      all.orderProblems = problems
      if paths.count == 1 { all.currentName = currents.first { all[$0] != nil } }
      return all
    }
    let chosen = selected.compactMap { name -> (name: String, model: ManagedObjectModel)? in
      if let model = all[name.value] { return (name.value, model) }
      if let problem = unreadable[name.value] {
        collector.report("\(problem)", at: name.place)
        return nil
      }
      // What couldn't be read may have it.
      if files.contains(where: { $0 == nil }) { return nil }
      collector.report(
        "there is no version", unknown: name, among: all.names + others, called: "versions")
      return nil
    }
    var some = VersionedModels(chosen)
    some.files = files
    return some
  }
}

extension ModelLoader {
  /// Two models with versions of one name can't both be meant by it.
  private func checkNames(_ names: [String], at place: SourcePlace) {
    var seen = Set<String>()
    for name in names where !seen.insert(name).inserted {
      collector.report(
        "two models have a version '\(name)'; rename one, or give both names of your own, as in "
          + "'models: { old: Path.xcdatamodeld, new: … }'", at: place)
    }
  }
}

extension EntityDescription {
  /// Whether it has the property that a key path begins with.
  fileprivate func hasFirst(of keyPath: String) -> Bool {
    property(named: String(keyPath.prefix { $0 != "." })) != nil
  }
}

extension Located<String> {
  /// The text from a column on, which counts characters from 1.
  func from(column: Int) -> Located<String> {
    let offset = Swift.min(Swift.max(column - 1, 0), value.count)
    return part(value.index(value.startIndex, offsetBy: offset)..<value.endIndex)
  }
}
