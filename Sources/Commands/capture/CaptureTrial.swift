/// Plays what is captured, to see that it comes to what the store's migration does.
struct CaptureTrial {
  let scenario: CapturedScenario
  let policies: any PolicyProvider
  /// Where the scenario is written.
  let folder: URL

  private var file: URL { folder.appending(path: CapturedScenario.fileName) }

  /// A scenario that holds on both backends.
  struct Played {
    let text: String
    let expectationCount: Int
    let remarks: [String]
  }

  // MARK: Outcomes

  func outcome(of start: CapturedScenario.Start) throws -> MigrationOutcome {
    try Self.outcome(of: run(scenario.text(from: start, title: "a trial")))
  }

  private static func outcome(of run: ScenarioRun) throws -> MigrationOutcome {
    if let failure = run.facts.failure { return MigrationOutcome(failure) }
    guard let content = run.snapshots.last?.content else {
      let problem = run.result.failures.first
      throw CaptureFailure("the store can't be migrated here: \(problem?.found ?? "no result")")
    }
    return MigrationOutcome(content)
  }

  /// Plays a text on SQLite, in a folder of its own.
  private func run(_ text: String) throws -> ScenarioRun {
    let checked = try check(text)
    return try ScratchFolder.with { folder in
      let run = ScenarioRun(
        checked, id: RunID(checked, start: checked.starts.first ?? "", backend: .sqlite),
        stores: try SQLiteStores(folder: folder, destination: nil), policies: policies)
      checked.withSurroundings { run.play() }
      if let fault = run.result.machineFault { MachineFaultWatch.note(fault) }
      return run
    }
  }

  private func check(_ text: String) throws -> CheckedScenario {
    let source = SourceFile(path: CapturedScenario.fileName, text: text)
    return try CheckedScenario.check(ScenarioReader.read(source, in: folder))
  }

  // MARK: The scenario

  /// - Throws: ``CaptureFailure`` where rows don't come to what the store does, or nothing of it holds on both
  ///   backends.
  func play(
    _ rows: CapturedRows, _ outcome: MigrationOutcome, isAnonymized: Bool
  ) throws -> Played {
    let (start, run, dirtyRemarks) = try seeded(rows)
    let differences = try Self.outcome(of: run).differences(from: outcome)
    let isSame = try Self.outcome(of: run).isSameKind(as: outcome)
    guard differences.isEmpty || isAnonymized && isSame else {
      let cause =
        isAnonymized ? "with other values" : "as rows of a seed, which are saved again,"
      throw CaptureFailure(
        (["\(cause) the store gives a different result:"] + differences.prefix(10).map { "  " + $0 }
          + (isAnonymized ? ["use --unchanged for a property whose values matter"] : []))
          .joined(separator: "\n"))
    }
    return try verified(
      start, expecting: CapturedExpectations(run), isFailure: outcome.failure != nil,
      isAnonymized: isAnonymized,
      remarks: dirtyRemarks
        + differences.prefix(10).map { "anonymized, it gives a different result: \($0)" })
  }

  /// A play of the rows: as an app saves them or, where the model refuses them, past validation.
  private func seeded(
    _ rows: CapturedRows
  ) throws -> (start: CapturedScenario.Start, run: ScenarioRun, remarks: [String]) {
    func play(_ start: CapturedScenario.Start) throws -> ScenarioRun {
      let run = try run(scenario.text(from: start, title: "a trial"))
      guard run.facts.failure == nil, run.snapshots.isEmpty else { return run }
      throw CaptureFailure(
        "the store's rows can't be written as a seed: "
          + (run.result.failures.first.map { ([$0.found] + $0.notes).joined(separator: "\n") } ?? "")
          + "\nname the store in a scenario instead (`store:`): see docs/field-report.md")
    }
    let (clean, dirty) = (
      CapturedScenario.Start.rows(rows.rows, validates: true),
      CapturedScenario.Start.rows(rows.rows, validates: false)
    )
    do { return (clean, try play(clean), []) } catch {
      guard error is CaptureFailure || error is Diagnostics else { throw error }
      // The first error is the one to tell.
      guard let run = try? play(dirty) else { throw error }
      return (dirty, run, [Self.dirtyRemark])
    }
  }

  /// The text with all expectations that hold on both backends.
  private func verified(
    _ start: CapturedScenario.Start, expecting expectations: CapturedExpectations, isFailure: Bool,
    isAnonymized: Bool, remarks: [String]
  ) throws -> Played {
    let about = CapturedText.about + (isAnonymized ? [CapturedText.anonymous] : [])
    var problems: [Failure] = []
    let general = try expectations.general()
    for items in [general + expectations.objects, general] {
      let text = scenario.text(
        from: start, title: CapturedText.title(scenario.versions, isFailure: isFailure),
        about: about, expecting: items)
      problems = try failures(of: text)
      if problems.isEmpty {
        let isShort = items.count < (general + expectations.objects).count
        return Played(
          text: text, expectationCount: items.count,
          remarks: remarks + (isShort ? [Self.shortRemark] : []))
      }
    }
    throw CaptureFailure(
      "the new scenario doesn't pass:\n"
        + problems.map { "  \($0.subject): expected \($0.expected), found \($0.found)" }
        .joined(separator: "\n"))
  }

  private static let dirtyRemark =
    "the store has rows that its model refuses when they are saved: here they get past its validation (`.validation: "
    + "false`)"

  private static let shortRemark =
    "no single objects are expected: their values differ from run to run"

  private func failures(of text: String) throws -> [Failure] {
    let checked = try check(text)
    let results = checked.starts.flatMap { ScenarioSuite().run(checked, from: $0, with: policies) }
    for fault in results.compactMap(\.machineFault) { MachineFaultWatch.note(fault) }
    return results.flatMap(\.failures)
  }

  // MARK: The file

  func write(_ text: String) throws {
    do { try Data(text.utf8).write(to: file) } catch {
      throw CaptureFailure("can't write the scenario: \(error.plainText)")
    }
  }

  func removeFile() throws { try FileManager.default.removeItem(at: file) }
}

extension MigrationOutcome {
  /// Whether both are the same failure, or as many objects of each entity.
  func isSameKind(as other: MigrationOutcome) -> Bool {
    failure == other.failure && objects.mapValues(\.count) == other.objects.mapValues(\.count)
  }
}

extension CapturedScenario {
  /// What the app itself says, which is no secret of its users.
  func vocabulary() throws -> AppVocabulary {
    try AppVocabulary(
      models: [route.source] + steps.map(\.destinationModel),
      mappings: steps.compactMap { try? $0.chooseMapping() }.flatMap(\.mappings).map(\.model),
      policies: policies.sources + policies.stubs.map { URL(fileURLWithPath: $0.path) })
  }
}

/// Why nothing was captured.
struct CaptureFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = "error: " + description }
}
