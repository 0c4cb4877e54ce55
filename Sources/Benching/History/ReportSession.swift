/// One call of `heavyweight report`: joins saved reports into one page.
package struct ReportSession {
  private let places: [String]
  private let html: String
  private let outputs: CommandOutputs

  /// - Parameters:
  ///   - places: Folders with JSON reports, and single ones.
  ///   - html: The folder of the page.
  ///   - outputs: Where the joined data goes as JSON.
  package init(_ places: [String], html: String, outputs: CommandOutputs) {
    self.places = places
    self.html = html
    self.outputs = outputs
  }

  /// Reads, joins and writes. The status doesn't tell whether what was reported had passed: that was told
  /// when it was run.
  package func run() -> ExitStatus {
    do {
      let saved = try SavedReports(at: places)
      guard !saved.isEmpty else {
        Console.complain(
          "there is no report in \(places.joined(separator: ", ")); make some with 'heavyweight run --json "
            + "FILE', 'check --json FILE' or 'bench --json FILE'")
        return .nothingFound
      }
      let history = History(saved)
      let page = HistoryPage(history: history, checks: History.newestChecks(saved)).text()
      let folder = URL(fileURLWithPath: html, isDirectory: true)
      let file = folder.appending(path: "index.html").relativePath
      do {
        try ReportFile.prepare(folder: folder, of: html)
        try ReportFile.write(Data(page.utf8), to: file)
      } catch let error as ReportError {
        Console.complain("\(error)")
        return .reportNotWritten
      }
      return try outputs.publish(
        text: { summary(saved, history, file) }, json: history.machineReport, .passed)
    } catch {
      Console.complain("\(error)")
      return .badInput
    }
  }

  private func summary(_ saved: SavedReports, _ history: History, _ file: String) -> String {
    let counts = [
      saved.runs.isEmpty ? nil : "\(saved.runs.count) of run",
      saved.benches.isEmpty ? nil : "\(saved.benches.count) of bench",
      saved.checks.isEmpty ? nil : "\(saved.checks.count) of check",
    ].compactMap(\.self)
    let count = saved.runs.count + saved.benches.count + saved.checks.count
    let over = saved.others.map { "skipped, since it isn't a report: \($0)\n" }.joined()
    let gone = history.scenarios.filter { $0.state == .notPlayed }.map { scenario in
      let last = scenario.entries.last.map { ", last in \(history.columns[$0.column].name)" } ?? ""
      return "no longer played\(last): \(scenario.path)\n"
    }.joined()
    return over + gone + "\(count.counted("report")) (\(counts.joined(separator: ", "))) of "
      + "\(history.columns.count.counted("commit")): \(file)\n"
  }
}
