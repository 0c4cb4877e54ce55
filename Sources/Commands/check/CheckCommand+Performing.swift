extension CheckCommand {
  func perform() async throws -> ExitStatus {
    try await ProjectModel.each(models.first, into: reports.outputs) {
      try perform(on: models.isEmpty ? [$0] : models)
    }
  }

  private func perform(on models: [String]) throws -> ExitStatus {
    var report = try report(on: models)
    let failing = report.failingFindings.filter { $0.rule != .unusedSilencing }
    if try acceptance.accept(failing.map { BaselineEntry($0) }, forModelAt: report.model.url) {
      report = try self.report(on: models)
    }
    // To take a hundred versions apart at the end would take a tenth of the time.
    KeptValue.keep(report)
    let status = try reports.outputs.publish(
      report, findings: told(report, models.joined(separator: ", ")))
    if report.lacksMappings {
      Console.complain(
        "no mapping model is beside the model; if the app has some elsewhere, name them or their folder with "
          + "--mappings")
    }
    return status
  }

  private func told(_ report: ModelCheckReport, _ models: String) -> ToldFindings {
    let places = report.places
    return ToldFindings(
      command: "check", file: models,
      findings: report.findings.map { finding in
        ToldFinding(
          finding.severity, rule: finding.rule.rawValue,
          about: finding.subject.parts.joined(separator: ": "), finding.message,
          advice: finding.advice, isFailing: report.isFailing(finding),
          place: places.place(of: finding))
      }, isFailure: report.exitStatus != .passed, sections: report.sections)
  }

  /// - Throws: `ModelFileError`, `MappingFileError` or ``Diagnostics`` for what is wrong in the files.
  func report(on models: [String]) throws -> ModelCheckReport {
    let input = try ModelInput(models: models, mapping, order: order, findsUnreadable: true)
    let silencings = try acceptance.silencings(forModelAt: input.model.url)
    if let since = range.since { try input.model.requireVersion(since, of: "--since") }
    var report = try ModelCheck(
      input.model, mappings: input.mappings,
      isProgressive: progressive || ProjectModel.isProgressive(models[0]),
      cloudKit: cloudkit.map { [$0] } ?? []
    ).run()
    report.isStrict = strict
    report.settle(with: silencings)
    if let since = range.since { report.narrow(toVersionsSince: since) }
    return report
  }
}
