/// The scenarios of `heavyweight init --all`: one for each step that has a mapping file or a finding of `check`,
/// and those that take stores of every version to the current one, on each way that the app may take.
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
    let way = ProjectFile.migration(ofModelAt: input.model.url)
    for route in way.map({ [$0.route] }) ?? Route.allCases {
      if let draft = try await matrix(route) { drafts.append(draft) }
    }
    if !drafts.isEmpty { return drafts }
    let newest = try FirstStep(newestOf: input.model, mappings: input.mappings)
    var draft = try await job.draft(of: newest, in: input.model)
    if released.count > 1, !isAnythingToMigrate {
      draft.remarks.append(
        "There is nothing to migrate: the versions that stores come from equal the current one.")
    }
    return [draft.written]
  }

  /// Whether there is a version to start from: stores of one that is equal to the current one open as they are.
  private var isAnythingToMigrate: Bool {
    let starts = released.dropLast().filter { !except.contains($0.shownName) }
    // That none is left is a mistake, and told as that.
    if starts.isEmpty { return released.count > 1 }
    let hashes = released.last?.entityVersionHashesByName
    return starts.contains { $0.entityVersionHashesByName != hashes }
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
    // What no store comes from, and none passes, needs no test.
    let shipped = released.drop { except.contains($0.shownName) }
    return try zip(shipped, shipped.dropFirst()).compactMap { source, destination in
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

  /// - Returns: Nil where there is nothing to start from.
  func matrix(_ route: Route) async throws -> WrittenDraft? {
    guard isAnythingToMigrate else { return nil }
    let files = try job.policyFiles(of: input.mappings.candidates.policyClasses, input.model)
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
      var outcome = try trial.outcome(from: start)
      if case .otherwise(let items) = outcome, route == .direct, skipsMappings(from: start) {
        outcome = .loses(items)
      }
      draft.outcomes.append((start, outcome))
    }
    return draft.written
  }

  /// Whether one step passes over mapping files of steps on the way.
  private func skipsMappings(from start: String) -> Bool {
    guard let place = released.firstIndex(where: { $0.shownName == start }),
      let last = released.last,
      input.mappings.running(from: released[place], to: last, takingOne: true).isEmpty
    else { return false }
    let way = released[place...]
    return zip(way, way.dropFirst()).contains {
      !input.mappings.running(from: $0, to: $1).isEmpty
    }
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
    let (count, failing) = (playedCount, broken.count)
    let told = failing == 0 ? "" : ", of which \(failing) \(failing == 1 ? "fails" : "fail")"
    return WrittenDraft(
      fileName: fileName, text: text, remarks: allRemarks + failures,
      summary: "every version \(route.rawValue): \(count.counted("start"))\(told)")
  }

  /// A start from which an app's store isn't opened, or loses what it shouldn't.
  private typealias Broken = (start: String, found: [Notation], text: String)

  /// What is to be expected of them is for a person to say.
  private var broken: [Broken] {
    outcomes.compactMap { start, outcome in
      switch outcome {
      case .fails(let failure):
        (start, failure.expectations, route == .direct ? failure.textInAnyStep : failure.text)
      case .loses(let items): (start, items, "rows are lost, and no mapping model on the way runs")
      case .everythingMigrated, .otherwise, .unplayable: nil
      }
    }
  }

  private var failures: [String] {
    if broken.isEmpty { return [] }
    let own =
      "If the app takes every step by itself, remove this scenario, and write 'migration: progressive' into "
      + "heavyweight.yaml."
    return Self.byStart(broken.map { ($0.start, $0.text) }).map { text, starts in
      FoundFailure.remark("From \(words(starts)) \(route.way)", text)
    } + (route == .direct ? [own] : [])
  }

  /// What goes well and what doesn't are scenarios of their own: the one is green, and the other is somebody's to judge.
  var text: String {
    let isAnyKept = outcomes.isEmpty || isUnplayable || playedCount > broken.count
    return ((isAnyKept ? [whole] : []) + (broken.isEmpty ? [] : [failing]))
      .map(ScenarioParts.text).joined(separator: "---\n")
  }

  private var whole: [String] {
    let left = isUnplayable ? [] : unplayable.map(\.start)
    let skip = isUnplayable ? ["skip: " + ScenarioParts.scalar(unplayable[0].found)] : []
    return [
      ScenarioSchema(for: folder).line,
      "# Stores of every version of \(model.url.lastPathComponent) reach the current one \(route.way).",
      "#",
      "# A version added to the model later is tested without an edit here. The rows are samples, one object",
      "# of each entity. Versions that never shipped are left out by name: 'start: { except: [App 3] }'.",
    ] + Self.comments(allRemarks) + skip
      + body(
        broken.isEmpty ? "every version" : "every other version",
        start: starts(except: except + left + broken.map(\.start)))
      + ScenarioParts.expectations(expectations)
  }

  private var failing: [String] {
    let names = broken.map(\.start)
    let found = Self.byStart(broken.map { ($0.start, $0.found) })
      .flatMap { found, starts in found.map { $0.from(Self.list(starts)) } }
    return [ScenarioSchema(for: folder).line] + Self.comments(failures)
      + body(words(names), start: Self.list(names))
      + ScenarioParts.expectations([.everySourceMigrated]) + FoundFailure.lines(found)
  }

  private static func comments(_ remarks: [String]) -> [String] {
    remarks.flatMap { ["#"] + FirstScenario.comment($0) }
  }

  /// How many starts could be played.
  private var playedCount: Int { outcomes.count - unplayable.count }

  /// Whether no run can start anywhere.
  private var isUnplayable: Bool { !outcomes.isEmpty && playedCount == 0 }

  /// - Parameter versions: Of which the stores are, in words.
  private func body(_ versions: String, start: Notation) -> [String] {
    let parts = ScenarioParts(folder: folder)
    let title = "Stores of \(versions) reach the current one \(route.way)"
    return [
      "scenario: " + ScenarioParts.scalar(title),
      "models: " + parts.path(to: model.url),
    ] + (policies.map(parts.policies) ?? []) + [
      "seed: samples",
      Notation.entry("start", start).yaml(inFlow: false),
      "chain: \(route.rawValue)",
    ]
  }

  private var unplayable: [(start: String, found: String)] {
    outcomes.compactMap { start, outcome in
      if case .unplayable(let reason) = outcome { (start, reason) } else { nil }
    }
  }

  private var allRemarks: [String] {
    let losing = outcomes.filter { if case .otherwise = $0.outcome { true } else { false } }
      .map(\.start)
    let loss =
      "From \(words(losing)) rows are lost \(route.way); the scenario expects it: see 'dropped'."
    return remarks + (losing.isEmpty ? [] : [loss])
      + Self.byStart(unplayable).map { reason, starts in
        "No run starts at \(words(starts)): \(reason)"
      }
  }

  private func starts(except names: [String]) -> Notation {
    names.isEmpty ? .text("every") : .map([.init(key: "except", value: Self.list(names))])
  }

  private static func list(_ names: [String]) -> Notation { .list(names.map(Notation.text)) }

  /// Starts with the same end share one; all others must keep everything, those to come as well.
  private var expectations: [Notation] {
    let groups = Self.byStart(
      outcomes.compactMap { start, outcome in
        if case .otherwise(let items) = outcome { (start, items) } else { nil }
      })
    let others = groups.flatMap(\.starts)
    // Before it was tried there is nothing to leave out.
    let isAnyWhole = outcomes.isEmpty || outcomes.contains { $0.outcome == .everythingMigrated }
    let whole =
      others.isEmpty
      ? Notation.everySourceMigrated : .everySourceMigrated.from(starts(except: others))
    return (isAnyWhole ? [whole] : [])
      + groups.flatMap { items, starts in items.map { $0.from(Self.list(starts)) } }
  }

  /// Starts in words: three and more that follow one another by the first and the last.
  private func words(_ starts: [String]) -> String {
    var runs: [ClosedRange<Int>] = []
    for place in outcomes.indices where starts.contains(outcomes[place].start) {
      if let run = runs.last, run.upperBound + 1 == place {
        runs[runs.count - 1] = run.lowerBound...place
      } else {
        runs.append(place...place)
      }
    }
    return runs.flatMap { run in
      let names = outcomes[run].map(\.start)
      return names.count > 2 ? ["\(names[0]) to \(names[names.count - 1])"] : names
    }.joined(separator: ", ")
  }

  /// What was found from several starts, once with all of them.
  private static func byStart<Found: Equatable>(
    _ all: [(start: String, found: Found)]
  ) -> [(found: Found, starts: [String])] {
    var groups: [(found: Found, starts: [String])] = []
    for (start, found) in all {
      if let index = groups.firstIndex(where: { $0.found == found }) {
        groups[index].starts.append(start)
      } else {
        groups.append((found, [start]))
      }
    }
    return groups
  }
}

extension MigrationWay {
  /// The way through the versions that comes nearest to it.
  var route: Route { self == .automatic ? .direct : .stepwise }
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
