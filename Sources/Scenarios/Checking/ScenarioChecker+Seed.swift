extension ScenarioChecker {
  /// Reports defaults of an entity or a property that no version has: they would be passed over. A shared file may
  /// well have some that only other scenarios' models have; what seems misspelt is a mistake there, too.
  func checkDefaults() {
    let entities = Set(models.names.flatMap { models[$0]?.entities.map(\.name) ?? [] })
    let inRows = Set(scenario.seeds.flatMap(\.handwritten).map(\.entity.value))
    for defaults in scenario.defaults {
      let entity = defaults.entity
      if isOfOtherModels(entity, among: entities) || !isEntityOfAnyVersion(entity) { continue }
      let properties = propertiesOfAnyVersion(entity.value)
      // That rows share no name was told where the file was read.
      for name in defaults.values.map(\.key) where !["id", ".id"].contains(name.value) {
        // What a scenario writes itself must fit each row, and is told there.
        let isToldForRows = !scenario.isShared(name.place) && inRows.contains(entity.value)
        if isToldForRows || isOfOtherModels(name, among: properties) { continue }
        _ = isPropertyOfAnyVersion(name, of: entity.value)
      }
    }
  }

  /// Whether a shared file seems to mean something by a name that only other scenarios' models have.
  private func isOfOtherModels(_ name: Located<String>, among known: Set<String>) -> Bool {
    scenario.isShared(name.place) && Spelling.closest(to: name.value, among: known) == nil
  }

  /// - Returns: What the seed comes to at each start that it serves.
  func resolve(
    _ seed: Seed, starts: [String], into names: inout LocalNames
  ) -> [String: ResolvedSeed] {
    let versions = seed.version.map { [$0.value] } ?? startsWithoutSeed(starts)
    if let version = seed.version {
      guard model(version) != nil else {
        for row in seed.handwritten { names.addUnread(row) }
        return [:]
      }
      if !starts.contains(version.value) {
        collector.report(
          "no run starts at '\(version.value)'; add it to 'start'", at: version.place)
      }
    }
    var resolved: [String: ResolvedSeed] = [:]
    switch seed.content {
    case .store(let path):
      checkFile(path)
      checkStore(path)
      for version in versions { resolved[version] = ResolvedSeed(content: .store(path)) }
    case .rows(let rows):
      for version in versions {
        guard let model = models[version] else {
          for row in rows { names.addUnread(row) }
          continue
        }
        let own = resolve(rows, of: seed, version: version, model: model, into: &names)
        let plan = plan(of: seed, beside: own, version, model, into: &names)
        resolved[version] = ResolvedSeed(
          content: .rows(own, plan), isValidated: seed.isValidated)
      }
    }
    return resolved
  }

  /// Reports a file that is no store, or a damaged one, unless an error is what the scenario is about.
  private func checkStore(_ path: Located<String>) {
    let url = scenario.folder.resolving(path.value)
    let expectsError = scenario.expectations.contains(where: \.check.isFailure)
    guard case .file = FileKind(of: url), !expectsError else { return }
    do { _ = try SQLiteStore.metadata(at: url) } catch let error as CoreDataError {
      // It says itself that the store can't be read, opened or used.
      let reason =
        error.reason.hasPrefix("The ") ? "the \(error.reason.dropFirst(4))" : error.reason
      collector.report("'\(path.value)': \(reason)", at: path.place)
    } catch {
      collector.report(
        "can't read the store '\(path.value)': \(error.plainText)", at: path.place)
    }
  }

  /// The starts that the seed without a version serves.
  private func startsWithoutSeed(_ starts: [String]) -> [String] {
    starts.filter { start in !scenario.seeds.contains { $0.version?.value == start } }
  }

  private func plan(
    of seed: Seed, beside rows: [ResolvedRow], _ version: String, _ model: ManagedObjectModel,
    into names: inout LocalNames
  ) -> SeedPlan? {
    if seed.generators.isEmpty { return nil }
    let plan = SeedPlan(
      seed, beside: rows, version: version, model: model, collector: collector)
    for block in plan.blocks {
      // Only the last ones have names.
      for index in block.notation.count..<max(block.notation.count, block.count) {
        if let name = block.name(index) {
          names.add(name, block.entity, at: block.notation.entity.place)
        }
      }
    }
    return plan
  }

  private func resolve(
    _ rows: [SeedRow], of seed: Seed, version: String, model: ManagedObjectModel,
    into names: inout LocalNames
  ) -> [ResolvedRow] {
    let hasGenerators = !seed.generators.isEmpty
    var seen: [String: SourcePlace] = [:]
    var known: [(row: SeedRow, fields: SeedFields, entity: EntityDescription)] = []
    var own = LocalNames()
    for row in rows {
      guard let entity = concreteEntity(row.entity, in: model, version: version),
        let fields = collector.attempt(at: row.place, { try SeedFields(row, of: entity) })
      else {
        names.addUnread(row)
        own.addUnread(row)
        continue
      }
      known.append((row, fields, entity))
      guard let name = fields.name else { continue }
      if let first = seen.updateValue(name.place, forKey: name.value) {
        collector.report(
          "the name '\(name.value)' is already used in line \(first.line)", at: name.place)
      }
      own.add(name.value, entity, at: name.place)
      names.add(name.value, entity, at: name.place)
    }
    let scope = ModelScope(model: model, version: version, names: own)
    let numbers = Dictionary(
      firstOf: known.enumerated().compactMap { number, row in
        row.fields.name.map { ($0.value, number) }
      })
    let resolved = known.map { row, fields, entity in
      resolve(row, fields: fields, of: entity, in: scope, numbers: numbers)
    }
    // Rows of a damaged store may contradict each other.
    if seed.isValidated { checkSingleLinks(resolved, known.map(\.fields)) }
    if !seed.isValidated || scenario.expectations.contains(where: \.check.isFailure) {
      return resolved
    }
    let links = LinkedNames(known.map { ($0.fields, $0.entity) })
    for (row, fields, entity) in known {
      checkHasRequiredValues(
        row, fields: fields, of: entity, version: version, links: links, mayGrow: hasGenerators)
      checkValuesAreValid(fields, entity, version: version)
    }
    // What rules make may lead to any row: their plan counts those links, too.
    if !hasGenerators {
      checkLinkCounts(of: resolved, fields: known.map(\.fields), version: version)
    }
    return resolved
  }

  /// - Parameter numbers: The rows' places in the list, by their names.
  private func resolve(
    _ row: SeedRow, fields: SeedFields, of entity: EntityDescription, in scope: ModelScope,
    numbers: [String: Int]
  ) -> ResolvedRow {
    var resolved = ResolvedRow(place: row.place, entity: entity, name: fields.name?.value)
    for field in fields.properties {
      let content = resolve(field, of: entity, scope)
      checkEntities(field, of: entity, names: scope.names)
      switch content {
      case .attribute(let attribute, let value): resolved.values.append((attribute, value))
      case .relationship(let links):
        resolved.links.append(
          (links.relationship, links.members.compactMap { number(of: $0, numbers) }))
      case nil: break
      }
    }
    return resolved
  }

  private func checkListsOnce(_ links: ResolvedLinks) {
    var seen: Set<String> = []
    for case .named(let name, _, _) in links.members where !seen.insert(name.value).inserted {
      collector.report(
        "'\(name.value)' is listed twice in '\(links.relationship.name)'", at: name.place)
    }
  }

  private func number(of member: ResolvedReference, _ numbers: [String: Int]) -> Int? {
    if case .named(let name, _, _) = member { return numbers[name.value] }
    collector.report("no row is named '\(member.shown)'", at: member.place)
    return nil
  }

  /// Reports a row without a value that its entity requires: no store takes it, so that nothing would be
  /// migrated at all.
  /// - Parameter mayGrow: Whether objects made by rule may lead to it, too, by to-many relationships.
  private func checkHasRequiredValues(
    _ row: SeedRow, fields: SeedFields, of entity: EntityDescription, version: String,
    links: LinkedNames, mayGrow: Bool
  ) {
    // A misspelt property is told where it stands, and may be the one that seems to be missing.
    guard fields.properties.allSatisfy({ entity.property(named: $0.key.value) != nil }) else {
      return
    }
    let given = Set(fields.properties.filter { !$0.value.isNull }.map(\.key.value))
    for property in entity.properties where !property.isOptional && !given.contains(property.name) {
      guard isMissing(property, in: fields, links, mayGrow: mayGrow) else { continue }
      let name = fields.name.map { "\(entity.name) \($0.value)" } ?? "this \(entity.name)"
      collector.report(
        "\(name) has no '\(property.name)', which \(version) requires: such a row can't be saved",
        at: fields.name?.place ?? row.place)
    }
  }

  /// Reports values that the model's rules don't allow.
  private func checkValuesAreValid(
    _ fields: SeedFields, _ entity: EntityDescription, version: String
  ) {
    for field in fields.properties where !field.value.isNull {
      // A value that can't be read is told where the field is checked.
      guard let attribute = entity.attribute(named: field.key.value), !attribute.isTransient,
        let value = try? ValueReader.value(field.value, for: attribute),
        let failure = AttributeValidation.failure(of: value, for: attribute)
      else { continue }
      let name = fields.name.map { "\(entity.name) \($0.value)" } ?? "this \(entity.name)"
      collector.report(
        "\(name) can't be saved: \(failure.withRule(of: attribute, version))", at: field.value.place
      )
    }
  }

  /// Reports rows that lead to several others by a to-one relationship, as their inverses say: which one the store
  /// would have, nobody could tell.
  private func checkSingleLinks(_ rows: [ResolvedRow], _ fields: [SeedFields]) {
    let partners = LinkedRows(rows)
    for (number, row) in rows.enumerated() {
      for relationship in row.entity.relationships where !relationship.isToMany {
        let count = partners.count(of: number, by: relationship)
        let own = fields[number].properties.first { $0.key.value == relationship.name }
        let isNil = own?.value.isNull == true
        guard count > 1 || (count == 1 && isNil) else { continue }
        let name = row.name.map { "\(row.entity.name) \($0)" } ?? "this \(row.entity.name)"
        collector.report(
          isNil
            ? "\(name) has no '\(relationship.name)' here, and another row leads to it by the inverse"
            : "\(name) has one '\(relationship.name)', and the rows give it \(count), by this relationship or its "
              + "inverse", at: own?.value.place ?? fields[number].name?.place ?? row.place)
      }
      for (path, count) in partners.shared(number) {
        let name = row.name.map { "\(row.entity.name) \($0)" } ?? "this \(row.entity.name)"
        collector.report(
          "\(name) has one owner by '\(path)', which has no inverse, and the rows give it \(count)",
          at: fields[number].name?.place ?? row.place)
      }
    }
  }

  /// Reports rows that lead to more or fewer others than the model allows.
  private func checkLinkCounts(
    of rows: [ResolvedRow], fields: [SeedFields], version: String
  ) {
    let partners = LinkedRows(rows)
    for (number, row) in rows.enumerated() {
      for relationship in row.entity.relationships where relationship.isToMany {
        let count = partners.count(of: number, by: relationship)
        // Where there are none that should be, a value is missing.
        guard count > 0, let mistake = relationship.mistake(ofLinks: count, in: version)
        else { continue }
        let name = row.name.map { "\(row.entity.name) \($0)" } ?? "this \(row.entity.name)"
        let field = fields[number].properties.first { $0.key.value == relationship.name }
        collector.report(
          "\(name) can't be saved: \(mistake)",
          at: field?.value.place ?? fields[number].name?.place ?? row.place)
      }
    }
  }

  private func isMissing(
    _ property: PropertyDescription, in fields: SeedFields, _ links: LinkedNames, mayGrow: Bool
  ) -> Bool {
    if let attribute = property as? AttributeDescription {
      return !attribute.isTransient && !attribute.isDerived && attribute.attributeType != .composite
        && attribute.typedDefaultValue.isNull
    }
    guard let relationship = property as? RelationshipDescription,
      !relationship.isToMany || (relationship.minCount > 0 && !mayGrow)
    else { return false }
    return !links.lead(to: fields.name?.value, by: relationship)
  }

  /// In a seed, what a name stands for is known.
  private func checkEntities(
    _ field: PropertyValue, of entity: EntityDescription, names: LocalNames
  ) {
    // Members that can't be read are told where the field is checked.
    guard let relationship = entity.relationship(named: field.key.value),
      let members = try? Members(field.value, of: relationship)
    else { return }
    for case .named(_, let name) in members.references where names.contains(name.value) {
      collector.attempt(at: name.place) {
        try names.require(name, ofEntity: relationship.destinationEntityName)
      }
    }
  }

  func concreteEntity(
    _ name: Located<String>, in model: ManagedObjectModel, version: String
  ) -> EntityDescription? {
    collector.attempt(at: name.place) { try model.concreteEntity(name, version: version) }
  }

  /// A property and the value it is set to.
  func resolve(
    _ field: PropertyValue, of entity: EntityDescription, _ scope: ModelScope
  ) -> ResolvedField? {
    collector.attempt(at: field.key.place) {
      switch try entity.property(field.key, version: scope.version) {
      case let attribute as AttributeDescription:
        return .attribute(attribute, try ValueReader.value(field.value, for: attribute))
      case let relationship as RelationshipDescription:
        let members = try Members(field.value, of: relationship)
        let links = try resolve(members, of: relationship, scope)
        checkListsOnce(links)
        return .relationship(links)
      default:
        throw Diagnostic("'\(field.key.value)' can't be set", at: field.key.place)
      }
    }
  }
}

/// The rows that other rows lead to.
private struct LinkedNames {
  /// The names of the rows, by the relationship that leads to them.
  private var names: [String: Set<String>] = [:]

  init(_ rows: [(fields: SeedFields, entity: EntityDescription)]) {
    // Links are looked at only where one may be missing.
    guard rows.contains(where: { $0.entity.relationships.contains { !$0.isOptional } }) else {
      return
    }
    for row in rows {
      for field in row.fields.properties {
        // What can't be read is told where the field is checked.
        guard let relationship = row.entity.relationship(named: field.key.value),
          let members = try? Members(field.value, of: relationship)
        else { continue }
        for case .named(_, let name) in members.references {
          names[relationship.name, default: []].insert(name.value)
        }
      }
    }
  }

  /// Whether a row leads to another one by the inverse of a relationship.
  func lead(to name: String?, by relationship: RelationshipDescription) -> Bool {
    guard let name, let inverse = relationship.inverseRelationship else { return false }
    return names[inverse.name]?.contains(name) == true
  }
}
