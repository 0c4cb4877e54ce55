/// Tries one step: fills every entity, migrates, and looks at what became of each row.
struct SmokeStep {
  let files: SmokeFiles
  let trial: SmokeTrial
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let options: SmokeOptions
  private(set) var findings: [SmokeFinding] = []
  private(set) var accounts: [SmokeAccount] = []
  /// Entities without rows, since the model's own rules refuse every sample.
  private(set) var unfilled: [String] = []
  private var plan: SmokeScenario

  private typealias Outcome = SmokeTrial.Outcome

  init(
    _ files: SmokeFiles, by trial: SmokeTrial, from source: ManagedObjectModel,
    to destination: ManagedObjectModel, with options: SmokeOptions
  ) {
    self.files = files
    self.trial = trial
    self.source = source
    self.destination = destination
    self.options = options
    plan = files.scenario([files.step(source, destination)])
  }

  private var step: String { plan.span }

  /// - Throws: What has nothing to do with the migration: a full disk, for example.
  mutating func examine() throws {
    try examineFiles()
    let fitting = files.fitting(source, destination)
    if fitting.isEmpty, let impossible = files.check(.stepImpossible, step).first {
      plan.expectations = [.entry("mapping", .text("inferred"))]
      return add(
        .stepImpossible, impossible.message,
        shownBy: plan, as: "\(step) has a way", about: impossible.message)
    }
    let seed = try SmokeSeed(source, by: trial, for: plan, with: options)
    unfilled = seed.excluded.sorted()
    guard let (scenario, outcome) = try withoutFailures(seed) else { return }
    // What isn't the same in two plays tells nothing about anything else.
    let again = try trial.play(scenario)
    let isSteady = !outcome.differs(from: again)
    // SQLite decides what a predicate says of nil, as on a device.
    let stored = try trial.play(scenario, on: .sqlite)
    account(stored)
    try examineDropped(scenario, stored)
    try examineKeys(scenario, outcome)
    try examineValues(scenario, outcome)
    try examineLinks(scenario, outcome)
    try examineUnknowns(scenario, outcome)
    try examineBackends(of: scenario, in: outcome, and: stored, isSteady: isSteady)
    try examineLarge(isSteady: isSteady)
    // An inferred mapping has nothing that could depend on an order.
    if isSteady, outcome.steps.contains(where: { $0.mapping == .custom }) {
      try examineSecondPass(scenario, outcome)
    }
    try examineGrowth(outcome.steps.flatMap(\.entityMappings).filter { $0.fetchedCount != nil })
  }

  // MARK: Finding

  private mutating func add(
    _ kind: SmokeFinding.Kind, entity: String? = nil, property: String? = nil,
    mapping: String? = nil, errorCode: Int? = nil, _ message: String,
    shownBy scenario: SmokeScenario, as title: String, about: String
  ) {
    var scenario = scenario
    (scenario.title, scenario.about) = (title, about)
    var finding = SmokeFinding(
      kind, step: step, entity: entity, property: property, mapping: mapping, message,
      scenario: scenario)
    finding.errorCode = errorCode
    if !findings.contains(where: { $0.key == finding.key }) { findings.append(finding) }
  }

  /// The smallest scenario that fails by its expectations as `isMeant` says; nil if it doesn't fail so.
  private func smallest(
    _ scenario: SmokeScenario, expecting expectations: [Notation], on backend: Backend = .memory,
    failing isMeant: (Failure) -> Bool, while holds: (SmokeScenario) -> Bool = { _ in true }
  ) throws -> SmokeScenario? {
    var scenario = scenario
    scenario.expectations = expectations
    func shows(_ scenario: SmokeScenario) throws -> Bool {
      guard holds(scenario) else { return false }
      let outcome = try trial.play(scenario, on: backend)
      return outcome.before != nil && outcome.failures.contains(where: isMeant)
    }
    return try shows(scenario) ? try trial.smallest(scenario, shows) : nil
  }

  // MARK: Files

  private mutating func examineFiles() throws {
    if let overlap = files.overlap(source, destination) {
      let fitting = files.fitting(source, destination)
      var scenario = plan
      scenario.steps[0].mappings = fitting.map(\.file.url)
      scenario.expectations = [.entry("mapping", .text("custom"))]
      add(
        .severalMappings, mapping: fitting.map(\.name).joined(separator: ", "), overlap.reason,
        shownBy: scenario, as: "\(step) has one mapping model", about: overlap.reason)
    }
    for finding in files.check(.possibleRename, step) { try confirmRename(finding) }
    for finding in files.check(.lostIdentifier, step) {
      try confirmRename(finding, as: .lostIdentifier, saying: finding.message)
    }
    for finding in files.check(.orderLost, step) {
      guard let entity = finding.subject.entity, let property = finding.subject.property else {
        continue
      }
      var scenario = plan
      scenario.expectations = [
        .entry(
          "model",
          .map([
            .init(
              key: "\(entity).\(property)",
              value: .map([.init(key: "ordered", value: .text("true"))]))
          ]))
      ]
      add(
        .orderLost, entity: entity, property: property, finding.message,
        shownBy: scenario, as: "\(entity).\(property) is ordered", about: finding.message)
    }
  }

