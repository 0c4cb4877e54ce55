/// One call of `heavyweight check`: loads a model and its mapping models, checks and reports.
package struct CheckSession {
  private let models: String
  private let mappings: [String]
  private let order: GivenOrder?
  private let silenceFile: String?
  private let acceptance: String?
  private let isStrict: Bool
  private let since: String?
  private let isProgressive: Bool
  private let outputs: CommandOutputs

  /// - Parameters:
  ///   - silenceFile: Nil for the one beside the model, if there is one.
  ///   - acceptance: Why accepts all that fails now; nil to accept nothing.
  ///   - isStrict: Whether warnings fail, too.
  ///   - since: The first version that still matters; nil for all.
  ///   - isProgressive: Whether the app migrates version by version itself.
  ///   - outputs: Where the reports go.
  package init(
    models: String, mappings: [String] = [], order: GivenOrder? = nil, silenceFile: String?,
    acceptance: String? = nil, isStrict: Bool, since: String? = nil, isProgressive: Bool = false,
    outputs: CommandOutputs = CommandOutputs()
  ) {
    self.since = since
    self.isProgressive = isProgressive
    self.order = order
    self.models = models
    self.mappings = mappings
    self.silenceFile = silenceFile
    self.acceptance = acceptance
    self.isStrict = isStrict
    self.outputs = outputs
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  package func run() -> ExitStatus {
    do {
      var report = try report()
      if let acceptance {
        Console.complain(try accept(report, because: acceptance))
        report = try self.report()
      }
      // To take a hundred versions apart at the end would take a tenth of the time.
      KeptValue.keep(report)
      let style = TextStyle(for: STDOUT_FILENO)
      let status = try outputs.publish(
        text: { report.text(style: style) }, json: report.json.machineReport,
        findings: told(report), report.exitStatus)
      if report.lacksMappings {
        Console.complain(
          "no mapping model is beside the model; if the app has some elsewhere, name them or their folder with "
            + "--mappings")
      }
      return status
    } catch {
      return ExitStatus(telling: error)
    }
  }

  private func told(_ report: ModelCheckReport) -> ToldFindings {
    let places = report.places
    return ToldFindings(
      command: "check", file: models,
      findings: report.findings.map { finding in
        ToldFinding(
          ToldFinding.Severity(finding.severity), finding.rule.rawValue,
          finding.subject.parts.joined(separator: ": "), finding.message, advice: finding.advice,
          isFailing: report.isFailing(finding), place: places.place(of: finding))
      }, isFailure: report.exitStatus != .passed)
  }

  /// Writes what fails into the silence file; what is wrong with that file is no finding of the model.
  private func accept(_ report: ModelCheckReport, because reason: String) throws -> String {
    let failing = report.failingFindings.filter { $0.rule != .unusedSilencing }
    return try Baseline(reason: reason, file: silenceFile)
      .accept(failing.map { BaselineEntry($0) }, forModelAt: report.model.url)
  }

  /// - Throws: `ModelFileError`, `MappingFileError` or ``Diagnostics`` for what is wrong in the files.
  func report() throws -> ModelCheckReport {
    let places = mappings.map { URL(fileURLWithPath: $0) }
    let input = try ModelInput(
      models: URL(fileURLWithPath: models), mappings: places, order: order)
    let silencings = try SilenceFile.load(
      given: silenceFile, forModelAt: input.model.url, mayBeAbsent: acceptance != nil)
    if let since { try input.model.requireVersion(since, of: "--since") }
    var report = try ModelCheck(
      input.model, mappings: input.mappings, isProgressive: isProgressive
    ).run()
    report.isStrict = isStrict
    report.settle(with: silencings)
    if let since { report.narrow(toVersionsSince: since) }
    return report
  }
}

extension ToldFinding.Severity {
  init(_ severity: FindingSeverity) {
    self =
      switch severity {
      case .error: .error
      case .warning: .warning
      case .note: .note
      }
  }
}
