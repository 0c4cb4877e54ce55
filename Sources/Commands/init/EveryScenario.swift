/// The scenarios of `heavyweight init --all`: one for each step that has a mapping file or a finding of `check`,
/// and two that take stores of every version to the current one.
struct EveryScenario {
  let job: DraftJob
  let input: ModelInput
  /// Versions of which there are no stores, because they never shipped.
  let except: [String]

  func drafts() async throws -> [WrittenDraft] {
    try checkNames()
    var drafts: [WrittenDraft] = []
    let steps = try steps()
    for step in steps {
      let isNewest = step.source === steps.last?.source
      drafts.append(
        try await job.draft(of: step, in: input.model, isNewest: isNewest).written)
    }
    for route in Route.allCases {
      if let draft = try await matrix(route) { drafts.append(draft) }
    }
    if !drafts.isEmpty { return drafts }
    let newest = try FirstStep(newestOf: input.model, mappings: input.mappings)
    return [try await job.draft(of: newest, in: input.model).written]
  }

  private func checkNames() throws {
    let known = input.model.versions.map(\.shownName)
    let unknown = except.filter { !known.contains($0) }
    if unknown.isEmpty { return }
    throw Diagnostics(
      unknown.map { name in
        let hint = Spelling.hint(for: name, among: known, called: "versions")
        return Diagnostic(file: "--except", "there is no version '\(name)'\(hint)")
      })
  }

  // MARK: Steps

  /// The steps up to the current version that are worth a scenario of their own.
  func steps() throws -> [FirstStep] {
    let model = input.model
    let report = try ModelCheck(model, mappings: input.mappings).run()
    let found = Set(report.findings.compactMap(\.subject.step))
    return try zip(released, released.dropFirst()).compactMap { source, destination in
      if source.entityVersionHashesByName == destination.entityVersionHashesByName { return nil }
      let step = try FirstStep(
        from: source, to: destination, of: model, mappings: input.mappings)
      return step.mappings.isEmpty && !found.contains(VersionPair(source, destination)) ? nil : step
    }
  }

  var released: [ManagedObjectModel] {
    let versions = input.model.versions
    guard let current = versions.firstIndex(where: { $0.name == input.model.currentVersionName })
    else { return versions }
    return Array(versions[...current])
  }

  // MARK: Every version

  static func policyClasses(in mappings: MappingFolder) -> [String] {
    let names = mappings.candidates.flatMap(\.model.entityMappings)
      .compactMap(\.entityMigrationPolicyClassName)
    return Array(Set(names)).sorted()
  }

  /// - Returns: Nil where there is nothing to start from.
  func matrix(_ route: Route) async throws -> WrittenDraft? {
    guard released.count > 1 else { return nil }
    let files = try job.policyFiles(of: Self.policyClasses(in: input.mappings), input.model)
    var draft = VersionMatrix(
      model: input.model, route: route, except: except,
      policies: job.files.policies.isEmpty || job.leavesPoliciesToProject ? nil : files,
      folder: URL(fileURLWithPath: job.folder, isDirectory: true))
    if let problem = placeProblem, !job.leavesPoliciesToProject {
      draft.remarks.append(problem)
    }
    var tried = draft
    tried.folder = draft.folder.nearestFolder
    let trial = try await FirstScenarioTrial(tried.text, called: tried.fileName, in: tried.folder)
    for start in trial.scenario.starts {
      draft.outcomes.append((start, try trial.outcome(from: start)))
    }
    return draft.written
  }

  /// Mapping files elsewhere are none of what such a scenario finds.
  var placeProblem: String? {
    let home = ModelHome(ofModelAt: input.model.url).folder.standardizedFileURL.path
    let others = input.mappings.mappings.map(\.file.url)
      .filter { !input.mappings.elsewhere.contains($0) }.map(\.standardizedFileURL.path)
      .filter { !$0.hasPrefix(home + "/") }
    guard !others.isEmpty else { return nil }
    let names = others.prefix(3).map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
    return
      "A chain made of the model's versions finds mapping models beside the model only, as in the app's "
      + "bundle: without \(names)\(others.count > 3 ? ", …" : ""). Write the steps with their files, or move the files."
  }
}

/// A scenario that starts at every version of a model.
private struct VersionMatrix {
  let model: VersionedModel
  let route: Route
  let except: [String]
  /// Nil for those that are found beside the model.
  let policies: StepPolicies?
  var folder: URL
  var outcomes: [(start: String, outcome: FirstScenarioTrial.Outcome)] = []
  var remarks: [String] = []

  var fileName: String { FirstScenario.fileName(for: "Every-version-\(route.rawValue)") }

