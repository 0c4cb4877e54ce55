/// One call of `heavyweight diff`: opens two stores, compares and reports.
package struct DiffSession {
  private let stores: Both<String>
  private let models: [String]
  private let identity: [String]
  private let options: StoreComparison.Options
  private let outputs: CommandOutputs

  /// - Parameters:
  ///   - models: The models, in any form, or folders of them, in which the stores' versions are looked for.
  ///   - identity: Rules as ``IdentityRules/init(arguments:)`` takes them.
  ///   - outputs: Where the reports go.
  package init(
    _ a: String, _ b: String, models: [String], identity: [String],
    options: StoreComparison.Options, outputs: CommandOutputs = CommandOutputs()
  ) {
    stores = Both(a, b)
    self.models = models
    self.identity = identity
    self.options = options
    self.outputs = outputs
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  package func run() -> ExitStatus {
    Interruption.removesTemporaryFiles()
    do {
      let differences = try MachineFaultWatch.judgingAtOnce { try compare() }
      let style = TextStyle(for: STDOUT_FILENO)
      return try outputs.publish(
        text: { differences.text(style: style) }, json: differences.json.machineReport,
        findings: ToldFindings(
          command: "diff", file: "\(stores.a), \(stores.b)",
          findings: differences.told(file: stores.b, as: stores),
          isFailure: differences.exitStatus != .passed), differences.exitStatus)
    } catch {
      return ExitStatus(telling: error)
    }
  }

  /// - Throws: What is wrong with the stores, models or rules.
  func compare() throws -> StoreDifferences {
    let began = ContinuousClock.now
    var options = options
    options.rules = try IdentityRules(arguments: identity)
    let models = try models.flatMap {
      try VersionedModel.loadCandidates(contentsOf: URL(fileURLWithPath: $0))
    }
    let opened = try stores.map { try ComparedStore($0, models: models) }
    defer {
      // Closing what was only read loses nothing.
      try? opened.a.store.close()
      try? opened.b.store.close()
    }
    let comparison = try StoreComparison(opened.a.store, opened.b.store, options: options)
    var result = StoreDifferences(stores: opened.map(\.summary))
    try comparison.run(into: &result)
    // Damaged rows are met while they are read.
    result.stores = opened.map(\.summary)
    result.seconds = (ContinuousClock.now - began).seconds
    return result
  }
}
