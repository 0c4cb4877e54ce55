/// Plays a first scenario, to learn what there is to expect.
struct FirstScenarioTrial {
  let scenario: CheckedScenario
  private let policies: any PolicyProvider
  /// Starts at many versions take the same steps.
  private let inferences = InferredMappings()

  /// Plays the draft in the next folder above its own that is there: no path leads out of a folder that isn't.
  /// - Throws: ``Diagnostics`` or ``PolicyCompilationError`` for what is wrong in the files.
  init(_ draft: FirstScenario) async throws {
    var tried = draft
    tried.folder = draft.folder.nearestFolder
    try await self.init(tried.text, called: tried.fileName, in: tried.folder)
  }

  /// - Parameter folder: A folder that is there, to which paths in the text are relative.
  init(_ text: String, called name: String, in folder: URL) async throws {
    let file = SourceFile(path: name, text: text)
    scenario = try CheckedScenario.check(ScenarioReader.read(file, in: folder))
    policies = try await PolicyLoader(PolicyCompiler(), for: scenario)
      .load(scenario.scenario.policies)
  }

  private func makeRun(from start: String? = nil) throws -> ScenarioRun {
    let start = start ?? scenario.starts.first ?? ""
    let run = ScenarioRun(
      scenario, id: RunID(scenario, start, .memory), stores: MemoryStores(destination: nil),
      policies: policies)
    run.inferences = inferences
    run.keepsVersions = false
    return run
  }

  /// The entity whose row the store refuses; nil when all rows are taken.
  /// - Throws: What has nothing to do with rows.
  func refusedEntity() throws -> String? {
    do {
      try makeRun().prepareSource()
      return nil
    } catch let error as CoreDataError {
      guard let entity = error.place.entity ?? error.details.first?.place.entity else {
        throw error
      }
      return entity
    }
  }

  /// Lines of expectations that hold.
  func expectations() throws -> [String] {
    let run = try makeRun()
    run.play()
    if let failure = run.facts.failure { return try Self.lines(for: failure) }
    guard let content = run.snapshots.last?.content else { return [] }
    let lines =
      Self.stepLines(run) + Self.countLines(content) + Self.originLines(run)
      + (try objectLines(content, run.provenance))
    return lines.isEmpty ? try modelLines(run) : lines
  }

  /// Whether the chain ends with an error.
  func fails() throws -> Bool {
    let run = try makeRun()
    run.play()
    return run.facts.failure != nil
  }

  /// What the step does of which nobody knows whether a device does it: the scenario fails for it, whatever it expects.
  func unknowns() throws -> [String] {
    let run = try makeRun()
    run.play()
    return run.result.failures.filter { $0.kind == .unknownOnDevice }.map(\.found)
  }

  /// What came of a run from one of several starts.
  enum Outcome: Hashable {
    case everythingMigrated
    /// Expectations that hold instead.
    case otherwise([String])
    /// The chain ends with an error, which this expects.
    case fails(String)
    /// No sample is accepted by the store of that version, or the run can't be told of in a scenario.
    case unplayable(String)
  }

  /// Plays the scenario from one of its starts.
  func outcome(from start: String) throws -> Outcome {
    let run = try makeRun(from: start)
    run.play()
    if let failure = run.facts.failure {
      return .fails(try Self.lines(for: failure)[0])
    }
    if run.provenance.origins.isEmpty {
      return .unplayable("no sample can be made for its entities")
    }
    let others = run.result.failures.filter { !$0.kind.isEmptiness && $0.kind != .expectation }
    if let other = others.first {
      return .unplayable("\(other.kind.rawValue): \(other.subject): \(other.found)")
    }
    let lines = Self.originLines(run)
    return lines == ["- everySourceMigrated: true"] ? .everythingMigrated : .otherwise(lines)
  }

  /// Without any row there is still the model.
  private func modelLines(_ run: ScenarioRun) throws -> [String] {
    try scenario.model(run.finalVersion).entities.prefix(1).map {
      "- model: " + Notation.map([.init(key: $0.name, value: .text("exists"))]).yaml(inFlow: false)
    }
  }

  // MARK: Lines

