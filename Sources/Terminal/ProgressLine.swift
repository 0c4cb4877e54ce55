/// Says on a terminal what is going on; silent everywhere else.
package struct ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1 && isatty(STDOUT_FILENO) == 1

  package init() {}

  package func show(_ text: String, done: Int, total: Int) {
    guard isShown else { return }
    // The last column stays free: a terminal that has written there may be in the next row.
    let columns = TerminalWidth.columns(of: STDERR_FILENO) - 1
    write("\r\u{1B}[K" + Self.line(text, done: done, total: total, columns: columns))
  }

  package func clear() {
    if isShown { write("\r\u{1B}[K") }
  }

  /// `3/10 Songs get a date (sqlite)`, in one row of a terminal: what went on in a second one would stay
  /// there.
  static func line(_ text: String, done: Int, total: Int, columns: Int) -> String {
    "\(done + 1)/\(total) \(text.withoutControls)"
      .replacing("\n", with: " ").replacing("\t", with: " ").cut(toColumns: columns)
  }

  private func write(_ text: String) { ReportFile.tryToWriteErrorsAsTheyAre(Data(text.utf8)) }
}
