/// The first half of `heavyweight run --update`: plays the scenarios, and rewrites what they expect
/// into what was found. The second half is an ordinary run, which shows whether all is well now.
struct UpdateSession {
  let paths: [String]
  let selection: ScenarioSelection

  /// Updates files and shows every change on standard error, since standard output is the report's.
  /// - Returns: False when nothing may be updated, or a file couldn't be written.
  func run(_ suite: ScenarioSuite) async -> Bool {
    Interruption.removesTemporaryFiles()
    do {
      try ScenarioUpdate.checkAllowed()
      // Those with mistakes are for the run that follows to tell, and aren't rewritten.
      let chosen = try selection.select(from: LoadedScenarios(at: paths).scenarios)
      var suite = suite
      suite.startsOfScenarios = chosen.starts
      let scenarios = chosen.scenarios
      let progress = ProgressLine()
      let report = await suite.run(
        scenarios, willRun: { progress.show($0, done: $1, of: $2) })
      progress.clear()
      // Runs that Control-C ended found nothing.
      TemporaryFiles.waitIfOver()
      show(try ScenarioUpdate.run(report, of: scenarios))
      return true
    } catch {
      Console.complain("\(error)")
      return false
    }
  }

  private func show(_ outcome: ScenarioUpdate.Outcome) {
    let style = TextStyle(for: STDERR_FILENO)
    for change in outcome.changes {
      Console.tell(change.diff.text(path: change.path, style))
    }
    for refusal in outcome.refusals { Console.complain("\(refusal)") }
    Console.complain(outcome.summary)
  }
}

extension ScenarioUpdate.Outcome {
  /// `updated 3 values in 2 files`.
  var summary: String {
    if changes.isEmpty { return "nothing updated" }
    let count = changes.reduce(0) { $0 + $1.count }
    return "updated \(count.counted("value")) in \(changes.count.counted("file"))"
  }
}
