extension FirstScenario {
  /// - Throws: ``Diagnostics`` for what can't be read.
  func checked() throws -> CheckedScenario {
    var tried = self
    tried.folder = folder.nearestFolder
    let file = SourceFile(path: fileName, text: tried.text)
    return try CheckedScenario.check(ScenarioReader.read(file, in: tried.folder))
  }
}

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

  func makeRun(from start: String? = nil) throws -> ScenarioRun {
    let start = start ?? scenario.starts.first ?? ""
    let run = ScenarioRun(
      scenario, id: RunID(scenario, start: start, backend: .memory),
      stores: MemoryStores(destination: nil),
      policies: policies)
    run.inferences = inferences
    run.keepsVersions = false
    return run
  }

  /// The entity whose row the store refuses; nil when all rows are taken.
  /// - Throws: What has nothing to do with rows.
  func refusedEntity() throws -> String? { try makeRun().refusedEntity() }

  /// Makes a draft of what came out: expectations that hold; or what should hold where the chain ends with an error, with
  /// that.
  /// - Returns: What the step does of which nobody knows whether a device does it: the scenario fails for it, whatever it
  ///   expects.
  func observe(_ draft: inout FirstScenario) throws -> [String] {
    let run = try makeRun()
    run.play()
    draft.hasDoubtfulLinks = run.facts.executedSteps.flatMap(\.unknowns).contains(
      where: \.isOfLinks)
    draft.failure = try run.facts.failure.map(FoundFailure.init)
    draft.expectations = try draft.failure == nil ? expectations(of: run) : [.everySourceMigrated]
    return run.result.failures.filter { $0.kind == .unknownOnDevice }.map(\.found)
  }

  private func expectations(of run: ScenarioRun) throws -> [Notation] {
    guard let content = run.snapshots.last?.content else { return [] }
    let items =
      Self.stepExpectations(run)
      + content.countExpectations(of: content.objects.map(\.entity.name).uniqued())
      + run.originExpectations + (try untoldExpectations(of: content))
      + (try objectExpectations(of: content, in: run, without: undetermined(in: content)))
    return items.isEmpty ? run.modelExpectations : items
  }

  /// What came of a run from one of several starts.
  enum Outcome: Hashable {
    case everythingMigrated
    /// Expectations that hold instead.
    case otherwise([Notation])
    /// Rows are lost that other steps, with mapping files, would have kept; these expectations hold instead.
    case loses([Notation])
    /// The chain ends with an error.
    case fails(FoundFailure)
    /// No sample is accepted by the store of that version, or the run can't be told of in a scenario.
    case unplayable(String)
  }

  /// Plays the scenario from one of its starts.
  func outcome(from start: String) throws -> Outcome {
    let run = try makeRun(from: start)
    run.play()
    if let failure = run.facts.failure {
      if failure.isOfMissingPolicy { return .unplayable(failure.policyText) }
      return .fails(try FoundFailure(failure))
    }
    let others = run.result.failures.filter { !$0.kind.isEmptiness && $0.kind != .expectation }
    if let other = others.first {
      return .unplayable("\(other.kind.rawValue): \(other.subject): \(other.found)")
    }
    if run.provenance.origins.isEmpty {
      return .unplayable("no sample can be made for its entities")
    }
    let items = run.originExpectations
    return items == [.everySourceMigrated] ? .everythingMigrated : .otherwise(items)
  }

  // MARK: Expectations

  /// Of the new model what its objects don't tell.
  private func untoldExpectations(of content: ContentSnapshot) throws -> [Notation] {
    if scenario.scenario.chain.isEmpty { return [] }
    let before = try scenario.model(scenario.starts.first ?? "").entities
    let fields = content.objects.map(\.entity).uniqued().flatMap { entity in
      ModelFacts.untold(
        of: entity, before: before.first { $0.renamingIdentifier == entity.renamingIdentifier })
    }.uniqued()
    return fields.isEmpty ? [] : [.map([.init(key: "model", value: .map(fields))])]
  }

  static func stepExpectations(_ run: ScenarioRun) -> [Notation] {
    if run.scenario.scenario.chain.isEmpty { return [] }
    let uses = Set(run.result.executedSteps.compactMap(\.mapping))
    if uses.count > 1 { return [] }
    return [uses.first.map { .entry("mapping", .text($0.rawValue)) } ?? .entry("steps", .list([]))]
  }

  /// The attributes, by the labels of objects, that come out otherwise when the same is done again: new identifiers, the
  /// time of day.
  private func undetermined(in content: ContentSnapshot) throws -> [String: Set<String>] {
    let run = try makeRun()
    run.play()
    let again = Dictionary(run.snapshots.last?.content.objects.map { ($0.label, $0) } ?? []) {
      first, _ in first
    }
    return content.objects.reduce(into: [:]) { names, object in
      guard let other = again[object.label] else { return }
      let differing = zip(object.entity.attributes, zip(object.values, other.values))
        .filter { $1.0 != $1.1 }.map(\.0.name)
      names[object.label, default: []].formUnion(differing)
    }
  }

  private func objectExpectations(
    of content: ContentSnapshot, in run: ScenarioRun, without undetermined: [String: Set<String>]
  ) throws -> [Notation] {
    let before = try scenario.model(scenario.starts.first ?? "")
    let newlyOrdered = run.newlyOrdered
    let labels = Dictionary(grouping: content.objects, by: \.label)
    let names = content.objects.map { object -> String? in
      let known = object.origins.compactMap { run.provenance.origins[$0].name }
      return labels[object.label]?.count == 1 ? known.first : nil
    }
    let uses = Dictionary(grouping: names.compactMap(\.self), by: \.self).mapValues(\.count)
    return zip(content.objects, names).compactMap { object, name in
      guard name != nil else { return nil }
      let links = zip(object.entity.relationships, object.links).map {
        relationship, links -> Notation.Field in
        // Two objects that one row became have its name.
        let known = links.map { place in names[place].flatMap { uses[$0] == 1 ? $0 : nil } }
        // The order of what had none isn't known of a device.
        let isInDoubt = newlyOrdered.contains([relationship.entity.name, relationship.name])
        return .fact(relationship, known, most: isInDoubt ? 1 : 8)
      }
      return .object(
        object.label, has: Self.facts(of: object, before, undetermined[object.label] ?? []) + links)
    }
  }

  /// What the object holds: first what the old version didn't have, be it nothing.
  private static func facts(
    of object: ContentSnapshot.Object, _ before: ManagedObjectModel, _ undetermined: Set<String>
  ) -> [Notation.Field] {
    let known = before.entity(named: object.entity.name)
    var (new, old): ([Notation.Field], [Notation.Field]) = ([], [])
    for (attribute, value) in zip(object.entity.attributes, object.values) {
      let isNew = known?.attribute(named: attribute.name) == nil
      guard isNew || !value.isNull, !attribute.isTransient,
        let notation = value.notation(as: attribute)
      else { continue }
      let isAny = undetermined.contains(attribute.name)
      let field = Notation.Field(key: attribute.name, value: isAny ? .text("present") : notation)
      if isNew { new.append(field) } else { old.append(field) }
    }
    return new + old
  }
}
