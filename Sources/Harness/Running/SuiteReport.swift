/// What came of a number of runs.
public struct SuiteReport: Sendable {
  /// A scenario that could not be run at all.
  public struct Problem: Sendable {
    public let path: String
    public let text: String
    /// What is wrong where; empty where no place is known.
    public let diagnostics: [Diagnostic]
    /// Whether only a file isn't there that the scenario names.
    public let isMissingFile: Bool

    public init(path: String, _ error: any Error) {
      self.path = path
      text = "\(error)"
      let all = error as? Diagnostics
      diagnostics = all?.all ?? []
      isMissingFile = all?.areOnlyMissingFiles ?? false
    }
  }

  /// A scenario that says itself that it isn't to be run, or isn't played on the backends asked for.
  public struct Skipped: Sendable {
    public let path: String
    public let title: String
    public let reason: String
    public let line: Int

    init?(_ scenario: CheckedScenario) {
      guard let skip = scenario.scenario.skip else { return nil }
      self.init(scenario, because: skip.value, at: skip.place)
    }

    init(_ scenario: CheckedScenario, because reason: String, at place: SourcePlace? = nil) {
      path = scenario.scenario.file.path
      title = scenario.scenario.title.value
      self.reason = reason
      line = (place ?? scenario.scenario.title.place).line
    }
  }

  /// Scenarios that an option left out.
  public struct LeftOut: Sendable, Hashable {
    /// The option, as `--tag songs`.
    public let option: String
    public let count: Int
  }

  public var results: [RunResult] = []
  public var problems: [Problem] = []
  public var skipped: [Skipped] = []
  public var leftOut: [LeftOut] = []
  public var seconds = 0.0
  /// Whether anything was tried, so that there is something to tell.
  var isPlayed = false

  public init() {}

  public var failedResults: [RunResult] { results.filter { !$0.isPassed } }

  var counts: Counts { Counts(of: self) }

  /// The numbers that all reports give, each counted in one way.
  struct Counts: Equatable, Sendable {
    /// Scenarios of which something was played.
    let scenarios: Int
    let runs: Int
    let passed: Int
    let failed: Int
    /// Scenarios that couldn't be run at all.
    let notRunnable: Int
    let skipped: Int

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
    let byPath = Dictionary(
      scenarios.map { ($0.scenario.file.path, $0) }, uniquingKeysWith: { first, _ in first })
    for index in results.indices {
      let id = results[index].id
      results[index].plan =
        byPath[id.path]?.steps(from: id.start).map(\.hop.value.description) ?? []
    }
  }
}
