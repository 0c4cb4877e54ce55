/// What came of all runs, in a few words.
struct SuiteVerdict {
  let isPassed: Bool
  /// `2 of 14 runs failed`.
  let text: String

  init(_ report: SuiteReport) {
    let (failed, all) = (report.counts.failed, report.counts.runs)
    let runs = all.counted("run")
    isPassed = report.exitStatus == .passed
    if !report.problems.isEmpty {
      text =
        "\(report.problems.count.counted("scenario")) can't be run"
        + (failed > 0 ? ", \(failed) of \(runs) failed" : "")
    } else if all == 0 {
      text = report.isEmptyShard ? "Nothing to run in this part" : "Nothing ran"
    } else {
      text = failed == 0 ? "\(runs) passed" : "\(failed) of \(runs) failed"
    }
  }
}
