/// What `heavyweight init` does beside writing the file, in whatever process.
package struct DraftJob: IsolatedJob {
  let files: MigrationFiles
  let folder: String
  var scope = Scope.newest
  /// Whether the project file names the policies.
  var leavesPoliciesToProject = false
  /// How the app's code ended the process at an entity's objects.
  private(set) var deaths: [String: [String]] = [:]

  /// Which scenarios are written.
  package enum Scope: Codable, Sendable {
    /// One for the newest step.
    case newest
    /// One for each step that has a mapping file or a finding, and those from every version but some.
    case all(except: [String])
    /// One for a step between two versions.
    case step(from: String, to: String, isNewest: Bool)
    /// One for each of the stores at these paths.
    case stores([String])
    /// One for stores of every version.
    case matrix(Route)

    var isForRepository: Bool { if case .step = self { true } else { false } }
  }

  package enum Answer: Codable {
    case drafts(WrittenDrafts)
    case failed(String)
  }

  /// Takes the smallest numbers for the object with which a process ended, and after a second time leaves nothing of it
  /// out: code that counts with numbers, as an index or a factor, or unwraps what users always have may trust them, and
  /// nobody but this command has others.
  /// - Returns: Whether that may help.
  mutating func avoid(_ death: PolicyDeath) -> Bool {
    if case .matrix = scope { return false }
    if case .stores = scope { return false }
    guard let entity = death.object?.split(separator: "/").first.map(String.init),
      death.isCrash, deaths[entity, default: []].count < 2
    else { return false }
    deaths[entity, default: []].append(death.summary)
    return true
  }

  package func perform(tell: (JobProgress) -> Void) async -> Answer {
    do { return .drafts(try await drafts()) } catch { return .failed("\(error)") }
  }

  /// - Throws: What is wrong with the files that were given, before anything is written.
  func drafts() async throws -> WrittenDrafts {
    let input = try input()
    switch scope {
    case .newest:
      let step = try FirstStep(newestOf: input.model, mappings: input.mappings)
      return WrittenDrafts(all: [try await draft(of: step, in: input.model).written])
    case .all(let except):
      let every = EveryScenario(job: self, input: input, except: except)
      return WrittenDrafts(all: try await every.drafts())
    case .stores(let paths):
      return try await EveryScenario(job: self, input: input, except: [])
        .drafts(of: paths.map { URL(fileURLWithPath: $0) })
    case .step(let source, let destination, let isNewest):
      let step = try FirstStep(from: source, to: destination, in: input)
      let draft = try await draft(of: step, in: input.model, isNewest: isNewest)
      return WrittenDrafts(all: [draft.written])
    case .matrix(let route):
      let draft = try await EveryScenario(job: self, input: input, except: []).matrix(route)
      return WrittenDrafts(all: [draft].compactMap(\.self))
    }
  }

  /// A scenario for a step that isn't played, since nothing could be learnt of it.
  /// - Parameter reason: Why, and what to do about it.
  func skippedDraft(of step: FirstStep, in model: VersionedModel, because reason: String)
    -> WrittenDraft
  {
    var draft = FirstScenario(
      step: step, model: model, rows: SampleRows(of: step.entities, in: step.start).rows,
      policies: nil, folder: URL(fileURLWithPath: folder, isDirectory: true), isNewest: false)
    draft.skip = reason
    draft.expectations = [.everySourceMigrated]
    // Even what isn't run must be read.
    if (try? draft.checked()) == nil { draft.rows = [] }
    return draft.written
  }

  // MARK: The scenario

  /// - Parameter isNewest: Whether the step is the newest one, for the words at the top.
  func draft(
    of step: FirstStep, in model: VersionedModel, isNewest: Bool = true
  ) async throws -> FirstScenario {
    let files = try policyFiles(of: step.policyClasses, model)
    // As Xcode makes a new model: there is nothing that could be expected of it.
    let isEmpty = step.start.entities.isEmpty && step.destination.entities.isEmpty
    var excluded: Set<String> = []
    var failing = FailingObjects()
    // One row, whose defaults differ from its values, and others to be mixed up with.
    var copies = scope.isForRepository ? 3 : 1
    var sharesLinks = true
    func samples(sharingLinks: Bool) -> SampleRows {
      SampleRows(
        of: step.entities, in: step.start, without: excluded.union(failing.entities),
        copies: copies, needing: failing.needed, smallIn: Set(deaths.keys),
        completeIn: failing.complete.union(deaths.filter { $0.value.count > 1 }.keys),
        sharingLinks: sharingLinks)
    }
    func draft(_ samples: SampleRows) -> FirstScenario {
      FirstScenario(
        step: step, model: model, rows: samples.rows,
        policies: leavesPoliciesToProject ? nil : files,
        folder: URL(fileURLWithPath: folder, isDirectory: true), isNewest: isNewest)
    }
    func observe(_ draft: inout FirstScenario, by trial: FirstScenarioTrial) throws {
      if isEmpty { draft.skip = "\(step.title) has no entities" }
      draft.remarks = remarks(step, excluded)
      draft.remarks += try trial.observe(&draft).map {
        unknownRemark(step.title, $0, isMapped: !step.mappings.isEmpty)
      }
    }
    while true {
      let rows = samples(sharingLinks: sharesLinks)
      var found = draft(rows)
      let trial: FirstScenarioTrial
      do { trial = try await FirstScenarioTrial(found) } catch  where copies > 1 {
        copies = 1
        continue
      } catch is Diagnostics where !rows.incomplete.isEmpty {
        excluded.formUnion(rows.incomplete)
        continue
      }
      if copies > 1, try trial.refusedEntity() != nil {
        copies = 1
        continue
      }
      if let refused = try trial.refusedEntity() {
        // Refused although it has no row of its own: better none at all.
        if !excluded.insert(refused).inserted { excluded = Set(step.start.entities.map(\.name)) }
        continue
      }
      try observe(&found, by: trial)
      if copies > 1, found.hasDoubtfulLinks, sharesLinks {
        sharesLinks = false
        continue
      }
      if copies > 1, failing.take(found) { continue }
      found.failing = failing.drafts.filter { $0.failure?.text != found.failure?.text }
      found.remarks += found.failure.map { [$0.remark(step.title)] } ?? []
      if !sharesLinks, !found.hasDoubtfulLinks {
        var shared = draft(samples(sharingLinks: true))
        try observe(&shared, by: try await FirstScenarioTrial(shared))
        shared.failingRows = .sharingLinks
        if shared.hasDoubtfulLinks { found.failing.append(shared) }
      }
      return found
    }
  }

  /// - Throws: When a folder can't be searched.
  func filesForSandbox() throws -> SandboxFiles {
    var files = try files.filesForSandbox()
    if case .stores(let paths) = scope {
      for path in paths { try files.readNamedStore(URL(fileURLWithPath: path)) }
    }
    return files
  }

  private func input() throws -> ModelInput {
    let input = try files.input()
    // Without a file for one of its steps the scenario would be about something else.
    var versions: [ManagedObjectModel]?
    if case .step(let source, let destination, _) = scope {
      versions = [source, destination].compactMap(input.model.version(named:))
    }
    if case .matrix = scope { return input }
    try input.mappings.checkUnreadable(for: input.model, among: versions)
    return input
  }

  func policyFiles(of classes: [String], _ model: VersionedModel) throws -> StepPolicies {
    try StepPolicies(
      of: classes, given: files.policies, module: files.module, stubs: files.stubs,
      below: ModelHome(ofModelAt: model.url).folder)
  }

  /// Compiles the policies, if there are any, without loading them.
  /// - Returns: The folders of their sources, nil where the scenario runs no policies; and what is said of mapping
  ///   files that nobody named.
  /// - Throws: What is wrong in the files.
  func preparePolicies() async throws -> (folders: Set<String>?, notes: [String]) {
    let input = try input()
    var folders: Set<String> = []
    for classes in try policyClasses(of: input) {
      folders.formUnion(try await policyFiles(of: classes, input.model).prepare() ?? [])
    }
    if folders.isEmpty { try files.stubs.requirePolicies([]) }
    let notes = input.mappings.passedOverNotes + input.mappings.unplacedNotes
    return (folders.isEmpty ? nil : folders, notes)
  }

  /// The policies of each scenario, which are a library of their own.
  private func policyClasses(of input: ModelInput) throws -> [[String]] {
    if case .stores = scope { return [input.mappings.candidates.policyClasses] }
    guard case .all(let except) = scope else {
      return [try FirstStep(newestOf: input.model, mappings: input.mappings).policyClasses]
    }
    let all = input.mappings.candidates.policyClasses
    if all.isEmpty { return [all] }
    return [all]
      + (try EveryScenario(job: self, input: input, except: except).steps().map(\.policyClasses))
  }

  /// The files are written where they say, so that their names must be names.
  package func check(_ answer: Answer) throws {
    guard case .drafts(let drafts) = answer else { return }
    for draft in drafts.all where !draft.hasPlainName {
      throw CommandProblem(
        description: "the process with the policies answered with the file name "
          + "'\(draft.fileName.withoutControls)', which is none of a scenario; nothing was written")
    }
  }

  // MARK: Wording

  func unknownRemark(_ subject: String, _ unknown: String, isMapped: Bool = false) -> String {
    "\(subject) fails for now: \(unknown). "
      + (isMapped ? "Try it" : "Write a mapping model for the step, or try it") + " on a device "
      + "and accept it with 'accept: [{ finding: unknown-on-device, because: … }]'."
  }

  private func remarks(
    _ step: FirstStep, _ excluded: Set<String>
  ) -> [String] {
    var remarks: [String] = []
    if let error = step.verdict.error {
      let text = error.underlying.map { "\($0.reasonText)" } ?? error.reason
      let reason = text.hasSuffix(".") ? text : text + "."
      remarks.append(
        "\(step.title) has no mapping model and can't be inferred: \(reason) Give the mapping model with "
          + "--mappings, or write it after the step.")
    }
    for (entity, ends) in deaths.sorted(by: { $0.key < $1.key })
    where step.start.entity(named: entity) != nil {
      let isComplete = ends.count > 1 ? ", and no row of it leaves out what it may have" : ""
      remarks.append(
        "Numbers of \(entity) are 0, or the least that is allowed\(isComplete): with others the app's code ends the "
          + "process (\(ends.joined(separator: "; "))). Where users have such, write rows with them."
      )
    }
    if !excluded.isEmpty {
      remarks.append(
        "There are no rows of \(excluded.sorted().joined(separator: ", ")): no sample passes the "
          + "model's own rules. Write some by hand.")
    }
    return remarks
  }
}

