/// One call of `heavyweight inspect`.
package struct InspectSession {
  private let store: String
  private let models: String?
  private let order: GivenOrder?
  private let rowLimit: Int
  private let isForMachines: Bool

  /// - Parameters:
  ///   - models: A model in any form, or a folder with models; nil when the store isn't to be
  ///     identified.
  ///   - rowLimit: How many rows a finding names.
  ///   - isForMachines: Whether the report is JSON.
  package init(
    store: String, models: String?, order: GivenOrder? = nil, rowLimit: Int, isForMachines: Bool
  ) {
    self.order = order
    self.store = store
    self.models = models
    self.rowLimit = rowLimit
    self.isForMachines = isForMachines
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
      let data = isForMachines ? try report.json() : Data(report.text(style: style).utf8)
      let status = Console.publish(data, report.exitStatus)
      report.notes.forEach(Console.complain)
      return status
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }
}
