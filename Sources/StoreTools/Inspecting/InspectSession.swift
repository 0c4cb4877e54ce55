/// One call of `heavyweight inspect`.
package struct InspectSession {
  private let store: String
  private let models: String?
  private let order: GivenOrder?
  private let rowLimit: Int
  private let outputs: CommandOutputs

  /// - Parameters:
  ///   - models: A model in any form, or a folder with models; nil when the store isn't to be
  ///     identified.
  ///   - rowLimit: How many rows a finding names.
  ///   - outputs: Where the reports go.
  package init(
    store: String, models: String?, order: GivenOrder? = nil, rowLimit: Int,
    outputs: CommandOutputs = CommandOutputs()
  ) {
    self.order = order
    self.store = store
    self.models = models
    self.rowLimit = rowLimit
    self.outputs = outputs
  }

  /// Inspects and prints: the report on standard output, all else on standard error.
  package func run() -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      let candidates = try models.map { path in
        let found = try VersionedModel.loadCandidates(contentsOf: URL(fileURLWithPath: path))
        return try order?.applied(to: found) ?? found
      }
      let report = try InspectReport(
        of: URL(fileURLWithPath: store), shownAs: store, models: candidates, rowLimit: rowLimit)
      let style = TextStyle(for: STDOUT_FILENO)
      let status = try outputs.publish(
        text: { report.text(style: style) }, json: report.json,
        findings: ToldFindings(
          command: "inspect", file: store, findings: report.findings.map(ToldFinding.init),
          isFailure: report.exitStatus != .passed), report.exitStatus)
      report.notes.forEach(Console.complain)
      return status
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }
}

extension ToldFinding {
  fileprivate init(_ finding: IntegrityFinding) {
    let severity: Severity =
      switch finding.severity {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
    self.init(
      severity, finding.kind.rawValue, finding.place ?? "", finding.message,
      advice: finding.kind.remedy)
  }
}