  /// A rename is one only where values are lost.
  private mutating func confirmRename(
    _ finding: CheckFinding, as kind: SmokeFinding.Kind = .possibleRename,
    saying message: String? = nil
  ) throws {
    guard let name = finding.subject.entity, let old = finding.subject.property,
      let new = finding.successor, let entity = source.entity(named: name)
    else { return }
    let seed = try SmokeSeed(source, by: trial, for: plan, with: options)
    let entities = ElementPairing(from: source, to: destination)
    // Rows are of other entities where the property's own is abstract, or it moved to a subentity.
    let candidates = seed.rows.compactMap { row -> (name: String, field: WrittenRow.Field)? in
      guard let own = source.entity(named: row.entity), own.isKindOf(entity: entity),
        let field = row.fields.first(where: { $0.key == old && $0.isSet }),
        let heir = destination.entities.first(where: { entities.source(of: $0) === own }),
        heir.property(named: new) != nil
      else { return nil }
      return ("\(heir.name) \(row.name)", field)
    }
    // A value may be what new rows have by default.
    let simple = candidates.sorted { $0.field.links?.count ?? 0 < $1.field.links?.count ?? 0 }
    for (object, field) in simple.prefix(3) {
      let scenario = try smallest(
        plan.with(seed.rows),
        expecting: [.object(object, has: [.init(key: new, value: field.notation)])],
        failing: { $0.kind == .expectation && $0.target?.property == new })
      guard let scenario else { continue }
      let what = field.links == nil ? "values" : "links"
      return add(
        kind, entity: name, property: old,
        message
          ?? "its \(what) are lost: '\(old)' is removed and '\(new)' added, without a renaming identifier",
        shownBy: scenario, as: "\(name).\(old) keeps its \(what) as \(new)",
        about: finding.advice
          ?? "If this is a rename, set the renaming identifier of '\(new)' to '\(old)'.")
    }
  }

  /// What comes of rows of which nobody knows whether it does on a device.
  private mutating func examineUnknowns(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    var scenario = scenario
    scenario.expectations = [
      .entry("mapping", .text((outcome.steps.last?.mapping ?? .inferred).rawValue))
    ]
    for unknown in outcome.steps.flatMap(\.unknowns) {
      let (entity, property) = (unknown.entity, unknown.property)
      if findings.contains(where: { $0.kind == .linksLost && $0.property == property }) { continue }
      func shows(_ scenario: SmokeScenario) throws -> Bool {
        try trial.play(scenario).steps.flatMap(\.unknowns).contains { $0.what == unknown.what }
      }
      guard try shows(scenario) else { continue }
      add(
        .unknownOnDevice, entity: entity, property: property,
        "\(unknown.what): what a device does here isn't known",
        shownBy: try trial.smallest(scenario, shows), as: "\(step) does the same on a device",
        about: unknown.doubt)
    }
  }

  // MARK: Failures

  /// Plays the step, and again without the rows that made it fail.
  /// - Returns: Nil where nothing is left.
  private mutating func withoutFailures(
    _ seed: SmokeSeed
  ) throws -> (SmokeScenario, Outcome)? {
    var seed = seed
    var seen: [MigrationError: Int] = [:]
    var scenario = plan.with(seed.rows)
    while !scenario.rows.isEmpty {
      scenario.expectations = []
      let outcome = try trial.play(scenario)
      if outcome.before == nil {
        // Rows that others can't be without are gone.
        guard let refused = try trial.refusedEntity(scenario) else { return nil }
        seed = try seed.without(refused)
        scenario = plan.with(seed.rows)
        continue
      }
      guard let error = MigrationError(outcome) else { return (scenario, outcome) }
      scenario.expectations = [.everySourceMigrated]
      let small = try trial.smallest(scenario) { MigrationError(try trial.play($0)) == error }
      try report(error, small)
      seen[error, default: 0] += 1
      let culprit = small.rows.first { $0.entity == error.entity } ?? small.rows[0]
      if seen[error, default: 0] > 1 {
        seed = try seed.without(culprit.entity)
        scenario = plan.with(seed.rows)
      } else {
        let fewer = plan.with(scenario.rows.filter { $0.name != culprit.name })
        do { _ = try trial.refusedEntity(fewer) } catch is Diagnostics {
          // Other rows can't be without the row.
          seed = try seed.without(culprit.entity)
          scenario = plan.with(seed.rows)
          continue
        }
        scenario = fewer
      }
    }
    return nil
  }

