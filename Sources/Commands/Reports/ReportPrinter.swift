/// Prints the report for a person part by part, as soon as each is known, also into a pipe.
final class ReportPrinter {
  private let detail: TextReport.Detail
  private let isShown: Bool
  private var report: TextReport
  /// What couldn't be printed; nothing is tried after it.
  private(set) var problems: [ReportError] = []

  /// - Parameter isShown: False where a report for a machine takes standard output.
  init(detail: TextReport.Detail, isShown: Bool) {
    self.detail = detail
    self.isShown = isShown
    report = TextReport(style: TextStyle(for: STDOUT_FILENO), detail: detail)
  }

  /// Takes note of all that is going to be told.
  func begin(titles: [String]) {
    report = TextReport(style: report.style, detail: detail, titles: titles)
  }

  func print(_ lines: (TextReport) -> [String]) {
    // Runs that Control-C ended haven't failed, and nothing is told of them.
    TemporaryFiles.waitIfOver()
    guard isShown, problems.isEmpty else { return }
    let text = TextReport.text(lines(report))
    if text.isEmpty { return }
    do {
      try ReportFile.writeToOutput(Data(text.utf8))
    } catch {
      problems.append(
        error as? ReportError ?? ReportError(path: "standard output", reason: "\(error)"))
    }
  }
}
