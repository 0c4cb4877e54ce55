/// Tells what a run was doing when its process ended.
struct DeadRun {
  let id: RunID
  let files: ExchangeFiles
  let scenario: CheckedScenario
  let limits: RunLimits

  /// The failure to report.
  func failure(_ ending: Worker.Ending) -> Failure {
    let process = DeadProcess(files: files, sources: scenario.policyFolders, limits: limits)
    let kind = DeadProcess.kind(ending)
    var failure = Failure(
      kind, at: scenario.scenario.title.place, step: process.log?.step,
      process.hookText ?? "the run's process", expected: process.expected(ending),
      found: process.found(ending),
      notes: process.raisedNotes + process.output.lastLines.map { "printed: \($0)" })
    failure.code = process.line.map { place in
      Failure.CodePlace(
        file: PolicyMethodFinder(scenario: scenario).shown(place.file), line: place.line,
        method: process.hookText)
    }
    failure.options = limits.options(for: kind)
    failure.hints =
      FailureHints(
        result: RunResult(id: id), failure: failure, scenario: scenario
      ).identifiers
    return failure
  }
}

extension CheckedScenario {
  /// The folders of the policies' sources.
  package var policyFolders: Set<String> {
    let patterns = scenario.policies.flatMap { $0.stubs + [$0] }.flatMap(\.sources)
    return Set(
      patterns.map { scenario.folder.resolving($0.value).deletingLastPathComponent().path })
  }
}

/// What a process printed before it died.
struct CrashOutput {
  /// The runtime's own words, as `Fatal error: Index out of range`.
  let message: String?
  /// `Policies/SongPolicy.swift:12`, the line of a policy that was running.
  let place: String?
  /// What was printed before that, the last lines of it.
  let lastLines: [String]

  private static let mostLines = 5

  /// - Parameter sources: The folders of the scenario's policies.
  init(text: String, sources: Set<String>) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    let fatal = lines.firstIndex { line in
      Self.beginnings.contains { line.contains($0) } || line.contains("Fatal error\n")
    }
    message = fatal.map { Self.message(lines[$0]) }
    let end = fatal ?? lines.firstIndex { $0.contains("*** ") } ?? lines.endIndex
    lastLines = lines[..<end].suffix(Self.mostLines).map { $0.trimmingCharacters(in: .whitespaces) }
    let places = lines[end...].compactMap { Self.place(in: $0, sources) }
    // What the compiler made in between has a file and no line; the call that led there has both.
    place = places.first { $0.contains(":") && $0.hasPrefix(places[0]) } ?? places.first
  }

  private static let beginnings = ["Fatal error: ", "Could not cast value of type "]

  /// Without the place of the library's own source, and where in memory types are.
  private static func message(_ line: String) -> String {
    let start = beginnings.lazy.compactMap { line.range(of: $0)?.lowerBound }.first
    return String(line[(start ?? line.startIndex)...])
      .replacing(#/ \(0x[0-9a-f]+\)/#, with: "")
  }

  /// A path of a policy with its line, as the runtime and its backtrace print it; without a line
  /// where an instruction belongs to none.
  private static func place(in line: String, _ sources: Set<String>) -> String? {
    for match in line.matches(of: #/(?<path>[^\s:]+\.swift)(?<line>:\d+)?/#) {
      let path = String(match.output.path)
      let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
      if sources.contains(folder) { return path + (match.output.line ?? "") }
    }
    return nil
  }
}
