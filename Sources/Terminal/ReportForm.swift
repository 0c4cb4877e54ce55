/// The form of a report in a file, by which an earlier report is told from a file of somebody else's.
package enum ReportForm: CaseIterable, Sendable {
  case json, junit, page, markdown, csv

  /// What every JUnit report begins with.
  package static let junitStart = """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="heavyweight"
    """

  /// What every page begins with.
  package static let pageStart = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
    style-src 'unsafe-inline';
    """

  /// The first columns of every table for a spreadsheet.
  package static let csvStart = "scenario,file,backend,objects,samples,"

  /// The first column of every table of a page in Markdown, below a heading.
  private static let markdownStarts = (heading: "### ", table: "\n| objects | ")

  /// How much of a file tells its form.
  private static let lookedAt = 8192

  var name: String {
    switch self {
    case .json: "report of this tool in JSON"
    case .junit: "JUnit report of this tool"
    case .page: "page of this tool"
    case .markdown: "table of this tool in Markdown"
    case .csv: "table of this tool in CSV"
    }
  }

  /// Whether a report of this form may take the place of the file: where none is, where an empty one is, and
  /// where a report of the same form is. A pipe or a device is written to as it is.
  package func mayReplace(_ url: URL) -> Bool {
    guard case .file = FileKind(of: url) else { return true }
    if self == .json { return Self.isReport(url) }
    // What can't be read isn't known to be a report.
    guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
    defer { try? file.close() }  // It was only read.
    guard let start = try? file.read(upToCount: Self.lookedAt) ?? Data() else { return false }
    return start.isEmpty || isStart(String(decoding: start, as: UTF8.self))
  }

  /// Whether a file has nothing to lose, or holds a report: an object with the number of its format and something that every report
  /// of a kind has, or a list of what `run --list` or `explain` tell.
  private static func isReport(_ url: URL) -> Bool {
    guard let data = try? Data(contentsOf: url) else { return false }
    if data.isEmpty { return true }
    switch try? JSONSerialization.jsonObject(with: data) {
    case let report as [String: Any]:
      return report.isEmpty
        || report["format"] is NSNumber && reportKeys.contains { report[$0] != nil }
    case let list as [[String: Any]]:
      return list.allSatisfy { $0["address"] != nil || $0["causes"] != nil }
    default: return false
    }
  }

  /// One of each command's report at least.
  package static let reportKeys: Set = [
    "exitStatus", "scenarios", "runs", "outcome", "measurements", "playedCount", "tree",
    "onlyInModelOfA",
  ]

  private func isStart(_ text: String) -> Bool {
    switch self {
    // Its keys are sorted: what tells one may come late.
    case .json: false
    case .junit: text.hasPrefix(Self.junitStart)
    case .page: text.hasPrefix(Self.pageStart)
    case .markdown:
      text.hasPrefix(Self.markdownStarts.heading) && text.contains(Self.markdownStarts.table)
    case .csv: text.hasPrefix(Self.csvStart)
    }
  }
}
