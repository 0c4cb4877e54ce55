/// Tells a migration that fails while it is measured as `run` tells it: by playing it once more.
struct FailedSample {
  let scenario: CheckedScenario
  let start: String
  let backend: Backend
  /// How many objects were asked for.
  let objects: Int
  let isConfined: Bool
  let limits: RunLimits

  /// - Returns: Nil where the run doesn't fail by an error: the store of a benchmark isn't that of the
  ///   scenario where rows are repeated, and another build is another one.
  func text() async throws -> String? {
    let isScalable = scenario.isScalable(from: start)
    let scenario = isScalable ? try self.scenario.scaled(to: objects) : self.scenario
    var suite = ScenarioSuite()
    suite.backends = [backend]
    suite.starts = [start]
    suite.isConfined = isConfined
    suite.limits = limits
    let results = await suite.run([scenario]).results.map(Self.onlyErrors)
    guard results.contains(where: { !$0.failures.isEmpty }) else { return nil }
    return TextReport(style: TextStyle(for: STDERR_FILENO)).text(ofScenario: results)
  }

  /// What was expected of the result is nothing that a benchmark asks for.
  private static func onlyErrors(_ result: RunResult) -> RunResult {
    var result = result
    result.failures.removeAll { $0.kind != .error && !$0.kind.endsTheRun }
    return result
  }

  /// What a process said that nobody can tell better, as far as somebody reads it.
  static func shortened(_ text: String, to most: Int = 40) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count <= most { return text }
    return lines.prefix(most).joined(separator: "\n") + "\n… \(lines.count - most) more lines"
  }
}
