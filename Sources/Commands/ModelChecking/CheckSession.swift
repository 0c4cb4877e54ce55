/// One call of `heavyweight check`: loads a model and its mapping models, checks and reports.
struct CheckSession {
  let models: String
  var mappings: [String] = []
  var order: GivenOrder?
  /// Nil for the one beside the model, if there is one.
  let silenceFile: String?
  /// Why accepts all that fails now; nil to accept nothing.
  var acceptance: String?
  /// Whether warnings fail, too.
  let isStrict: Bool
  /// The first version that still matters; nil for all.
  var since: String?
  /// Whether the app migrates version by version itself.
  var isProgressive = false
  /// Where the reports go.
  var outputs = CommandOutputs()

  /// Does everything, and prints the report.
  /// - Throws: What is wrong with what it was given.
  func run() throws -> ExitStatus {
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
  }

  private func told(_ report: ModelCheckReport) -> ToldFindings {
    let places = report.places
    return ToldFindings(
      command: "check", file: models,
      findings: report.findings.map { finding in
        ToldFinding(
          finding.severity, finding.rule.rawValue,
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
