/// A report for machines. Keys may be added; those that are there keep their meaning.
package struct JSONReport: Encodable {
  struct Summary: Encodable {
    let scenarios: Int
    let runs: Int
    let passed: Int
    let failed: Int
    let notRunnable: Int
    let skipped: Int
    let seconds: Double
    let exitStatus: Int32
  }

  struct Run: Encodable {
    let path: String
    let address: String
    let title: String
    let covers: [String]
    let start: String
    let backend: String
    let passed: Bool
    let expectationsChecked: Int
    let seconds: Double
    let plan: [String]
    let hops: [StepRecord]
    let output: String
    let failures: [Problem]
    let notes: [String]
    let undetermined: [UndeterminedProperty]
    let reopening: Reopening?
    let command: String
    let folder: String?
  }

  /// What opening a run's store again, as the app's next start does, came to.
  struct Reopening: Encodable {
    /// The version whose model it was opened with.
    let version: String
    let objects: Int
    /// Whether all was as the run had left it; what wasn't is a failure of the run.
    let unchanged: Bool
  }

  struct Problem: Encodable {
    let kind: String
    let file: String?
    let line: Int?
    let column: Int?
    let step: String?
    let subject: String
    let expected: String
    let found: String
    let notes: [String]
    let target: Failure.Target?
    let pass: String?
    let origin: Failure.Origin?
    let history: [Failure.Stage]
    let code: Failure.CodePlace?
    let hints: [Hint]
  }

  struct Hint: Encodable {
    let identifier: String
    let name: String
    let remedy: String
  }

  struct NotRunnable: Encodable {
    let path: String
    let problem: String
    let isMissingFile: Bool
  }

  struct Skipped: Encodable {
    let path: String
    let address: String
    let title: String
    let reason: String
  }

  struct LeftOut: Encodable {
    let option: String
    let count: Int
  }

  /// Which part of the scenarios it is about.
  struct Part: Codable {
    let number: Int
    let total: Int
    /// All of the report, from which `report` makes one of all parts in any form.
    let result: SuiteReport
  }

  let format = 1
  /// When the report was made.
  let date: Date?
  /// The commit of what was tested, where that is known.
  let commit: String?
  let summary: Summary
  let runs: [Run]
  let notRunnable: [NotRunnable]
  let skipped: [Skipped]
  let leftOut: [LeftOut]
  let shard: Part?

  package init(_ report: SuiteReport, date: Date? = nil, commit: String? = nil) {
    self.date = date
    self.commit = commit
    let counts = report.counts
    summary = Summary(
      scenarios: counts.scenarios, runs: counts.runs, passed: counts.passed, failed: counts.failed,
      notRunnable: counts.notRunnable, skipped: counts.skipped, seconds: report.seconds,
      exitStatus: report.exitStatus.rawValue)
    runs = report.results.map(Run.init)
    notRunnable = report.problems.map {
      NotRunnable(path: $0.path, problem: $0.text, isMissingFile: $0.isMissingFile)
    }
    skipped = report.skipped.map {
      Skipped(path: $0.path, address: "\($0.address)", title: $0.title, reason: $0.reason)
    }
    leftOut = report.leftOut.map { LeftOut(option: $0.option, count: $0.count) }
    shard = report.shard.map { Part(number: $0.number, total: $0.total, result: report) }
  }

  /// The report as JSON with sorted keys.
  package func data() throws -> Data { try machineReport() }
}

extension JSONReport: ReportFormat {
  package static let destination = ReportDestination.file

  package static func content(of report: SuiteReport) throws -> ReportContent {
    ReportContent(
      data: try JSONReport(report, date: Date(), commit: CheckedOutCommit.name()).data())
  }
}

extension JSONReport.Run {
  fileprivate init(_ result: RunResult) {
    path = result.id.path
    address = "\(result.id.address)"
    title = result.id.title
    covers = result.id.covers
    start = result.id.start
    backend = result.id.backend.rawValue
    passed = result.isPassed
    expectationsChecked = result.checkCount
    seconds = result.seconds
    plan = result.plan
    output = result.output
    hops = result.executedSteps.map(StepRecord.init)
    failures = result.failures.map(JSONReport.Problem.init)
    notes = result.notes
    undetermined = result.undetermined
    reopening = result.reopening.map {
      JSONReport.Reopening(
        version: $0.version, objects: $0.objectCount, unchanged: $0.isUnchanged)
    }
    let isDifferent = result.failures.contains { $0.kind == .backendsDiffer }
    command = result.id.command(on: isDifferent ? Backend.allCases : [result.id.backend])
    folder = result.folder
  }
}

extension JSONReport.Problem {
  fileprivate init(_ failure: Failure) {
    kind = failure.kind.rawValue
    file = failure.place?.file.path
    line = failure.place?.line
    column = failure.place?.column
    step = failure.step
    subject = failure.subject
    expected = failure.expected
    found = failure.found
    notes = failure.notes
    target = failure.target
    pass = failure.pass
    origin = failure.origin
    history = failure.history
    code = failure.code
    hints = failure.hints.compactMap(Explanation.find).map { explanation in
      JSONReport.Hint(
        identifier: explanation.identifier, name: explanation.name,
        remedy: explanation.remedies.first ?? explanation.meaning)
    }
  }
}