/// Objects for which a step fails, where others may pass: each kind has a scenario of its own.
private struct FailingObjects {
  /// What no row is to be without any more.
  private(set) var needed: Set<SampleRows.Property> = []
  /// The entities whose rows are to have all values: an app's own error tells none of what it misses.
  private(set) var complete: Set<String> = []
  /// Those that there are to be no rows of.
  private(set) var entities: Set<String> = []
  private(set) var drafts: [FirstScenario] = []

  /// - Returns: Whether the step is to be tried without what it fails for.
  mutating func take(_ failed: FirstScenario) -> Bool {
    guard let failure = failed.failure, let entity = failure.entity else { return false }
    var draft = failed
    // Under another name, it may be any.
    let given = failure.property.map { Set(draft.step.properties(behind: $0)) } ?? []
    if let property = failure.property, !given.isSubset(of: needed) {
      needed.formUnion(given)
      draft.failingRows = .without(property)
    } else if failure.property == nil, complete.insert(entity).inserted {
      draft.failingRows = .incomplete(entity: entity)
    } else if draft.rows.contains(where: { $0.entity.name != entity }),
      entities.insert(entity).inserted
    {
      draft.failingRows = .of(entity: entity)
    } else {
      return false
    }
    draft.remarks.append(failure.remark(draft.title))
    drafts.removeAll { $0.failure == failure }
    drafts.append(draft)
    return true
  }
}