  private mutating func report(_ error: MigrationError, _ small: SmokeScenario) throws {
    let entities = Set(small.rows.map(\.entity))
    for (kind, rule) in [
      (SmokeFinding.Kind.requiredWithoutDefault, CheckRule.requiredWithoutDefault),
      (.nowRequired, .nowRequired),
    ] {
      let known = files.check(rule, step).first { finding in
        finding.subject.entity.map { entities.contains($0) || $0 == error.entity } == true
          && (error.property == nil || error.property == finding.subject.property)
      }
      guard let known else { continue }
      return add(
        kind, entity: known.subject.entity, property: known.subject.property, known.message,
        shownBy: small, as: "\(step) migrates \(known.subject.entity ?? "every row")",
        about: known.advice ?? "")
    }
    if error.isAboutEqualValues {
      return add(
        .duplicateKey, entity: error.entity ?? small.rows[0].entity, property: error.property,
        "rows of \(entities.sorted().joined(separator: " and ")) have the same key: error \(error.code)",
        shownBy: small, as: "\(step) keeps keys unique",
        about: "Give one of them another key, or merge the two.")
    }
    let (kind, text) = try trial.finding(of: error, in: small)
    add(
      kind, entity: error.entity, property: error.property, errorCode: error.code, text,
      shownBy: small, as: "\(step) migrates every row", about: error.reason)
  }

  // MARK: Accounting

  /// Whether an expectation failed since a row became nothing.
  private static func isDrop(_ failure: Failure) -> Bool {
    failure.symptom == .unmigrated
  }

  private mutating func account(_ outcome: Outcome) {
    let takers = outcome.steps.flatMap(\.entityMappings)
    let entities = outcome.origins.map(\.entity).uniqued().sorted()
    for entity in entities {
      let places = outcome.origins.indices.filter { outcome.origins[$0].entity == entity }
      var account = SmokeAccount(step: step, entity: entity, rows: places.count)
      account.mappings = takers.filter { $0.sourceEntity == entity }.map(\.name)
      for place in places {
        let made = outcome.made(of: place)
        switch made.count {
        case 0: account.dropped += 1
        case _ where made.contains { $0.origins.count > 1 }: account.merged += 1
        case 1: account.kept += 1
        default: account.split += 1
        }
      }
      accounts.append(account)
    }
  }

  private mutating func examineDropped(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    let reports = outcome.steps.flatMap(\.entityMappings)
    for account in accounts where account.dropped > 0 {
      let entity = account.entity
      let dropped = outcome.origins.indices.filter {
        outcome.origins[$0].entity == entity && outcome.made(of: $0).isEmpty
      }
      let takers = reports.filter {
        $0.sourceEntity == entity && $0.type != .removeEntityMappingType
      }
      if takers.isEmpty {
        try examineUntaken(entity, scenario)
      } else {
        let names = Set(dropped.compactMap { outcome.origins[$0].name })
        for place in dropped {
          guard let name = outcome.origins[place].name else { continue }
          // One at a time: each may have a cause of its own.
          let rows = scenario.rows.filter { $0.name == name || !names.contains($0.name) }
          let alone = scenario.with(scenario.with(rows).rows.withRequiredLinks(in: source))
          if try !examineDropped(name, of: entity, in: alone, takers: takers, after: outcome) {
            break
          }
        }
      }
    }
  }

  /// Rows that no mapping takes.
  private mutating func examineUntaken(_ entity: String, _ scenario: SmokeScenario) throws {
    let rules: [(SmokeFinding.Kind, CheckRule)] = [
      (.mappingLeavesOutEntity, .mappingLeavesOutEntity),
      (.possibleEntityRename, .possibleEntityRename), (.lostIdentifier, .lostIdentifier),
    ]
    for (kind, rule) in rules {
      guard let known = files.check(rule, step).first(where: { $0.subject.entity == entity }) else {
        continue
      }
      let small = try smallest(
        scenario, expecting: [.entry("everySourceMigrated", .list([.text(entity)]))], on: .sqlite,
        failing: Self.isDrop)
      guard let small else { continue }
      add(
        kind, entity: entity, known.message,
        shownBy: small, as: "\(step) keeps \(entity)", about: known.advice ?? known.message
      )
    }
  }

