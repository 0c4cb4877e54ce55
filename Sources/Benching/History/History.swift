/// What saved reports say together: how each scenario and each measurement went from commit to commit.
struct History: Encodable {
  /// One commit, or one report where no commit was noted. Shards of a commit are one.
  struct Column: Encodable, Hashable {
    let commit: String?
    /// When the first report of it was made.
    let date: Date?
    /// What a table calls it.
    let name: String
  }

  struct Scenario: Encodable {
    /// What the newest runs say of it.
    enum State: String, Encodable {
      case passed, failed
      /// None of them played it: whatever it came to before says nothing about the newest commit.
      case notPlayed
    }
    struct Entry: Encodable {
      /// The place in the list of columns.
      let column: Int
      let runs: Int
      let failed: Int
      let seconds: Double
      /// What went wrong first, in a line.
      let problem: String?
    }
    /// The file, with the scenario's number where it has several.
    let path: String
    let title: String
    let state: State
    /// Why the newest runs skipped it, if they did.
    let skipped: String?
    let entries: [Entry]
  }

  struct Measurement: Encodable {
    struct Entry: Encodable {
      let column: Int
      let medianSeconds: Double
      let peakBytes: Int64
      let machine: String
    }
    let scenario: String
    let file: String
    let backend: String
    let objects: Int
    let entries: [Entry]
  }

  let format = 1
  private(set) var columns: [Column] = []
  /// The newest column with runs, by which scenarios are judged; nil without any.
  private(set) var newestRuns: Int?
  private(set) var scenarios: [Scenario] = []
  private(set) var measurements: [Measurement] = []
  /// The newest `check` of each model.
  let checks: [Check]
  /// JSON files that are no reports.
  let passedOver: [String]

  struct Check: Encodable {
    let model: String
    let current: String
    let file: String
    let hops: Int
    let errors: Int
    let warnings: Int
    let notes: Int
  }

  private enum CodingKeys: String, CodingKey {
    case format, columns, newestRuns, scenarios, measurements, checks, passedOver
  }

  init(_ saved: SavedReports) {
    checks = Self.newestChecks(saved).map { moment, file in
      func count(_ severity: String) -> Int { file.findings.count { $0.severity == severity } }
      return Check(
        model: file.model, current: file.current, file: moment.file, hops: file.hops.count,
        errors: count("error"), warnings: count("warning"), notes: count("note"))
    }
    passedOver = saved.others
    columns = Self.columns(saved)
    newestRuns = saved.runs.compactMap { column(of: $0.moment) }.max()
    scenarios = scenarios(of: saved)
    measurements = measurements(of: saved)
  }

  /// By model, in the order of their names.
  static func newestChecks(
    _ saved: SavedReports
  ) -> [(moment: SavedReports.Moment, file: SavedReports.CheckFile)] {
    let byModel = Dictionary(grouping: saved.checks, by: \.file.model)
    return byModel.keys.sorted().compactMap { name in
      byModel[name]?.max { ($0.moment.date ?? .distantPast) < ($1.moment.date ?? .distantPast) }
    }
  }

  // MARK: Columns

  private static func key(_ moment: SavedReports.Moment) -> String {
    moment.commit ?? moment.file
  }

