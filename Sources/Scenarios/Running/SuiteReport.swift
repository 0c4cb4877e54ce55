/// What came of a number of runs.
package struct SuiteReport: Sendable, Codable {
  /// A scenario that could not be run at all.
  package struct Problem: Sendable, Codable {
    /// The scenario's address, or that of all scenarios of a file.
    package let path: String
    /// The file alone.
    package let file: String
    package let text: String
    /// What is wrong where; empty where no place is known.
    package let diagnostics: [Diagnostic]
    /// What the compiler says of which Swift file.
    package let compilerErrors: [PolicyDiagnostic]
    /// Whether only a file isn't there that the scenario names.
    package let isMissingFile: Bool
    /// The fault of the machine that kept it from being run.
    package let fault: MachineFault?

    package init(_ address: ScenarioAddress, _ error: any Error) {
      path = "\(address)"
      file = address.path
      compilerErrors = ((error as? PolicyCompilationError)?.diagnostics ?? []).filter {
        $0.severity == .error && $0.file != nil
      }
      fault = MachineFault(error)
      text = "\(error)"
      let all = error as? Diagnostics
      diagnostics = all?.all ?? []
      isMissingFile = all?.areOnlyMissingFiles ?? false
    }
  }

  /// The first fault of the machine that left something unjudged.
  package var machineFault: MachineFault? {
    (problems.lazy.compactMap(\.fault) + results.lazy.compactMap(\.machineFault)).first
  }

  /// A scenario that says itself that it isn't to be run, or isn't played on the backends asked for.
  package struct Skipped: Sendable, Codable {
    package let path: String
    /// Which one of the file's scenarios it is; nil for the only one.
    package let number: Int?
    package let title: String
    package let reason: String
    package let line: Int

    /// What reports call the scenario by, beside its title.
    package var address: ScenarioAddress { ScenarioAddress(path: path, number: number) }

    package init?(_ scenario: CheckedScenario) {
      guard let skip = scenario.scenario.skip else { return nil }
      self.init(scenario, because: skip.value, at: skip.place)
    }

    package init(_ scenario: CheckedScenario, because reason: String, at place: SourcePlace? = nil)
    {
      path = scenario.scenario.file.path
      number = scenario.scenario.number
      title = scenario.scenario.title.value
      self.reason = reason
      line = (place ?? scenario.scenario.title.place).line
    }
  }

  /// Scenarios that an option left out.
  package struct LeftOut: Sendable, Hashable, Codable {
    /// The option, as `--tag songs`.
    package let option: String
    package let count: Int
  }

  package var results: [RunResult] = []
  package var problems: [Problem] = []
  package var skipped: [Skipped] = []
  package var leftOut: [LeftOut] = []
  package var seconds = 0.0
  /// Which part of the scenarios was to be played; nil for all.
  package var shard: Shard?
  /// Which shard has which of all runs, in their order; nil without shards, and where nobody got to deal them.
  package var dealt: [DealtRun]?
  /// What decides how runs are played, by option; nil where nothing was.
  package var options: [String]?
  /// Whether there was nothing to do because other parts have all scenarios.
  package var isEmptyShard = false
  /// Whether anything was tried, so that there is something to tell.
  package var isPlayed = false

  package init() {}

  package var failedResults: [RunResult] { results.filter { !$0.isPassed } }

  package var counts: Counts { Counts(of: self) }

  /// The numbers that all reports give, each counted in one way.
  package struct Counts: Equatable, Sendable {
    /// Scenarios of which something was played.
    package let scenarios: Int
    package let runs: Int
    package let passed: Int
    package let failed: Int
    /// Scenarios that couldn't be run at all.
    package let notRunnable: Int
    package let skipped: Int

    init(of report: SuiteReport) {
      scenarios = report.results.groupedByScenario.count
      runs = report.results.count
      failed = report.failedResults.count
      passed = runs - failed
      notRunnable = report.problems.count
      skipped = report.skipped.count
    }
  }
}

extension SuiteReport {
  /// Notes which steps each run was to execute, also for runs that couldn't say so themselves.
  mutating func notePlans(of scenarios: [CheckedScenario]) {
    let byAddress = Dictionary(firstOf: scenarios.map { ($0.scenario.address, $0) })
    for index in results.indices {
      let id = results[index].id
      results[index].plan =
        byAddress[id.address]?.steps(from: id.start).map(\.ends.value.description) ?? []
    }
  }
}

extension [RunResult] {
  /// The runs of one scenario together, in order.
  package var groupedByScenario: [[RunResult]] { grouped(by: \.address) }

  /// The scenarios that took the longest, with their times; none where there is hardly a choice.
  package func slowestScenarios(_ most: Int) -> ArraySlice<(title: String, seconds: Double)> {
    let groups = groupedByScenario
    guard groups.count > 3 else { return [] }
    let times = groups.map { (title: $0[0].id.title, seconds: $0.reduce(0) { $0 + $1.seconds }) }
    return times.sorted { $0.seconds > $1.seconds }.prefix(most)
  }

  /// The runs together that are one after the other and have something in common.
  package func grouped(by shared: KeyPath<RunID, some Equatable>) -> [[RunResult]] {
    var groups: [[RunResult]] = []
    for result in self {
      if let last = groups.last?.last, last.id[keyPath: shared] == result.id[keyPath: shared] {
        groups[groups.count - 1].append(result)
      } else {
        groups.append([result])
      }
    }
    return groups
  }
}