  /// - Returns: Whether other rows of the entity may have been dropped for another reason.
  private mutating func examineDropped(
    _ row: String, of entity: String, in scenario: SmokeScenario, takers: [EntityMappingReport],
    after outcome: Outcome
  ) throws -> Bool {
    let small = try smallest(
      scenario, expecting: [.entry("everySourceMigrated", .list([.text(entity)]))], on: .sqlite,
      failing: Self.isDrop,
      while: { $0.rows.contains { $0.name == row } })
    guard let small else { return true }
    let result = try trial.play(small, on: .sqlite)
    let own = Set(takers.map(\.name))
    let visits = result.steps.flatMap(\.entityMappings).filter { own.contains($0.name) }
    if visits.allSatisfy({ $0.sourceCount == 0 }) {
      try examineFiltered(entity, in: small, by: takers, row: row)
      return true
    }
    let taker = visits.first { $0.sourceCount > 0 } ?? visits[0]
    let unassociated = result.after?.objects.count { object in
      object.origins.isEmpty && object.entity.name == taker.destinationEntity
    }
    let policy = taker.policyClassName ?? taker.name
    if unassociated ?? 0 > 0 {
      add(
        .notAssociated, entity: entity, mapping: policy,
        "\(policy) makes \(taker.destinationEntity ?? "an object") of a row without associating it: "
          + "links to it are lost",
        shownBy: small, as: "\(policy) associates the objects it makes of \(entity)",
        about: "Call associate(sourceInstance:withDestinationInstance:for:) for each object made.")
    } else {
      let isEmptied = accounts.contains { $0.entity == entity && $0.dropped == $0.rows }
      add(
        .rowsDropped, entity: entity, mapping: policy,
        "\(policy) makes no object of \(isEmptied ? "any row" : "some rows")",
        shownBy: small, as: "\(policy) makes an object of each \(entity)",
        about: isEmptied
          ? "If \(entity) is to be emptied, expect a count of 0 instead; else make an object of each."
          : "Leave them out with a source predicate, or make an object of each.")
    }
    return false
  }

  /// A predicate that leaves out rows is there to do so; unless it does that for want of a value, and
  /// says nothing of nil.
  private mutating func examineFiltered(
    _ entity: String, in small: SmokeScenario, by takers: [EntityMappingReport], row: String
  ) throws {
    let names = Set(takers.map(\.name))
    let mappings = files.running(source, destination).compactMap(\.candidate)
      .flatMap { $0.model.entityMappings ?? [] }.filter { names.contains($0.name) }
    let fields = small.rows.first { $0.name == row }?.fields ?? []
    for mapping in mappings {
      guard let expression = mapping.sourceExpression,
        case .fetch(_, let format)? = GeneratedExpression(expression)
      else { continue }
      let predicate = try Predicate.parse(format, arguments: [])
      var asked: Set<String> = []
      predicate.forEachKeyPath { asked.formUnion($0) }
      for attribute in source.entity(named: entity)?.attributes ?? []
      where attribute.isOptional && asked.contains(attribute.name) {
        let isNil = !fields.contains { $0.key == attribute.name && $0.isSet }
        guard !predicate.saysNil(of: attribute.name), isNil, attribute.typedDefaultValue.isNull,
          try isKept(small, row, with: attribute)
        else { continue }
        add(
          .nilRowsDropped, entity: entity, property: attribute.name, mapping: mapping.name,
          "the source predicate of \(mapping.name ?? "") is neither true nor false for rows without a value: such "
            + "rows are dropped",
          shownBy: small, as: "\(entity) without \(attribute.name) is kept",
          about: "Handle nil: add OR \(attribute.name) == nil to the predicate.")
      }
    }
  }

  /// Whether the row isn't dropped where it has a value.
  private func isKept(
    _ scenario: SmokeScenario, _ row: String, with attribute: AttributeDescription
  ) throws -> Bool {
    let values =
      [SampleValue(attribute: attribute, number: 1).notation]
      + Extremes.values(for: attribute).map { $0.notation(as: attribute) }
    for value in values.compactMap(\.self) {
      var scenario = scenario
      for index in scenario.rows.indices where scenario.rows[index].name == row {
        scenario.rows[index].fields.removeAll { $0.key == attribute.name }
        scenario.rows[index].fields.append(
          .init(key: attribute.name, content: .value(value)))
      }
      let outcome = try trial.play(scenario, on: .sqlite)
      if outcome.after != nil, outcome.failures.isEmpty { return true }
    }
    return false
  }

  // MARK: Keys

