/// A view of a report, in a form of its own: of what all runs came to, or of what another command found.
///
/// Each format is one type in one file; the options of `run` list those that somebody may ask for. Whoever adds one
/// needs no more than these two files: `ReportOutputsTests` adds one to see that.
///
/// The report for a person (``TextReport``) is none of them. A format is written once, of all runs, wherever somebody
/// wants it; that report is always there, is told scenario by scenario as runs end, and takes its colours, width
/// and detail from the terminal, so that as a format it would be the one that every caller has to know.
package protocol ReportFormat<Report>: Sendable {
  associatedtype Report

  static var destination: ReportDestination { get }

  /// - Throws: What can't be encoded.
  static func content(of report: Report) throws -> ReportContent
}

/// Where a report goes.
package enum ReportDestination: Sendable {
  /// A file that somebody names, `-` for standard output.
  case file
  /// A page of that name in a folder that somebody names.
  case page(String)
  /// Standard output, where it is obeyed as it is.
  case standardOutput
}

/// What is written of a report.
package struct ReportContent {
  var data: Data
  /// What is added to files that others write to, too.
  var additions: [(file: String, data: Data)] = []
}
