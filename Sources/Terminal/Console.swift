/// What commands print: the report on standard output, all else on standard error.
package enum Console {
  /// Prints a command's report.
  /// - Parameter status: What the command ends with where the report arrives.
  /// - Returns: `status`, or ``ExitStatus/reportNotWritten`` for a passed command whose report can't
  ///   be written, on a full disk for example. Somebody who closes a pipe has read enough: the
  ///   system ends the process then.
  package static func publish(_ report: Data, _ status: ExitStatus) -> ExitStatus {
    do {
      try ReportFile.writeToOutput(report)
      return status
    } catch {
      complain("\(error)")
      return status == .passed ? .reportNotWritten : status
    }
  }

  package static func publish(_ report: String, _ status: ExitStatus) -> ExitStatus {
    publish(Data(report.utf8), status)
  }

  /// Prints a line on standard error. Where that is closed or full there is nobody to tell, and it
  /// isn't the command's failure.
  package static func complain(_ line: String) {
    tell(TextFlow.laidOut(line, columns: TextFlow.columns(of: STDERR_FILENO)) + "\n")
  }

  /// Like ``complain(_:)``, for text that ends as it is.
  package static func tell(_ text: String) { ReportFile.tryToWriteErrors(Data(text.utf8)) }
}
