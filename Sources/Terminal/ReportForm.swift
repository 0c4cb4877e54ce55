/// The form of a report in a file, by which an earlier report is told from a file of somebody else's.
package enum ReportForm: Sendable {
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
    case .json: "JSON"
    case .junit: "JUnit report of this tool"
    case .page: "page of this tool"
    case .markdown: "table of this tool in Markdown"
    case .csv: "table of this tool in CSV"
    }
  }

  /// Whether a report of this form may take the place of the file: where none is, where an empty one is, and
  /// where a report of the same form is. A pipe or a device is written to as it is.
  func mayReplace(_ url: URL) -> Bool {
    guard case .file = FileKind(of: url) else { return true }
    // What can't be read isn't known to be a report.
    guard let file = FileHandle(forReadingAtPath: url.path) else { return false }
    defer { try? file.close() }  // It was only read.
    guard let start = try? file.read(upToCount: Self.lookedAt) ?? Data() else { return false }
    return start.isEmpty || isStart(String(decoding: start, as: UTF8.self))
  }

  private func isStart(_ text: String) -> Bool {
    switch self {
    case .json: text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? true
    case .junit: text.hasPrefix(Self.junitStart)
    case .page: text.hasPrefix(Self.pageStart)
    case .markdown:
      text.hasPrefix(Self.markdownStarts.heading) && text.contains(Self.markdownStarts.table)
    case .csv: text.hasPrefix(Self.csvStart)
    }
  }
}