/// What a job found to write.
package struct WrittenDrafts: Codable {
  /// A store that there is no scenario for.
  struct LeftOut: Codable {
    let store: String
    let reason: String
    let isUnreadable: Bool
  }

  var all: [WrittenDraft] = []
  var leftOut: [LeftOut] = []
}

/// A first scenario as text.
package struct WrittenDraft: Codable {
  let fileName: String
  let text: String
  let remarks: [String]
  /// What is in it, in one line.
  let summary: String

  fileprivate var hasPlainName: Bool {
    fileName.hasSuffix(ScenarioFinder.suffixes[0]) && !fileName.hasPrefix(".")
      && !fileName.contains("/") && fileName.withoutControls == fileName
      && fileName.utf8.count <= Int(NAME_MAX)
  }
}

extension FirstScenario {
  var written: WrittenDraft {
    let verdict = step.source == nil ? "" : ", \(step.verdict.name)"
    let count = expectations.count.counted("expectation")
    let failures = ([self] + failing).compactMap(\.failure?.text).uniqued()
    let end = failures.isEmpty ? "" : "; fails: " + failures.joined(separator: ", ")
    return WrittenDraft(
      fileName: fileName, text: text, remarks: remarks + failing.flatMap(\.remarks),
      summary: skip.map { "\(step.title), skipped: \($0)" }
        ?? "\(step.title)\(verdict): \(rows.count.counted("row")), \(count)\(end)")
  }
}
