/// One call of `heavyweight check`: loads a model and its mapping models, checks and reports.
package struct CheckSession {
  private let models: String
  private let mappings: [String]
  private let order: GivenOrder?
  private let silenceFile: String?
  private let acceptance: String?
  private let isStrict: Bool
  private let isForMachines: Bool

  /// - Parameters:
  ///   - silenceFile: Nil for the one beside the model, if there is one.
  ///   - acceptance: Why what fails now is accepted from now on; nil to accept nothing.
  ///   - isStrict: Whether warnings fail, too.
  ///   - isForMachines: Whether the report is JSON.
  package init(
    models: String, mappings: [String] = [], order: GivenOrder? = nil, silenceFile: String?,
    acceptance: String? = nil, isStrict: Bool, isForMachines: Bool
  ) {
    self.order = order
    self.models = models
    self.mappings = mappings
    self.silenceFile = silenceFile
    self.acceptance = acceptance
    self.isStrict = isStrict
    self.isForMachines = isForMachines
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  package func run() -> ExitStatus {
    do {
      var report = try report()
      if let acceptance {
        Console.complain(try accept(report, because: acceptance))
        report = try self.report()
      }
      let style = TextStyle(for: STDOUT_FILENO)
      let data = isForMachines ? try report.json() : Data(report.text(style: style).utf8)
      return Console.publish(data, report.exitStatus)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
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
    var report = try ModelCheck(input.model, mappings: input.mappings).run()
    report.isStrict = isStrict
    report.settle(with: silencings)
    return report
  }
}
