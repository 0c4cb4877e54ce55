/// What an earlier call came to: a report of it in JSON, or what is kept of the last calls in a folder.
package struct EarlierRuns: Codable, Sendable {
  private struct Run: Codable {
    let address: String
    /// Nil in what an earlier heavyweight kept.
    let title: String?
    let start: String
    let passed: Bool
    let seconds: Double

    /// Whether a scenario's runs from a start are what this was: the scenario may stand elsewhere in its file now, in
    /// another where its file is gone, or have another title, and where the start is gone it may be any.
    func means(_ scenario: CheckedScenario, from start: String) -> Bool {
      let own = scenario.scenario
      let path = ScenarioAddress(address).path
      let isSame =
        address == "\(own.address)"
        || title == own.title.value && (path == own.address.path || isGone(path))
      return isSame && (self.start == start || !scenario.starts.contains(self.start))
    }
  }

  /// A scenario, or a file of them, that couldn't be run.
  private struct Problem: Codable { let path: String }

  private var runs: [Run] = []
  private var notRunnable: [Problem] = []

  package init() {}

  /// - Parameter path: A report of `run` or `report` in JSON.
  /// - Throws: ``Diagnostics`` where it is none, or can't be read.
  package init(reading path: String) throws {
    do {
      self = try JSONDecoder().decode(Self.self, from: Data(reading: URL(fileURLWithPath: path)))
    } catch {
      let reason = error is DecodingError ? "no report of 'run --json'" : "can't be read"
      throw Diagnostics(file: path, "\(reason): \(error.plainText)")
    }
  }

  /// How long a scenario's runs from a start took together; nil where that isn't known.
  func seconds(of scenario: CheckedScenario, from start: String) -> Double? {
    let own = runs(of: scenario, from: start)
    return own.isEmpty ? nil : own.reduce(0) { $0 + $1.seconds }
  }

  func hasFailed(_ scenario: CheckedScenario, from start: String) -> Bool {
    let address = scenario.scenario.address
    return runs.contains { !$0.passed && $0.means(scenario, from: start) }
      || notRunnable.contains { [address.path, "\(address)"].contains($0.path) }
  }

  private func runs(of scenario: CheckedScenario, from start: String) -> [Run] {
    let address = "\(scenario.scenario.address)"
    return runs.filter { $0.address == address && $0.start == start }
  }

  /// The files of what failed: those that are there, and those that are gone.
  package var failedFiles: (there: [String], gone: [String]) {
    let addresses = runs.filter { !$0.passed }.map(\.address) + notRunnable.map(\.path)
    let files = Set(addresses.map { ScenarioAddress($0).path }).sorted()
    return (files.filter { !isGone($0) }, files.filter(isGone))
  }

  // MARK: What is kept

  /// Where what failed in the working folder is kept: each folder has a file of its own.
  package static func file(in cache: URL) -> URL {
    let folder = Data(FileManager.default.currentDirectoryPath.utf8)
    return cache.appending(
      path: "last-failed/\(SHA2.hash(folder).hexadecimal.prefix(32)).json")
  }

  /// Notes what failed now; what failed before and wasn't played now still counts as failed.
  /// - Parameter scenarios: All that were read, played or not.
  package mutating func note(_ report: SuiteReport, of scenarios: [CheckedScenario]) {
    let played = Set(report.results.map { "\($0.id.address) \($0.id.start)" })
    let byFile = Dictionary(grouping: scenarios, by: \.scenario.address.path)
    runs.removeAll { run in
      let path = ScenarioAddress(run.address).path
      let meant = (isGone(path) ? scenarios : byFile[path, default: []]).flatMap { scenario in
        scenario.starts.filter { run.means(scenario, from: $0) }
          .map { "\(scenario.scenario.address) \($0)" }
      }
      return !meant.isEmpty && played.isSuperset(of: meant)
    }
    runs += report.failedResults.map {
      Run(
        address: "\($0.id.address)", title: $0.id.title, start: $0.id.start, passed: false,
        seconds: $0.seconds)
    }
    let known = Set(report.results.flatMap { [$0.id.path, "\($0.id.address)"] })
    notRunnable.removeAll { known.contains($0.path) }
    let paths = Set(notRunnable.map(\.path))
    notRunnable += report.problems.map { Problem(path: $0.path) }.filter {
      !paths.contains($0.path)
    }
  }

  package var isEmpty: Bool { runs.isEmpty && notRunnable.isEmpty }

  /// Keeps it for later calls. What can't be kept isn't this call's failure.
  package func keep(in file: URL) {
    if isEmpty, case .missing = FileKind(of: file) { return }
    try? PrivateFolder.make(file.deletingLastPathComponent())
    try? JSONEncoder().encode(self).write(to: file, options: .atomic)
  }
}

private func isGone(_ path: String) -> Bool { FileKind(of: URL(fileURLWithPath: path)) == .missing }
