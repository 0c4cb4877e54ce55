/// One call of `heavyweight inspect`.
package struct InspectSession {
  let store: String
  /// A model in any form, or a folder with models; nil when the store isn't to be
  /// identified.
  let models: String?
  var order: GivenOrder?
  /// The version to which steps in place are rehearsed; nil for the current one, if there is one.
  var target: String?
  /// How many rows a finding names.
  let rowLimit: Int
  /// Where the reports go.
  var outputs = CommandOutputs()

  /// Inspects and prints: the report on standard output, all else on standard error.
  package func run() throws -> ExitStatus {
    Interruption.removesTemporaryFiles()
    let candidates = try models.map { path in
      let found = try StoreModel.loadCandidates(orStoreAt: URL(fileURLWithPath: path))
      PassedOverStores.note(in: found)
      return try order?.applied(to: found) ?? found
    }
    let report = try MachineFaultWatch.judgingAtOnce {
      try InspectReport(
        of: URL(fileURLWithPath: store), shownAs: store, models: candidates, rowLimit: rowLimit,
        obstacles: try obstacles())
    }
    let status = try outputs.publish(
      report,
      findings: ToldFindings(
        command: "inspect", file: store, findings: report.findings.map(ToldFinding.init),
        isFailure: report.exitStatus != .passed, sections: report.sections))
    report.notes.forEach(Console.complain)
    return status
  }
}

extension InspectSession {
  /// What steps in place to a later version would meet in the file.
  private func obstacles() throws -> [IntegrityFinding] {
    guard let models else { return [] }
    let url = URL(fileURLWithPath: store)
    let files = MigrationFiles(models: URL(fileURLWithPath: models), order: order)
    do {
      let routes = try ModelRouteFinder(reading: files, to: target)
      let route = try routes.route(forStoreWith: SQLiteStore.metadata(at: url))
      let source = try SQLiteStore.openReadOnly(at: url, model: route.source)
      defer { source.closeUnchanged() }
      guard let file = try source.foundFile() else { return [] }
      return try InPlaceRehearsal(route.chain.steps, in: file).steps.compactMap(\.finding)
    } catch  where target == nil {
      // Nobody asked for the way to a version; what is wrong with the store is found without it.
      return []
    }
  }
}

extension InPlaceRehearsal.Step {
  fileprivate var finding: IntegrityFinding? {
    obstacle.map {
      IntegrityFinding(
        .inPlaceObstacle, table: name,
        detail: "the step fails in place with 134110: \($0.message) (\($0.statement))")
    }
  }
}

extension InspectSession {
  package init(store: String, models: String?, rowLimit: Int, isForMachines: Bool) {
    self.init(
      store: store, models: models, rowLimit: rowLimit,
      outputs: CommandOutputs(json: isForMachines ? .standardOutput : .none))
  }
}

extension ToldFinding {
  fileprivate init(_ finding: IntegrityFinding) {
    self.init(
      finding.severity, rule: finding.kind.rawValue, about: finding.place ?? "", finding.message,
      advice: finding.kind.remedy)
  }
}
