import Synchronization

/// One call of `heavyweight smoke`.
struct SmokeSession {
  let command: SmokeCommand
  let files: MigrationFiles

  private var isConfined: Bool { command.confinement.sandbox }

  /// What a part of the test may take, in a process of its own.
  private var limits: RunLimits {
    RunLimits(
      seconds: command.timeout?.seconds ?? RunLimits.defaultSeconds,
      bytes: command.memory?.bytes ?? 500 << 20)
  }

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() async throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let (outputs, save) = (command.reports.outputs, command.output)
    let report = Mutex(SmokeReport(model: files.models.relativePath))
    outputs.tellAtTheEnd {
      report.withLock { current in
        current.isInterrupted = true
        return current
      }
    }
    if isConfined {
      try Sandbox.check()
      _ = try files.filesForSandbox()
    }
    if let save { try SmokeSaving(save).check() }
    let plan = try SmokeFiles(files, to: command.route.to)
    try await play(plan, report)
    try report.withLock { report in
      report.addUnplaced(plan)
      try settle(&report, plan)
    }
    if let save {
      // Minutes of work are told all the same.
      report.withLock { report in
        do { report.findings = try SmokeSaving(save).save(report.findings) } catch {
          report.remarks.append("\(error)")
        }
      }
    }
    let done = report.withLock(\.self)
    Interruption.sayAtTheEnd(nil)
    done.remarks.forEach(Console.complain)
    let status = try outputs.publish(
      done, findings: done.told(FindingPlaces(plan.model, plan.mappings)))
    // A model of one version has nothing to be sure of beside others.
    let isAlone = GatheredReports.current == nil
    return status == .nothingChecked && plan.steps.isEmpty && !isAlone ? .nothingFound : status
  }

  /// Puts aside what was accepted, and what is accepted now.
  private func settle(_ report: inout SmokeReport, _ plan: SmokeFiles) throws {
    let (all, acceptance, model) = (report, command.acceptance, plan.model.url)
    report.settle(plan, by: try acceptance.silencings(forModelAt: model))
    let entries = report.findings.map { BaselineEntry($0, plan.mappings) }
    if try acceptance.accept(entries, forModelAt: model) {
      report = all
      report.settle(plan, by: try acceptance.silencings(forModelAt: model))
    }
  }

  // MARK: Parts

  private func play(
    _ plan: SmokeFiles, _ report: borrowing Mutex<SmokeReport>
  ) async throws {
    let sources = try await plan.policies.prepare()
    let progress = ProgressLine()
    defer { progress.clear() }
    let steps = plan.steps
    let total = 2 * steps.count
    report.withLock { report in
      report.target = plan.target.shownName
      report.versions = plan.versions.map(\.shownName)
      report.remarks += plan.mappings.passedOverNotes
      report.remarks += plan.check.findings.filter { $0.rule == .transformerChanged }.map {
        "\($0.subject.parts.joined(separator: ": ")): is read by another transformer, and the rows here have plain values: "
          + "whether it reads the objects that the app archives isn't tried"
      }
      if !plan.policies.missing.isEmpty {
        report.remarks.append(
          "no Swift file declares \(plan.policies.missing.joined(separator: ", ")): give the sources "
            + "with --policies and --module")
      }
    }
    let reading = Reading(plan: plan, sources: sources)
    let jobs = command.processes.count
    let alone = steps.enumerated().map { place, step in
      Step(
        place: place, source: step.source,
        scenario: plan.scenario([plan.step(step.source, step.destination)]))
    }
    var options: [SmokeOptions] = []
    try await alone.work(jobs: jobs) {
      try await examine($0, reading)
    } hear: { place, examined in
      options.append(examined.options)
      report.withLock { $0.add(examined.answer, of: alone[place].name) }
    } willBegin: {
      progress.show(alone[$0].name, done: $0, total: total)
    }
    let told = report.withLock { SmokeJob.Told($0.findings) }
    let ways = steps.map { "\($0.source.shownName) -> \(plan.target.shownName)" }
    try await Array(options.enumerated()).work(jobs: jobs) { place, options in
      try await perform(.ways(place, told), with: options, reading)
    } hear: { place, outcome in
      report.withLock { report in
        switch outcome {
        case .answered(let answer): report.add(answer, of: ways[place])
        case .died(let death):
          // Where a step ends by it, that is told with its rows.
          if report.findings.contains(where: { $0.isOf(death) }) { return }
          let finding = SmokeFinding(death, step: ways[place])
          report.add(SmokeJob.Answer(findings: [finding]), of: ways[place])
        }
      }
    } willBegin: {
      progress.show(ways[$0], done: steps.count + $0, total: total)
    }
    report.withLock { $0.isComplete = true }
  }

  /// What parts are done with.
  private struct Reading {
    let plan: SmokeFiles
    /// The files of policies; nil without any.
    let sources: Set<String>?
  }

  private struct Step: Sendable {
    let place: Int
    let source: ManagedObjectModel
    /// That plays it alone.
    let scenario: SmokeScenario
    var name: String { scenario.span }
  }

  /// Does a step, and again without the rows that end its process: each kind of them is told once, with the smallest
  /// seed.
  private func examine(
    _ step: Step, _ reading: Reading
  ) async throws -> (answer: SmokeJob.Answer, options: SmokeOptions) {
    var (told, options): ([SmokeFinding], SmokeOptions) = ([], command.options)
    while true {
      switch try await perform(.step(step.place), with: options, reading) {
      case .answered(var answer):
        answer.findings = told + answer.findings
        return (answer, options)
      case .died(let death):
        var finding = SmokeFinding(death, step: step.name)
        let isKnown = told.contains { $0.key == finding.key }
        finding.scenario = try await smallest(
          step, ending: death, with: options, reading,
          leavesOutValues: !isKnown)
        if !isKnown { told.append(finding) }
        // What ends it without an object ends it with any other row.
        guard death.object != nil, let row = finding.scenario?.rows.first else {
          return (SmokeJob.Answer(findings: told), options)
        }
        options.left.insert(isKnown ? row.entity : row.path)
      }
    }
  }

  /// The row that ends a step's process; nil where it isn't one row that does.
  private func smallest(
    _ step: Step, ending death: PolicyDeath, with options: SmokeOptions, _ reading: Reading,
    leavesOutValues: Bool
  ) async throws -> SmokeScenario? {
    // What takes too long once takes too long each time.
    if PolicyDeath.codesOfLimits.contains(death.errorCode) { return nil }
    var scenario = step.scenario
    scenario.title = "\(scenario.span) lets the process go on"
    scenario.about = death.description
    scenario.expectations = [.everySourceMigrated]
    let trial = SmokeTrial(policies: PolicyRegistry(), folder: scenario.model)
    let rows = try SmokeSeed(step.source, by: trial, for: scenario, with: options).rows
    func ends(_ rows: [WrittenRow]) async throws -> Bool {
      let outcome = try await perform(.play(scenario.with(rows)), with: options, reading)
      if case .died(let other) = outcome { return other.entityMapping == death.entityMapping }
      return false
    }
    let likely = rows.filter { death.isAbout($0.entity) }
    for var row in likely + rows.filter({ !death.isAbout($0.entity) })
    where try await ends([row]) {
      for field in row.fields.reversed() where leavesOutValues {
        var fewer = row
        fewer.fields.removeAll { $0.key == field.key }
        if try await ends([fewer]) { row = fewer }
      }
      return scenario.with([row])
    }
    return nil
  }

  private func perform(_ part: SmokeJob.Part, with options: SmokeOptions, _ reading: Reading)
    async throws -> JobIsolation.Outcome<SmokeJob.Answer>
  {
    let job = SmokeJob(files: files, options: options, part: part)
    // No foreign code runs.
    if reading.sources == nil && !isConfined {
      return .answered(
        try await MachineFaultWatch.judging { try await job.answer(reading: reading.plan) })
    }
    let isolation = JobIsolation(
      limits: limits, policySources: reading.sources ?? [],
      confinement: isConfined ? (try files.filesForSandbox(), []) : nil)
    let (outcome, printed) = try await isolation.perform(job, as: CommandJob.smoke(job)) { _ in }
    switch outcome {
    case .answered(let answer): return .answered(try checked(answer))
    case .died:
      // Whoever is interrupted ends the process, and not a policy.
      TemporaryFiles.waitIfOver()
      if case .step = part { Console.tell(printed) }
      return outcome
    }
  }

  private func checked(_ answer: SmokeJob.Answer) throws -> SmokeJob.Answer {
    if let problem = answer.problem { throw CommandProblem(description: problem) }
    return answer
  }
}

