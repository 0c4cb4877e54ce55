/// One call of `heavyweight check`: loads a model and its mapping models, checks and reports.
public struct CheckSession {
  private let models: String
  private let mappings: String?
  private let silenceFile: String?
  private let isStrict: Bool
  private let isForMachines: Bool

  /// - Parameters:
  ///   - silenceFile: Nil for the one beside the model, if there is one.
  ///   - isStrict: Whether warnings fail, too.
  ///   - isForMachines: Whether the report is JSON.
  public init(
    models: String, mappings: String?, silenceFile: String?, isStrict: Bool, isForMachines: Bool
  ) {
    self.models = models
    self.mappings = mappings
    self.silenceFile = silenceFile
    self.isStrict = isStrict
    self.isForMachines = isForMachines
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  public func run() -> ExitStatus {
    do {
      let report = try report()
      let style = TextStyle(for: STDOUT_FILENO)
      let data = isForMachines ? try report.json() : Data(report.text(style: style).utf8)
      return Console.publish(data, report.exitStatus)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  /// - Throws: `ModelFileError`, `MappingFileError` or ``Diagnostics`` for what is wrong in the files.
  func report() throws -> ModelCheckReport {
    let model = try VersionedModel.load(contentsOf: URL(fileURLWithPath: models))
    let silencings = try SilenceFile.load(given: silenceFile, forModelAt: model.url)
    let folder = try mappings.map {
      try MappingFolder(contentsOf: URL(fileURLWithPath: $0), for: model)
    }
    var report = try ModelCheck(
      model, mappings: try folder ?? MappingFolder(beside: model)
    ).run()
    report.isStrict = isStrict
    report.settle(with: silencings)
    return report
  }
}
