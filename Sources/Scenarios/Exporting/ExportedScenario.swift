/// A scenario from one start, as statements in Swift that use Apple's API alone: they fill an `Exported`, which is declared
/// in the part that all exported files have in common.
package struct ExportedScenario {
  /// What can't be said by Apple's API, or is known here alone.
  package struct Omission: CustomStringConvertible {
    package let place: SourcePlace
    package let what: String
    package var description: String { "\(place): \(what)" }

    package init(place: SourcePlace, what: String) { (self.place, self.what) = (place, what) }
  }

  let checked: CheckedScenario
  package let start: String
  private let buildsModels: Bool
  package private(set) var omissions: [Omission] = []
  /// Why nothing of it is exported; nil for one that is.
  package private(set) var refusal: Omission?
  /// Modules that have other names than the scenario gives them.
  package var moduleNames: [String: String] = [:]
  var statements: [String] = []
  /// The classes of the app's files, by name, with their modules.
  private(set) var classes: [String: String] = [:]
  var compositeCount = 0
  /// Whether functions of the policies' files are named in it.
  package private(set) var callsHandlers = false

  /// - Throws: What keeps the seed from being made, or a mapping model from being read.
  /// - Parameter bundledModel: The name of the app's compiled model, from which the tests are to read it.
  package init(_ checked: CheckedScenario, from start: String, bundledModel: String? = nil) throws {
    (self.checked, self.start, buildsModels) = (checked, start, bundledModel == nil)
    if let reason = reasonAgainst {
      refusal = Omission(place: reason.place ?? checked.scenario.title.place, what: reason.text)
      return
    }
    try findClasses()
    for version in versions {
      if let bundledModel {
        let names = [version, bundledModel].map(SwiftText.literal).joined(separator: ", bundle: ")
        statements.append("t.model(\(names))")
      } else {
        add(version, try checked.model(version))
      }
    }
    try addSeed()
    if refusal != nil { return }
    try addSteps()
    addExpectations()
    addActions()
  }

  package var title: String {
    let title = checked.scenario.title.value
    return checked.starts.count > 1 ? "\(title), from \(start)" : title
  }

  /// Whether models in code, or opening by tests that have no models in a bundle, give an error another code.
  func isOfBundle(_ code: Int) -> Bool {
    let isOfConditions = buildsModels && (1610...1680).contains(code)
    return isOfConditions || code == 134140 && steps.contains { !$0.infersMapping }
  }

  package var titleLiteral: String { SwiftText.literal(title) }
  package var startLiteral: String { SwiftText.literal(start) }
  package var place: SourcePlace { checked.scenario.title.place }
  package var address: ScenarioAddress { checked.scenario.address }

  /// The statements of the function that makes the `Exported`, called `t` there.
  package var body: [String] {
    let renamed = statements.map { statement in
      moduleNames.reduce(statement) { text, names in
        ["policy", "className", "domain"].reduce(text) {
          $0.replacing("\($1): \"\(names.key).", with: "\($1): \"\(names.value).")
        }
      }
    }
    return ["let t = Exported(\(SwiftText.literal(title)))"] + renamed + ["return t"]
  }

  /// The app's files with policies, by module, as the scenario names them.
  /// - Throws: ``Diagnostics`` for a path that matches nothing.
  package func policyFiles() throws -> [(module: String, files: [URL])] {
    try checked.scenario.policies.map { module in
      (
        module.name.value,
        try module.sources.flatMap { try PolicyFiles.matching($0, in: checked.scenario.folder) }
      )
    }
  }

  /// Finds the classes that the policies' files declare, which Core Data knows by their modules.
  private mutating func findClasses() throws {
    for (module, files) in try policyFiles() {
      for file in files {
        let text = try String(contentsOf: file, encoding: .utf8)
        for match in text.matches(of: /\bclass\s+(\w+)\s*:/) {
          classes["\(match.1)"] = "\(module).\(match.1)"
        }
      }
    }
  }

  package var finalVersion: String { checked.finalVersion(from: start) }

  private var steps: [ChainStep] { checked.steps(from: start) }

  /// Those that the store passes, and those that mapping models were made for.
  private var versions: [String] {
    let passed = Set(
      [start]
        + steps.flatMap { [$0.ends.value, $0.madeFor?.value ?? $0.ends.value] }
        .flatMap { [$0.source, $0.destination] } + steps.flatMap(\.versions))
    return checked.models.names.filter(passed.contains)
  }

  mutating func leaveOut(_ what: String, at place: SourcePlace? = nil) {
    let omission = Omission(place: place ?? checked.scenario.title.place, what: what)
    if omissions.contains(where: { $0.description == omission.description }) { return }
    omissions.append(omission)
    statements.append("// Not exported: \(what.replacing("\n", with: " "))")
  }

  private var reasonAgainst: (text: String, place: SourcePlace?)? {
    let scenario = checked.scenario
    if let skip = scenario.skip { return ("it is skipped: \(skip.value)", skip.place) }
    if scenario.now != nil || scenario.chance != nil {
      return ("the time or the random numbers are fixed", nil)
    }
    if steps.isEmpty, start != finalVersion { return ("no step begins with \(start)", nil) }
    if !scenario.chain.isEmpty, steps.isEmpty {
      return ("its store is of no version of the chain", nil)
    }
    if scenario.targetOS != nil { return ("it is about an older system", nil) }
    let models = versions.compactMap { checked.models[$0] }
    let all = models.flatMap(\.entities).flatMap(\.attributes)
    if let attribute = all.first(where: { $0.filterPredicate != nil }) {
      return ("the filter of \(attribute.entity.name).\(attribute.name), which no API sets", nil)
    }
    if let attribute = all.first(where: { $0.hasTransformerOfApp }) {
      let name = "\(attribute.entity.name).\(attribute.name)"
      return ("the transformer of \(name), which the app registers", nil)
    }
    for step in steps {
      let manager = checked.scenario.manager(of: step)
      if let manager, !manager.isPlain {
        return ("an app's own migration manager, by its class or userInfo", manager.place)
      }
      if manager == nil, checked.models[step.ends.value.source]?.isPartlyVersionedMerge == true {
        return (
          "a store of merged models, for which opening looks in the app's bundle", step.ends.place
        )
      }
      if let stages = step.stages, let reason = reason(against: stages) {
        return (reason, stages.place)
      }
      if step.secondPass != .once {
        return ("the order of the second pass is Core Data's own", step.secondPassPlace)
      }
    }
    return nil
  }

  private func reason(against stages: StagesNotation) -> String? {
    if stages.factory != nil { return "a staged migration manager that the app's code makes" }
    if stages.passesEachVersion { return "versions of a stage passed one by one" }
    // What isn't an error with a code is an exception.
    let isException = checked.expectations.contains { expectation in
      guard expectation.isFailure,
        case .run(let check as FailsExpectation) = expectation.subject(
          at: expectation.written.version?.value ?? finalVersion)
      else { return false }
      return check.failure.code == nil && check.failure.domain == nil
    }
    return isException ? "an exception, which Swift can't catch" : nil
  }

  // MARK: The seed

  private static let mostObjects = 500

  /// What the store holds, rules and all, read back from one that was filled here.
  private mutating func addSeed() throws {
    let folder = try TemporaryFiles.makeFolder()
    defer { TemporaryFiles.removeFolder(folder) }
    if let plan = checked.seed(for: start)?.plan, plan.count > Self.mostObjects {
      refusal = Omission(
        place: checked.scenario.title.place, what: "\(plan.count) objects made by rule")
      return
    }
    let stores = try SQLiteStores(folder: folder, destination: nil)
    let run = ScenarioRun(
      checked, id: RunID(checked, start: start, backend: .sqlite), stores: stores,
      policies: PolicyRegistry())
    try checked.withSurroundings { try run.prepareSource() }
    let store = try stores.openCurrent(model: try checked.model(start))
    defer { stores.stopReading() }
    let content = try ContentSnapshot(of: store, provenance: run.provenance)
    if content.objects.count > Self.mostObjects {
      refusal = Omission(
        place: run.sourcePlace, what: "a store of \(content.objects.count) objects")
      return
    }
    let seed = checked.seed(for: start)
    // Objects made by rule may be such as no app could save.
    let isValidated = seed?.isValidated ?? true && seed?.plan == nil
    statements.append(SwiftCall("t.seed").with("validated", isValidated, unless: true).text)
    // In the order in which they are written.
    let order = content.objects.indices.sorted {
      (content.objects[$0].origins.first ?? .max, $0) < (
        content.objects[$1].origins.first ?? .max, $1
      )
    }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    for index in order { addRow(content.objects[index], run.provenance) }
    for isToMany in [false, true] {
      for index in order {
        addLinks(
          of: content.objects[index], row: places[index] ?? 0, places: places, toMany: isToMany)
      }
    }
  }

  private mutating func addRow(_ object: ContentSnapshot.Object, _ provenance: Provenance) {
    var values: [String] = []
    for (attribute, value) in zip(object.entity.attributes, object.values) {
      if attribute.isDerived || !attribute.isStored || value == attribute.typedDefaultValue {
        continue
      }
      guard let text = SwiftText.literal(value, as: attribute) else {
        refusal = Omission(
          place: checked.scenario.title.place,
          what: "the value of \(object.entity.name).\(attribute.name), which no literal makes")
        return
      }
      values.append("(\(SwiftText.literal(attribute.name)), \(text))")
    }
    let origin = object.origins.first.map { provenance.origins[$0] }
    let label = origin.map { $0.name ?? String($0.label.dropFirst($0.entity.count + 1)) }
    let list = values.isEmpty ? "" : ", [\(values.joined(separator: ", "))]"
    statements.append(
      "t.row(\(label.map(SwiftText.literal) ?? "nil"), \(SwiftText.literal(object.entity.name))\(list))"
    )
  }

  private mutating func addLinks(
    of object: ContentSnapshot.Object, row: Int, places: [Int: Int], toMany: Bool
  ) {
    for (relationship, links) in zip(object.entity.relationships, object.links)
    where relationship.isToMany == toMany && !links.isEmpty && !relationship.isTransient {
      let members = links.compactMap { places[$0] }
      statements.append(
        "t.link(\(row), \(SwiftText.literal(relationship.name)), \(relationship.isOrdered ? members : members.sorted()))"
      )
    }
  }

  // MARK: Steps

  private mutating func addSteps() throws {
    if checked.scenario.hasModelsInCode { statements.append("t.hasModelsInCode = true") }
    for step in steps {
      let made = step.madeFor?.value ?? step.ends.value
      let ends = [step.ends.value.source, step.ends.value.destination].map(SwiftText.literal)
      if let stages = step.stages {
        callsHandlers = callsHandlers || stages.hasHandlers
        statements.append(
          "t.stages(\(ends[0]), \(ends[1]), from: \(SwiftText.texts(step.sources)), "
            + "\(SwiftText.list(stages.stages, text)))")
        continue
      }
      statements.append(
        SwiftCall("t.step", ends[0], ends[1]).with("infers", step.infersMapping, unless: true)
          .with("automatic", step.migratesAutomatically, unless: true)
          .with("managed", checked.scenario.manager(of: step) != nil, unless: false)
          .with("direct", step.isDirect, unless: false)
          .with(
            "inStore",
            checked.scenario.manager(of: step)?.usesStoreSpecificMigrationManager ?? true,
            unless: true
          ).text)
      for mapping in checked.mappings(of: step) {
        let candidate = try mapping.candidate(
          from: try checked.model(made.source), to: try checked.model(made.destination))
        add(candidate.model, madeFor: made)
      }
    }
  }
}

// MARK: - Stages

extension ExportedScenario {
  private func text(of stage: StageNotation) -> String {
    switch stage {
    case .lightweight(let versions):
      return "t.lightweight(\(SwiftText.texts(versions.map(\.value))))"
    case .custom(let custom):
      let ends = custom.ends.value
      return SwiftCall(
        "t.custom", SwiftText.literal(ends.source), SwiftText.literal(ends.destination)
      ).with(text: "label", custom.label).with("will", custom.will.map(function))
        .with("did", custom.did.map(function)).text
    }
  }

  /// A function's name without its module, which the tests are part of or import.
  private func function(_ name: Located<String>) -> String {
    name.value.split(separator: ".").dropFirst().joined(separator: ".")
  }
}

extension AttributeDescription {
  /// Whether a class of the app's archives its values, which has to be registered under its name.
  fileprivate var hasTransformerOfApp: Bool {
    guard attributeType == .transformable, let name = valueTransformerName else { return false }
    return !name.hasPrefix("NS")
  }
}
