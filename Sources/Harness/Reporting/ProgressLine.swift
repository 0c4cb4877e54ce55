/// Says on a terminal what is going on; silent everywhere else.
struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  func show(_ id: RunID, _ done: Int, _ total: Int) {
    show("\(id.title) (\(id.backend.rawValue))", done, total)
  }

  func show(_ text: String, _ done: Int, _ total: Int) {
    if isShown { write("\r\u{1B}[K\(done + 1)/\(total) \(text.withoutControls)") }
  }

  func clear() {
    if isShown { write("\r\u{1B}[K") }
  }

  private func write(_ text: String) { ReportFile.tryToWriteErrorsAsTheyAre(Data(text.utf8)) }
}