  /// Keys that were unique in each of several entities, which are one now.
  private mutating func examineKeys(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    guard let after = outcome.after else { return }
    for (name, objects) in Dictionary(grouping: after.objects, by: \.entity.name)
      .sorted(by: { $0.key < $1.key })
    {
      let origins = objects.flatMap(\.origins).map { outcome.origins[$0].entity }.uniqued()
      let entities = origins.compactMap { source.entity(named: $0) }
      guard entities.count > 1, let entity = objects.first?.entity else { continue }
      let keys = Set(
        entities.flatMap(\.allUniquenessConstraints).filter { $0.count == 1 }.map { $0[0] })
      for (place, attribute) in entity.attributes.enumerated() where keys.contains(attribute.name) {
        let values = objects.map { $0.values[place] }.filter { !$0.isNull }
        guard Set(values).count < values.count else { continue }
        let small = try smallest(
          scenario, expecting: [.entry("unique", .text("\(name).\(attribute.name)"))],
          failing: { $0.symptom == .repeatedValues })
        guard let small else { continue }
        let sources = entities.map(\.name).sorted().joined(separator: " and ")
        add(
          .duplicateKey, entity: name, property: attribute.name,
          "was unique in each of \(sources), and no longer is where they are merged",
          shownBy: small, as: "\(name).\(attribute.name) stays unique",
          about: "Give one of them another key, or merge the two.")
      }
    }
  }

  // MARK: Values and links

  private mutating func examineValues(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    var seen = Set<String>()
    for object in outcome.before?.objects ?? [] {
      guard let origin = object.origins.first else { continue }
      let made = outcome.made(of: origin)
      for (place, attribute) in object.entity.attributes.enumerated()
      where attribute.isStored && !attribute.isDerived && !object.values[place].isNull {
        let name = "\(object.entity.name).\(attribute.name)"
        let heirs = made.compactMap {
          heir -> (ContentSnapshot.Object, AttributeDescription, Value)? in
          heir.entity.attributes.enumerated().first { $0.element.inherits(from: attribute) }
            .map { (heir, $0.element, heir.values[$0.offset]) }
        }
        guard !seen.contains(name), let (heir, new, _) = heirs.first, made.count == 1,
          heirs.allSatisfy({ $0.2.isNull }),
          let value = object.values[place].notation(as: attribute)
        else { continue }
        seen.insert(name)
        let small = try smallest(
          scenario,
          expecting: [.object(heir.label, has: [.init(key: new.name, value: value)])],
          failing: { $0.target?.property == new.name && $0.symptom == .noValue })
        guard let small else { continue }
        add(
          .valueLost, entity: object.entity.name, property: attribute.name,
          "has a value before the step and none after it",
          shownBy: small, as: "\(name) keeps its value", about: "")
      }
    }
  }

  private mutating func examineLinks(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    guard let before = outcome.before, let after = outcome.after else { return }
    var seen = Set<String>()
    for object in before.objects {
      guard let origin = object.origins.first else { continue }
      let made = outcome.made(of: origin)
      guard made.count == 1, let heir = made.first else { continue }
      for (place, relationship) in object.entity.relationships.enumerated() {
        let name = "\(object.entity.name).\(relationship.name)"
        guard !seen.contains(name),
          let (newPlace, new) = heir.entity.relationships.enumerated()
            .first(where: { $0.element.inherits(from: relationship) })
        else { continue }
        // Those that became just one object that the relationship may lead to.
        let wanted = object.links[place].compactMap { before.objects[$0].origins.first }.filter {
          let targets = outcome.made(of: $0)
          return targets.count == 1 && targets[0].entity.isKindOf(entity: new.destinationEntity)
        }
        let found = heir.links[newPlace].flatMap { after.objects[$0].origins }
        let isLost = !wanted.allSatisfy(found.contains)
        let isDisordered =
          relationship.isOrdered && new.isOrdered
          && found.filter(wanted.contains) != wanted
        guard isLost || isDisordered else { continue }
        seen.insert(name)
        let names = wanted.compactMap { outcome.origins[$0].name }
        let value = Notation.link(names, isToMany: new.isToMany)
        let small = try smallest(
          scenario,
          expecting: [.object(heir.label, has: [.init(key: new.name, value: value)])],
          failing: { $0.kind == .expectation && $0.target?.property == new.name },
          while: { candidate in
            let there = Set(candidate.rows.map(\.name))
            return names.allSatisfy(there.contains)
              && candidate.rows.contains { row in
                row.fields.contains { $0.links(names, isOrdered: isDisordered) }
              }
          })
        guard let small else { continue }
        if let inverse = relationship.inverseRelationship {
          seen.insert("\(inverse.entity.name).\(inverse.name)")
        }
        if isLost {
          add(
            .linksLost, entity: object.entity.name, property: relationship.name,
            "leads to objects before the step that still exist after it, but no longer to them",
            shownBy: small, as: "\(name) keeps its links", about: "")
        } else {
          add(
            .orderNotKept, entity: object.entity.name, property: relationship.name,
            "is ordered before and after the step, but not in the same order",
            shownBy: small, as: "\(name) keeps its order", about: "")
        }
      }
    }
  }

