/// Finds out what a run was doing when its process ended.
struct DeadRun {
  let id: RunID
  let files: ExchangeFiles
  let scenario: CheckedScenario
  let limits: RunLimits

  /// The failure to report.
  func failure(_ ending: Worker.Ending) -> Failure {
    let output = CrashOutput(text: files.printed, sources: policySources)
    let kind: Failure.Kind =
      switch ending {
      case .exited, .signalled, .answered: .crash
      case .tookTooLong: .timeout
      case .tookTooMuchMemory: .memory
      }
    var failure = Failure(
      kind, at: scenario.scenario.title.place, step: log?.step, subject,
      expected: expected(ending), found: found(ending, output),
      notes: output.lastLines.map { "printed: \($0)" })
    failure.code = output.place.map(codePlace)
    failure.options = limits.options(for: kind)
    failure.hints = FailureHints(result: RunResult(id: id), failure: failure).identifiers
    return failure
  }

  /// The line of a policy, as reports call its file.
  private func codePlace(_ place: String) -> Failure.CodePlace {
    let parts = place.split(separator: ":").map(String.init)
    let line = parts.count > 1 ? Int(parts[parts.count - 1]) : nil
    let path = line == nil ? place : parts.dropLast().joined(separator: ":")
    return Failure.CodePlace(
      file: PolicyMethodFinder(scenario: scenario).shown(URL(fileURLWithPath: path)), line: line,
      method: hookText)
  }

  private var log: PlayLog? { PlayLog.read(files.log) }

  private var policySources: Set<String> {
    let folder = scenario.scenario.folder
    let patterns = scenario.scenario.policies.flatMap { $0.stubs + [$0] }.flatMap(\.sources)
    return Set(patterns.map { folder.resolving($0.value).deletingLastPathComponent().path })
  }

  // MARK: Wording

  private var subject: String { hookText ?? "the run's process" }

  /// `createDestinationInstances of EventToEvent, for Event dinner (Event/p1)`.
  private var hookText: String? {
    guard let entry = FlightRecorder.lastEntry(in: files.recorder) else { return nil }
    let hook = "\(entry.hook) of \(entry.entityMapping)"
    guard let entity = entry.entity, let key = entry.primaryKey else { return hook }
    let row = "\(entity)/p\(key)"
    let isSource = entry.hook == MigrationTrace.Event.Kind.createDestinationInstances.rawValue
    guard isSource else { return "\(hook), for the new \(entity)" }
    return "\(hook), for \(log?.labels["\(entity)/\(key)"].map { "\($0) (\(row))" } ?? row)"
  }

  private func expected(_ ending: Worker.Ending) -> String {
    switch ending {
    case .exited, .signalled, .answered: "to come back"
    case .tookTooLong: "to end within \(TimeText.text(limits.seconds)) (--timeout)"
    case .tookTooMuchMemory: "to stay within \(ByteText.text(Int64(limits.bytes))) (--memory)"
    }
  }

  private func found(_ ending: Worker.Ending, _ output: CrashOutput) -> String {
    switch ending {
    case .answered: "it came back without an answer"
    case .exited(let code): output.message ?? "the process ended with status \(code)"
    case .signalled(let signal): output.message ?? "the process was ended by \(Self.name(signal))"
    case .tookTooLong: "it still ran, and was ended"
    case .tookTooMuchMemory: "it took more, and was ended"
    }
  }

  private static func name(_ signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGSEGV: "SIGSEGV", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT",
      SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGTERM: "SIGTERM",
    ]
    return names[signal] ?? "signal \(signal)"
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
    let fatal = lines.firstIndex { $0.contains("Fatal error: ") || $0.contains("Fatal error\n") }
    message = fatal.map { Self.message(lines[$0]) }
    let end = fatal ?? lines.firstIndex { $0.contains("*** ") } ?? lines.endIndex
    lastLines = lines[..<end].suffix(Self.mostLines).map { $0.trimmingCharacters(in: .whitespaces) }
    place = lines[end...].lazy.compactMap { Self.place(in: $0, sources) }.first
  }

  /// Without the place of the library's own source.
  private static func message(_ line: String) -> String {
    line.range(of: "Fatal error: ").map { String(line[$0.lowerBound...]) } ?? line
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
