/// One call of `heavyweight report`: joins the reports of shards into the one that a single call would have written.
package struct ReportSession {
  private let places: [String]
  private let outputs: ReportOutputs
  private let printer: ReportPrinter

  /// - Parameters:
  ///   - places: Folders with JSON reports, and single ones.
  ///   - outputs: Where reports go beside the one for a person.
  package init(
    _ places: [String], detail: TextReport.Detail = .usual, outputs: ReportOutputs
  ) {
    self.places = places
    self.outputs = outputs
    printer = ReportPrinter(detail: detail, isShown: !outputs.takeStandardOutput)
  }

  /// Reads, joins and writes.
  /// - Returns: What one call with all scenarios would have ended with; ``ExitStatus/badInput`` where a shard is
  ///   missing.
  package func run() -> ExitStatus {
    do {
      let shards = try ShardReports(at: places)
      for file in shards.others {
        Console.complain("skipped, since it isn't the report of a shard: \(file)")
      }
      if shards.isEmpty {
        Console.complain(
          "there is no report of a shard in \(places.joined(separator: ", ")); make some with "
            + "'heavyweight run --shard 1/2 --json FILE'")
        return .nothingFound
      }
      try outputs.prepare()
      let report = shards.joined
      let scenarios = report.results.groupedByScenario
      printer.begin(titles: scenarios.map { $0[0].id.title })
      for results in scenarios { printer.print { $0.scenario(results) } }
      return outputs.publish(report, printer)
    } catch {
      Console.complain("\(error)")
      return error is ReportError ? .reportNotWritten : .badInput
    }
  }
}