  /// The expectation of an error, and of what it leaves.
  /// - Throws: The failure itself where the files that were given aren't the app's: nobody is to expect that.
  static func lines(for failure: ChainFailure) throws -> [String] {
    if failure.isOfMissingPolicy { throw failure }
    let error = failure.error as NSError
    let place = (failure.error as? CoreDataError)?.place ?? failure.place
    var facts: [Notation.Field] = [.init(key: "code", value: .number(error.code))]
    if error.domain != CoreDataError.errorDomain {
      facts.append(.init(key: "domain", value: .text(error.domain)))
    }
    if let step = place.step ?? failure.place.step {
      facts.append(.init(key: "step", value: .text(step)))
    }
    for (key, text) in [("entity", place.entity), ("property", place.property)] {
      if let text { facts.append(.init(key: key, value: .text(text))) }
    }
    return ["- fails: " + Notation.map(facts).yaml(inFlow: false), "- source: untouched"]
  }

  private static func stepLines(_ run: ScenarioRun) -> [String] {
    let uses = Set(run.result.executedSteps.compactMap(\.mapping))
    if run.scenario.scenario.chain.isEmpty { return [] }
    guard let use = uses.first else { return ["- hops: []"] }
    return ["- mapping: \(use.rawValue)"]
  }

  private static func countLines(_ content: ContentSnapshot) -> [String] {
    let counts = Dictionary(grouping: content.objects, by: \.entity.name).mapValues(\.count)
    if counts.isEmpty { return [] }
    let all = content.objects.map(\.entity)
    // Objects of subentities count for the entities above them, too.
    let fields = counts.keys.sorted().map { name in
      let count = all.count { $0.isNamedOrDescends(from: name) }
      return Notation.Field(key: name, value: .number(count))
    }
    return ["- count: " + Notation.map(fields).yaml(inFlow: false)]
  }

  private static func originLines(_ run: ScenarioRun) -> [String] {
    if run.scenario.scenario.chain.isEmpty || run.provenance.origins.isEmpty { return [] }
    let lost = zip(run.provenance.origins, run.provenance.current).filter { $0.1.isEmpty }
    if lost.isEmpty { return ["- everySourceMigrated: true"] }
    let names = lost.map { Notation.text($0.0.label) }
    return ["- dropped: " + Notation.list(names).yaml(inFlow: false)]
  }

  private static let mostFacts = 8

  private func objectLines(_ content: ContentSnapshot, _ provenance: Provenance) throws -> [String]
  {
    let before = try scenario.model(scenario.starts.first ?? "")
    let labels = Dictionary(grouping: content.objects, by: \.label)
    return content.objects.flatMap { object -> [String] in
      let isNamed = object.origins.contains { provenance.origins[$0].name != nil }
      guard isNamed, labels[object.label]?.count == 1 else { return [] }
      let heading = "- object: " + Notation.text(object.label).yaml(inFlow: false)
      let facts = Self.facts(of: object, before).prefix(Self.mostFacts)
      if facts.isEmpty { return [heading] }
      return [heading, "  has:"]
        + facts.map { "    \(Notation.entry($0.key, $0.value).yaml(inFlow: false))" }
    }
  }

  /// What the object holds: first what the old version didn't have, be it nothing.
  private static func facts(
    of object: ContentSnapshot.Object, _ before: ManagedObjectModel
  ) -> [Notation.Field] {
    let known = before.entity(named: object.entity.name)
    var (new, old): ([Notation.Field], [Notation.Field]) = ([], [])
    for (attribute, value) in zip(object.entity.attributes, object.values) {
      let isNew = known?.attribute(named: attribute.name) == nil
      guard isNew || !value.isNull, !attribute.isTransient,
        let notation = value.notation(as: attribute)
      else { continue }
      let field = Notation.Field(key: attribute.name, value: notation)
      if isNew { new.append(field) } else { old.append(field) }
    }
    return new + old
  }
}

extension ChainFailure {
  /// Whether a mapping model names a policy that isn't among what was given: the app has it, or doesn't build.
  var isOfMissingPolicy: Bool {
    let first = (error as? CoreDataError).map { $0.details.first ?? $0 }
    return if case .missingPolicy? = first?.originalMistake { true } else { false }
  }
}