  // MARK: Backends

  private mutating func examineBackends(
    of scenario: SmokeScenario, in outcome: Outcome, and other: Outcome, isSteady: Bool
  ) throws {
    var scenario = scenario
    scenario.expectations = [
      .entry("mapping", .text((outcome.steps.last?.mapping ?? .inferred).rawValue))
    ]
    for finding in other.unsound {
      let (small, damage) = try trial.smallestDamage(scenario, finding)
      add(
        .unsoundResult, entity: damage.entity, property: damage.property,
        "the store that was made isn't sound: \(damage.message)",
        shownBy: small, as: "\(step) makes a sound store", about: "\(damage)")
    }
    guard isSteady else { return }
    guard let found = try trial.smallestDifference(of: scenario, in: outcome, and: other) else {
      return
    }
    add(
      .backendsDiffer, entity: found.scenario.rows.first?.entity,
      "in memory and in SQLite: \(found.text)",
      shownBy: found.scenario, as: "\(step) is the same on both backends", about: found.text)
  }

  /// Long texts and external data, by themselves.
  private mutating func examineLarge(isSteady: Bool) throws {
    var options = options
    options.isLarge = true
    let seed = try SmokeSeed(source, by: trial, for: plan, with: options, without: Set(unfilled))
    var names = Set(
      seed.rows.filter { row in
        row.fields.contains { $0.notation.yaml(inFlow: false).utf8.count > 200 }
      }.map(\.name))
    guard !names.isEmpty else { return }
    var count = 0
    while names.count > count {
      count = names.count
      for row in seed.rows {
        if names.contains(row.name) { names.formUnion(row.targets) }
        // A link is written at one side, and the other may be unable to do without it.
        if row.fields.contains(where: { isRequired($0, of: row.entity, by: names) }) {
          names.insert(row.name)
        }
      }
    }
    let rows = plan.with(seed.rows.filter { names.contains($0.name) }).rows
    let scenario = plan.with(rows.withRequiredLinks(in: source))
    guard !scenario.rows.isEmpty else { return }
    let outcome = try trial.play(scenario)
    // An error that other rows meet as well was told.
    guard outcome.after != nil else {
      guard let error = MigrationError(outcome), findings.isEmpty else { return }
      var failing = scenario
      failing.expectations = [.everySourceMigrated]
      return try report(
        error, trial.smallest(failing) { MigrationError(try trial.play($0)) == error })
    }
    try examineValues(scenario, outcome)
    try examineBackends(
      of: scenario, in: outcome, and: try trial.play(scenario, on: .sqlite), isSteady: isSteady)
  }

  /// Whether a field leads to one of these rows, which can't be without the link.
  private func isRequired(
    _ field: WrittenRow.Field, of entity: String, by names: Set<String>
  ) -> Bool {
    let relationship = source.entity(named: entity)?.relationship(named: field.key)
    guard let inverse = relationship?.inverseRelationship, !inverse.isOptional else { return false }
    return !names.isDisjoint(with: field.links ?? [])
  }

  // MARK: The second pass

  /// What comes out must not depend on the order of the second pass, nor on its being once.
  private mutating func examineSecondPass(_ scenario: SmokeScenario, _ outcome: Outcome) throws {
    for pass in SecondPass.allCases where pass != .once {
      func altered(_ scenario: SmokeScenario) throws -> Outcome {
        var scenario = scenario
        scenario.steps[0].secondPass = pass
        return try trial.play(scenario)
      }
      guard try outcome.differs(from: altered(scenario)) else { continue }
      var plain = scenario
      plain.expectations = []
      var small = try trial.smallest(plain) { candidate in
        let usual = try trial.play(candidate)
        return try usual.before != nil && usual.differs(from: altered(candidate))
      }
      let (usual, other) = (try trial.play(small), try altered(small))
      guard let lines = SmokeDifference(usual, other).expectations else { continue }
      small.expectations = lines
      small.steps[0].secondPass = pass
      let entities = Set(small.rows.map(\.entity))
      let policy = usual.steps.flatMap(\.entityMappings).first {
        $0.fetchedCount != nil && $0.sourceEntity.map(entities.contains) == true
      }
      add(
        .secondPassDiffers, entity: policy?.sourceEntity ?? small.rows.first?.entity,
        mapping: policy?.policyClassName,
        "\(pass.whatIsDone) gives a different result: \(usual.difference(from: other))",
        shownBy: small, as: "The second pass of \(step) may run \(pass.way)", about: pass.advice)
    }
  }

  // MARK: Growth