  private static func columns(_ saved: SavedReports) -> [Column] {
    let moments = saved.runs.map(\.moment) + saved.benches.map(\.moment)
    let groups = Dictionary(grouping: moments, by: key)
    return groups.values.compactMap { group -> Column? in
      let first = group.min { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
      return first.map { moment in
        let file = (moment.file as NSString).deletingPathExtension
        return Column(
          commit: moment.commit, date: moment.date,
          name: moment.commit.map { String($0.prefix(9)) } ?? file)
      }
    }.sorted { ($0.date ?? .distantPast, $0.name) < ($1.date ?? .distantPast, $1.name) }
  }

  private func column(of moment: SavedReports.Moment) -> Int? {
    columns.firstIndex { column in
      moment.commit.map { column.commit == $0 }
        ?? (column.commit == nil && column.name == (moment.file as NSString).deletingPathExtension)
    }
  }

  // MARK: Scenarios

  private func scenarios(of saved: SavedReports) -> [Scenario] {
    struct RunKey: Hashable {
      let start: String
      let backend: String
    }
    var runs: [String: [Int: [RunKey: SavedReports.RunFile.Run]]] = [:]
    var problems: [String: [Int: String]] = [:]
    var titles: [String: String] = [:]
    var skipped: [String: String] = [:]
    // Of runs that were repeated for a commit the newest counts.
    let ordered = saved.runs.sorted {
      ($0.moment.date ?? .distantPast) < ($1.moment.date ?? .distantPast)
    }
    for (moment, file) in ordered {
      guard let column = column(of: moment) else { continue }
      for run in file.runs {
        let path = run.address ?? run.path
        titles[path] = run.title
        runs[path, default: [:]][column, default: [:]][
          RunKey(start: run.start, backend: run.backend)] = run
        // Whatever was wrong with the file is mended.
        problems[run.path]?[column] = nil
      }
      if column == newestRuns {
        for scenario in file.skipped ?? [] { skipped[scenario.address] = scenario.reason }
      }
      for problem in file.notRunnable {
        problems[problem.path, default: [:]][column] = problem.problem
      }
    }
    return Set(runs.keys).union(problems.keys).sorted().map { path in
      let entries = columns.indices.compactMap { column -> Scenario.Entry? in
        let played = Array((runs[path]?[column] ?? [:]).values)
        if let problem = problems[path]?[column] {
          return Scenario.Entry(
            column: column, runs: played.count, failed: max(1, played.count), seconds: 0,
            problem: Self.line(problem))
        }
        if played.isEmpty { return nil }
        let failed = played.filter { !$0.passed }
        let first = failed.flatMap(\.failures).first
        return Scenario.Entry(
          column: column, runs: played.count, failed: failed.count,
          seconds: played.reduce(0) { $0 + $1.seconds },
          problem: first.map { Self.line("\($0.kind): \($0.subject): \($0.found)") })
      }
      let last = entries.last
      let state: Scenario.State =
        last?.column != newestRuns ? .notPlayed : last?.failed == 0 ? .passed : .failed
      return Scenario(
        path: path, title: titles[path] ?? path, state: state,
        skipped: state == .notPlayed ? skipped[path] : nil, entries: entries)
    }
  }

  private static func line(_ text: String) -> String {
    text.split(separator: "\n").first.map(String.init) ?? ""
  }

  // MARK: Measurements

  private func measurements(of saved: SavedReports) -> [Measurement] {
    struct SizeKey: Hashable {
      let file: String
      let backend: String
      let objects: Int
    }
    var found: [SizeKey: (scenario: String, entries: [Int: Measurement.Entry])] = [:]
    let ordered = saved.benches.sorted {
      ($0.moment.date ?? .distantPast) < ($1.moment.date ?? .distantPast)
    }
    for (moment, file) in ordered {
      guard let column = column(of: moment) else { continue }
      for result in file.scenarios {
        for size in result.sizes where !size.samples.isEmpty {
          let key = SizeKey(
            file: result.file, backend: result.backend.rawValue, objects: size.objects)
          found[key, default: (result.scenario, [:])].entries[column] = Measurement.Entry(
            column: column, medianSeconds: size.statistics.median, peakBytes: size.peakBytes,
            machine: file.shownMachine)
        }
      }
    }
    return found.sorted {
      ($0.key.file, $0.key.backend, $0.key.objects) < ($1.key.file, $1.key.backend, $1.key.objects)
    }.map { key, value in
      Measurement(
        scenario: value.scenario, file: key.file, backend: key.backend, objects: key.objects,
        entries: value.entries.sorted { $0.key < $1.key }.map(\.value))
    }
  }
}
