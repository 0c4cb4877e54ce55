/// Where reports go, beside the one for the person at the terminal.
package struct ReportOutputs: Sendable {
  /// Files; `-` for standard output, which then has nothing else.
  package var json: String?
  package var junit: String?
  /// The folder of a page for a browser.
  package var html: String?
  /// Whether GitHub is told of failures at their places.
  package var annotatesGitHub = false

  package init() {}

  /// What is wrong with the choice itself; nil when nothing is.
  package var contradiction: String? {
    let files: [(option: String, path: String)] = [("--json", json), ("--junit", junit)]
      .compactMap { option, path in path.map { (option, $0) } }
    if annotatesGitHub, let output = files.first(where: { $0.path == "-" }) {
      return "\(output.option) - and --github would both write to standard output."
    }
    guard files.count == 2 else { return nil }
    if files[0].path == "-", files[1].path == "-" {
      return "--json - and --junit - would both write to standard output."
    }
    let urls = files.map { URL(fileURLWithPath: $0.path).standardizedFileURL }
    return urls[0] == urls[1] ? "--json and --junit name the same file." : nil
  }

  /// Whether a report for a machine takes standard output.
  var takeStandardOutput: Bool { json == "-" || junit == "-" }
}

// MARK: - Writing

extension ReportOutputs {
  /// Makes sure, before anything runs, that all can be written.
  /// - Throws: ``ReportError`` for the first that can't.
  func prepare() throws {
    // A file that grows over a limit is an error like any other, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    for path in [json, junit].compactMap(\.self) where path != "-" { try ReportFile.prepare(path) }
    if let html {
      try ReportFile.prepare(folder: URL(fileURLWithPath: html, isDirectory: true), of: html)
    }
  }

  /// Writes all reports; one that can't be written doesn't keep the others from it.
  /// - Returns: What couldn't be written.
  func write(_ report: SuiteReport) -> [ReportError] {
    var problems: [ReportError] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch let error as ReportError { problems.append(error) } catch {
        problems.append(ReportError(path: "report", reason: "\(error)"))
      }
    }
    attempt { try write(json) { try JSONReport(report).data() } }
    attempt { try write(junit) { Data(JUnitReport(report: report).text().utf8) } }
    attempt { try write(html.map(Self.page)) { Data(HTMLReport(report: report).text().utf8) } }
    if annotatesGitHub { attempt { try tellGitHub(report) } }
    return problems
  }

  /// The page in its folder.
  private static func page(in folder: String) -> String {
    URL(fileURLWithPath: folder, isDirectory: true).appending(path: "index.html").relativePath
  }

  private func tellGitHub(_ report: SuiteReport) throws {
    let environment = ProcessInfo.processInfo.environment
    let gitHub = GitHubReport(report, environment: environment)
    try ReportFile.writeToOutputAsItIs(Data(gitHub.annotations().utf8))
    if let file = environment["GITHUB_STEP_SUMMARY"], !file.isEmpty {
      try ReportFile.append(Data(gitHub.summary().utf8), to: file)
    }
  }

  private func write(_ path: String?, _ data: () throws -> Data) throws {
    guard let path else { return }
    if path == "-" { return try ReportFile.writeToOutput(data()) }
    try ReportFile.write(data(), to: path)
  }
}