/// Saves the scenarios that show what was found.
struct SmokeSaving {
  private let place: String
  private var folder: URL { URL(fileURLWithPath: place, isDirectory: true) }

  init(_ place: String) { self.place = place }

  /// - Throws: ``Diagnostics`` where the folder can't be there, before anything is played.
  func check() throws {
    switch FileKind(of: folder) {
    case .missing, .folder: break
    case .file, .other:
      throw Diagnostics(file: place, "this is no folder to save scenarios in")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    if let name = names.first(where: { $0.hasSuffix(ScenarioFinder.suffixes[0]) }) {
      throw Diagnostics(
        file: place,
        "there are scenarios already, such as \(name), and nothing is overwritten: name "
          + "a new folder")
    }
  }

  /// - Returns: The findings with their files.
  /// - Throws: ``Diagnostics`` for what can't be written; what was written then is removed.
  func save(_ findings: [SmokeFinding]) throws -> [SmokeFinding] {
    var findings = findings
    var written: [URL] = []
    let isNew = FileKind(of: folder) == .missing
    do {
      for index in findings.indices {
        guard let scenario = findings[index].scenario else { continue }
        if written.isEmpty {
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        let name = Self.name(findings[index], index)
        let file = folder.appending(path: name)
        try WholeFile.write(Data(scenario.text(in: folder).utf8), to: file, if: .new)
        written.append(file)
        findings[index].file = (place.hasSuffix("/") ? place : place + "/") + name
      }
    } catch {
      // The first error is the one to tell.
      for file in written { try? FileManager.default.removeItem(at: file) }
      if isNew { rmdir(folder.path) }
      throw Diagnostics(file: place, "can't save the scenarios: \(error.plainText)")
    }
    return findings
  }

  private static func name(_ finding: SmokeFinding, _ index: Int) -> String {
    let parts = [finding.kind.rawValue, finding.entity, finding.property].compactMap(\.self)
    let text = parts.joined(separator: "-").map { character in
      character.isLetter || character.isNumber || "-_".contains(character) ? character : "-"
    }
    return String(format: "%02d-", index + 1) + String(text) + ScenarioFinder.suffixes[0]
  }
}