  private mutating func examineGrowth(_ policies: [EntityMappingReport]) throws {
    for policy in policies {
      guard let entity = policy.sourceEntity else { continue }
      func scenario(_ count: Int) throws -> SmokeScenario {
        var options = options
        (options.objects, options.isPlain) = (count, true)
        return plan.with(try SmokeSeed(source, by: trial, for: plan, with: options).rows)
      }
      func fetched(_ count: Int) throws -> Int {
        try trial.play(scenario(count)).steps.flatMap(\.entityMappings)
          .first { $0.name == policy.name }?.fetchedCount ?? 0
      }
      let counts = try [4, 8, 16].map(fetched)
      let (first, second) = (counts[1] - counts[0], counts[2] - counts[1])
      // Twice as much of a straight line, four times as much of a square.
      guard first > 0, second > 3 * first else { continue }
      let target = policy.policyClassName ?? policy.name
      let small = try smallest(
        scenario(8),
        expecting: [.entry("fetched", .map([.init(key: target, value: .number(2 * counts[0]))]))],
        failing: { $0.symptom == .fetches },
        while: { $0.rows.count { $0.entity == entity } == 8 })
      guard let small else { continue }
      add(
        .quadraticPolicy, entity: entity, mapping: target,
        "\(target) fetches \(counts[0]) objects for 4 rows, \(counts[1]) for 8 and \(counts[2]) for 16",
        shownBy: small, as: "\(target) fetches in proportion to the rows",
        about: "Fetch once in begin, or fetch only the one object that is needed.")
    }
  }
}

extension SecondPass {
  fileprivate var way: String {
    switch self {
    case .once: "as it does"
    case .twice: "a second time"
    case .reversed: "in another order"
    case .relationshipsReversed: "with relationships in another order"
    }
  }

  fileprivate var whatIsDone: String {
    switch self {
    case .once, .twice, .reversed: "createRelationships called \(way)"
    case .relationshipsReversed: "mapping each object's relationships in another order"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .once, .twice, .reversed:
      "Core Data guarantees no order of calls, and calls the hook once for each object that a row "
        + "became. Look for existing objects before making or adding anything."
    case .relationshipsReversed:
      "Xcode gives relationship mappings no order. Let one mapping alone decide what a relationship and its "
        + "inverse lead to."
    }
  }
}

extension SmokeFiles {
  /// What `check` found by a rule in a step.
  func check(_ rule: CheckRule, _ step: String) -> [CheckFinding] {
    check.findings.filter { $0.rule == rule && $0.subject.step?.description == step }
  }
}

extension Predicate {
  /// Whether it says what holds for objects without a value.
  fileprivate func saysNil(of attribute: String) -> Bool {
    if let compound = self as? CompoundPredicate {
      return compound.subpredicates.contains { $0.saysNil(of: attribute) }
    }
    guard let comparison = self as? ComparisonPredicate,
      [.equalTo, .notEqualTo].contains(comparison.predicateOperatorType)
    else { return false }
    let sides = [comparison.leftExpression, comparison.rightExpression]
    return sides.contains { $0.keyPath == attribute }
      && sides.contains { $0.constant?.isNull == true }
  }
}

extension PropertyDescription {
  /// Whether the property is what another one became, by its name or by its canonical name.
  fileprivate func inherits(from old: PropertyDescription) -> Bool {
    guard name == old.name || renamingIdentifier == old.renamingIdentifier else { return false }
    guard let new = self as? RelationshipDescription, let old = old as? RelationshipDescription
    else { return self is AttributeDescription && old is AttributeDescription }
    return new.isToMany == old.isToMany && !new.isTransient
  }
}

extension WrittenRow {
  /// What it is known by among all rows of the version.
  var path: String { "\(entity)/\(name)" }

  fileprivate var targets: [String] { fields.flatMap { $0.links ?? [] } }
}

extension WrittenRow.Field {
  /// Whether it has a value other than null.
  var isSet: Bool { notation != .null }

  /// Whether it leads to just these rows.
  fileprivate func links(_ names: [String], isOrdered: Bool) -> Bool {
    guard let links else { return false }
    return isOrdered ? links == names : !Set(links).isDisjoint(with: names)
  }
}

/// The rows of a version that its own rules take.
struct SmokeSeed {
  let rows: [WrittenRow]
  let excluded: Set<String>
  private let model: ManagedObjectModel
  private let trial: SmokeTrial
  private let plan: SmokeScenario
  private let options: SmokeOptions

