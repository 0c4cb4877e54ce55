/// Prints the report for a person part by part, as soon as each is known, also into a pipe.
final class ReportPrinter {
  private let detail: TextReport.Detail
  let isShown: Bool
  private(set) var report: TextReport
  /// What couldn't be printed; nothing is tried after it.
  private(set) var problems: [ReportError] = []

  /// - Parameters:
  ///   - isShown: False where a report for a machine takes standard output.
  ///   - again: The command that plays what failed; nil where there is none.
  init(detail: TextReport.Detail, isShown: Bool, again: String? = nil) {
    self.detail = detail
    self.isShown = isShown
    report = TextReport(style: TextStyle(for: STDOUT_FILENO), detail: detail)
    report.again = again
  }

  /// Takes note of all that is going to be told.
  func begin(titles: [String], runs: Int) {
    let again = report.again
    report = TextReport(style: report.style, detail: detail, titles: titles, runs: runs)
    report.again = again
  }

  func print(_ lines: (TextReport) -> [String]) {
    // Runs that Control-C ended haven't failed, and nothing is told of them.
    TemporaryFiles.waitIfOver()
    guard isShown, problems.isEmpty else { return }
    let text = TextFlow.printed(TextReport.text(lines(report)))
    if text.isEmpty { return }
    do {
      try ReportFile.writeToOutput(Data(text.utf8))
    } catch {
      problems.append(
        error as? ReportError ?? ReportError(path: "standard output", reason: "\(error)"))
    }
  }
}