  var written: WrittenDraft {
    let count = outcomes.count - unplayable.count
    let failing = failingCount
    let verb = failing == 1 ? "expects" : "expect"
    let told = failing == 0 ? "" : ", of which \(failing) \(verb) the error that the app gets"
    return WrittenDraft(
      fileName: fileName, text: text, remarks: allRemarks,
      summary: "every version \(route.rawValue): \(count.counted("start"))\(told)")
  }

  /// How many starts end with an error.
  var failingCount: Int {
    outcomes.count { _, outcome in
      if case .fails = outcome { true } else { false }
    }
  }

  var text: String { ScenarioParts.text(heading + body + ScenarioParts.expectations(expectations)) }

  private var title: String {
    let failing = failingCount
    let whole = "Stores of every version reach the current one \(route.way)"
    if failing == 0 { return whole }
    let isAll = failing == outcomes.count - unplayable.count
    return isAll ? "Stores of no version reach the current one \(route.way)" : whole + ", or fail"
  }

  private var heading: [String] {
    let remarks = allRemarks.flatMap { ["#"] + FirstScenario.comment($0) }
    let skip = isUnplayable ? ["skip: " + ScenarioParts.scalar(unplayable[0].reason)] : []
    return [
      ScenarioSchema(for: folder).line,
      "# Stores of every version of \(model.url.lastPathComponent) reach the current one \(route.way).",
      "#",
      "# A version added to the model later is tested without an edit here. The rows are samples, one object",
      "# of each entity. Versions that never shipped are left out by name: 'start: { except: [App 3] }'.",
    ] + remarks + skip
  }

  /// Whether no run can start anywhere.
  private var isUnplayable: Bool { !outcomes.isEmpty && unplayable.count == outcomes.count }

  private var parts: ScenarioParts { ScenarioParts(folder: folder) }

  private var body: [String] {
    let model = parts.path(to: model.url)
    return [
      "scenario: " + ScenarioParts.scalar(title),
      "models: " + model,
    ] + (policies.map(parts.policies) ?? []) + [
      "seed: samples",
      Notation.entry(
        "start", starts(except: except + (isUnplayable ? [] : unplayable.map(\.start)))
      ).yaml(inFlow: false),
      "chain: \(route.rawValue)",
    ]
  }

  private var unplayable: [(start: String, reason: String)] {
    outcomes.compactMap { start, outcome in
      if case .unplayable(let reason) = outcome { (start, reason) } else { nil }
    }
  }

  private var allRemarks: [String] {
    let losing = outcomes.filter { if case .otherwise = $0.outcome { true } else { false } }
      .map(\.start).joined(separator: ", ")
    let loss = "From \(losing) rows are lost \(route.way); the scenario expects it: see 'dropped'."
    return remarks + (losing.isEmpty ? [] : [loss])
      + unplayable.map(\.reason).uniqued().map { reason in
        let starts = unplayable.filter { $0.reason == reason }.map(\.start)
        return "No run starts at \(starts.joined(separator: ", ")): \(reason)"
      }
  }

  private func starts(except names: [String]) -> Notation {
    names.isEmpty ? .text("every") : .map([.init(key: "except", value: Self.list(names))])
  }

  private static func list(_ names: [String]) -> Notation { .list(names.map(Notation.text)) }

  /// Starts with the same end share one; all others must keep everything, those to come as well.
  private var expectations: [Notation] {
    var groups: [(items: [Notation], starts: [String])] = []
    for (start, outcome) in outcomes {
      let items: [Notation]
      switch outcome {
      case .otherwise(let others): items = others
      case .fails(let error): items = [error]
      case .everythingMigrated, .unplayable: continue
      }
      if let index = groups.firstIndex(where: { $0.items == items }) {
        groups[index].starts.append(start)
      } else {
        groups.append((items, [start]))
      }
    }
    let others = groups.flatMap(\.starts)
    // Before it was tried there is nothing to leave out.
    let isAnyWhole = outcomes.isEmpty || outcomes.contains { $0.outcome == .everythingMigrated }
    let whole =
      others.isEmpty
      ? Notation.everySourceMigrated : .everySourceMigrated.from(starts(except: others))
    return (isAnyWhole ? [whole] : [])
      + groups.flatMap { group in group.items.map { $0.from(Self.list(group.starts)) } }
  }
}

extension Route {
  /// How it leads from version to version, in words.
  var way: String {
    switch self {
    case .stepwise: "version by version"
    case .direct: "in one step, as Core Data does by itself"
    }
  }
}

extension Notation {
  /// An expectation with the starts that it is about.
  fileprivate func from(_ starts: Notation) -> Notation {
    guard case .entry(let key, let value) = self else { return self }
    return .map([.init(key: key, value: value), .init(key: "start", value: starts)])
  }
}