  /// - Parameter excluded: Entities that rows aren't wanted of.
  init(
    _ model: ManagedObjectModel, by trial: SmokeTrial, for plan: SmokeScenario,
    with options: SmokeOptions, without excluded: Set<String> = []
  ) throws {
    var excluded = excluded
    while true {
      let made = SmokeRows(of: model, without: excluded, options).rows
      let kept = made.filter { options.left.isDisjoint(with: [$0.entity, $0.path]) }
      let rows = plan.with(kept).rows.withRequiredLinks(in: model)
      let unlinked = Set(made.map(\.entity)).subtracting(rows.map(\.entity))
        .subtracting(options.left)
      if !unlinked.isEmpty {
        excluded.formUnion(unlinked)
        continue
      }
      guard !rows.isEmpty, let refused = try trial.refusedEntity(plan.with(rows)) else {
        self.rows = rows
        break
      }
      // Refused although it has no rows of its own: better none at all.
      if !excluded.insert(refused).inserted { excluded = Set(model.entities.map(\.name)) }
    }
    self.excluded = excluded
    self.model = model
    self.trial = trial
    self.plan = plan
    self.options = options
  }

  func without(_ entity: String) throws -> SmokeSeed {
    try SmokeSeed(model, by: trial, for: plan, with: options, without: excluded.union([entity]))
  }
}

/// The error that a migration ended with, as far as it is the same for other rows.
struct MigrationError: Hashable {
  let domain: String
  let code: Int
  let entity: String?
  let property: String?
  let reason: String

  static func == (a: MigrationError, b: MigrationError) -> Bool {
    a.domain == b.domain && a.code == b.code && a.entity == b.entity && a.property == b.property
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(domain)
    hasher.combine(code)
  }

  init?(_ outcome: SmokeTrial.Outcome) {
    guard let failure = outcome.error else { return nil }
    self.init(failure)
  }

  init(_ failure: ChainFailure) {
    // Of several errors the first one stands for all.
    let error = (failure.error as? CoreDataError).flatMap { $0.details.first } ?? failure.error
    let place = (error as? CoreDataError)?.place ?? failure.place
    domain = (error as NSError).domain
    code = (error as NSError).code
    entity = place.entity
    property = place.property
    reason = (error as? CoreDataError)?.reason ?? error.reasonText
  }

  /// `error 134110 at Order.statusKey`.
  var text: String {
    let place = [entity, property].compactMap(\.self).joined(separator: ".")
    return (domain == CoreDataError.errorDomain ? "error \(code)" : domain)
      + (place.isEmpty ? "" : " at \(place)")
  }

  var isAboutEqualValues: Bool {
    let codes: [CoreDataErrorCode] = [
      .managedObjectConstraintValidation, .managedObjectConstraintMerge,
      .migrationConstraintViolation,
    ]
    return domain == CoreDataError.errorDomain && codes.contains { $0.rawValue == code }
  }
}

/// What two plays of one seed don't have in common, as expectations that hold for the first only.
struct SmokeDifference {
  let expectations: [Notation]?

  init(_ usual: SmokeTrial.Outcome, _ other: SmokeTrial.Outcome) {
    guard let first = usual.after else {
      expectations = nil
      return
    }
    guard let second = other.after else {
      expectations = [.everySourceMigrated]
      return
    }
    expectations = Self.counts(first, second) ?? Self.values(first, second)
  }

  private static func counts(_ a: ContentSnapshot, _ b: ContentSnapshot) -> [Notation]? {
    let names = Set((a.objects + b.objects).map(\.entity.name)).sorted()
    for name in names {
      let counts = [a, b].map { $0.objects.count { $0.entity.isNamedOrDescends(from: name) } }
      if counts[0] != counts[1] { return [.count([(name, counts[0])])] }
    }
    return nil
  }

  private static func values(_ a: ContentSnapshot, _ b: ContentSnapshot) -> [Notation]? {
    for object in a.objects where object.label != object.entity.name {
      guard a.objects.count(where: { $0.label == object.label }) == 1,
        let twin = b.objects.first(where: { $0.label == object.label })
      else { continue }
      func only(_ key: String, _ value: Notation) -> [Notation] {
        [.object(object.label, has: [.init(key: key, value: value)])]
      }
      for (place, attribute) in object.entity.attributes.enumerated()
      where object.values[place] != twin.values[place] {
        guard let value = object.values[place].notation(as: attribute) else { continue }
        return only(attribute.name, value)
      }
      for (place, relationship) in object.entity.relationships.enumerated() {
        if object.links[place].count != twin.links[place].count, relationship.isToMany {
          return only("\(relationship.name).@count", .number(object.links[place].count))
        }
        let names = [(a, object), (b, twin)].map { snapshot, object in
          object.links[place].map { snapshot.objects[$0].label }
        }
        let isSame =
          relationship.isOrdered ? names[0] == names[1] : names[0].sorted() == names[1].sorted()
        guard !isSame else { continue }
        let local = names[0].map { $0.split(separator: " ").last.map(String.init) ?? $0 }
        return only(relationship.name, .link(local, isToMany: relationship.isToMany))
      }
    }
    return nil
  }
}
