/// A scenario that takes a store of a shipped version to the current one.
private struct StoreScenario {
  let store: URL
  let name: String
  let model: VersionedModel
  /// Nil for a store that is of the current version.
  let route: Route?
  /// Nil for those that are found beside the model.
  let policies: StepPolicies?
  var folder: URL
  var version: String?
  var expectations: [Notation] = []
  var failure: FoundFailure?
  var remarks: [String] = []

  var fileName: String { FirstScenario.fileName(for: "Store-\(name)") }

  var text: String {
    let parts = ScenarioParts(folder: folder)
    let name = "The store \(name)" + (version.map { ", of \($0)," } ?? "")
    let title = "\(name) \(route.map { "goes on \($0.way)" } ?? "needs no step")"
    var lines = [
      ScenarioSchema(for: folder).line,
      "# What becomes of a store that a shipped version left. The expectations are what was found: add what",
      "# must have become of objects that matter.",
    ]
    lines += remarks.flatMap { ["#"] + FirstScenario.comment($0) }
    lines += ["scenario: " + ScenarioParts.scalar(title), "models: " + parts.path(to: model.url)]
    lines += policies.map(parts.policies) ?? []
    lines += ["store: " + parts.path(to: store), "chain: \(route?.rawValue ?? "[]")"]
    return ScenarioParts.text(
      lines + ScenarioParts.expectations(expectations) + (failure?.lines ?? []))
  }
}

extension EveryScenario {
  /// A draft for each store that a scenario can start from, and the others with the reason.
  /// - Throws: Faults of the machine.
  func drafts(of stores: [URL]) async throws -> WrittenDrafts {
    var drafts = WrittenDrafts()
    for store in stores {
      let folder = store.deletingLastPathComponent().lastPathComponent
      let isAlone = stores.count { $0.baseName == store.baseName } == 1
      do {
        drafts.all.append(
          try await draft(
            of: store, called: isAlone ? store.baseName : "\(folder)-\(store.baseName)"))
      } catch let problem as Diagnostics {
        drafts.leftOut.append(
          .init(
            store: RelativePath.shown(store),
            reason: problem.all.map(\.message).joined(separator: "; "), isUnreadable: false))
      } catch let error as CoreDataError where MachineFault(error) == nil {
        drafts.leftOut.append(
          .init(store: RelativePath.shown(store), reason: error.reason, isUnreadable: true))
      }
    }
    return drafts
  }

  private func draft(of store: URL, called name: String) async throws -> WrittenDraft {
    let metadata = try SQLiteStore.metadata(at: store)
    let isCurrent =
      released.last?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true
    let way = ProjectFile.migration(ofModelAt: input.model.url)
    let files = try job.policyFiles(of: input.mappings.candidates.policyClasses, input.model)
    var draft = StoreScenario(
      store: store, name: name, model: input.model,
      route: isCurrent ? nil : (way ?? .automatic).route,
      policies: job.files.policies.isEmpty ? nil : files,
      folder: URL(fileURLWithPath: job.folder, isDirectory: true).nearestFolder)
    let trial = try await FirstScenarioTrial(
      draft.text, called: draft.fileName, in: draft.folder)
    let (items, failure, unknowns) = try trial.outcomeOfStore()
    draft.folder = URL(fileURLWithPath: job.folder, isDirectory: true)
    (draft.version, draft.expectations) = (trial.scenario.starts.first, items)
    draft.failure = failure
    draft.remarks =
      (isCurrent ? [] : [placeProblem].compactMap(\.self))
      + unknowns.map { job.unknownRemark("The scenario", $0) }
    if let failure {
      draft.remarks.append(
        failure.remark(draft.route.map { "This store \($0.way)" } ?? "This store")
          + (way == nil
            ? " If the app goes version by version, write 'chain: stepwise', and 'migration: progressive' in "
              + "heavyweight.yaml." : ""))
    }
    let end = failure?.text ?? items.count.counted("expectation")
    return WrittenDraft(
      fileName: draft.fileName, text: draft.text, remarks: draft.remarks,
      summary: "a store of \(draft.version ?? "")\(draft.route.map { " \($0.way)" } ?? ""): \(end)")
  }
}

extension FirstScenarioTrial {
  /// What came of the store that the scenario starts from: expectations that hold, or should; the error that the chain
  /// ends with; and of what nobody knows whether a device does it.
  /// - Throws: ``Diagnostics`` where the run says nothing of the app.
  fileprivate func outcomeOfStore() throws -> ([Notation], FoundFailure?, unknowns: [String]) {
    let run = try makeRun()
    run.play()
    if let failure = run.facts.failure {
      return ([.everySourceMigrated], try FoundFailure(failure), [])
    }
    let all = run.result.failures.filter { !$0.kind.isEmptiness }
    let unknowns = all.filter { $0.kind == .unknownOnDevice }
    guard let content = run.snapshots.last?.content, unknowns.count == all.count else {
      throw Diagnostics(
        all.map { Diagnostic(file: "", "\($0.kind.rawValue): \($0.subject): \($0.found)") })
    }
    let names = content.objects.map(\.entity.name).uniqued()
    let any = run.scenario.models[run.finalVersion]?.entities.prefix(1).map(\.name) ?? []
    let counts = content.countExpectations(of: names.isEmpty ? any : names)
    return (
      Self.stepExpectations(run) + run.originExpectations + counts, nil, unknowns.map(\.found)
    )
  }
}
