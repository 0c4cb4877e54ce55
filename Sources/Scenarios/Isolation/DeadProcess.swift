/// Finds out what a process was doing when it ended.
struct DeadProcess {
  let files: ExchangeFiles
  let log: PlayLog?
  let limits: RunLimits
  let output: CrashOutput
  let raised: ErrorWatch.Raised?

  /// - Parameter sources: The folders of the policies' sources.
  init(files: ExchangeFiles, sources: Set<String>, limits: RunLimits) {
    self.files = files
    self.limits = limits
    log = PlayLog.read(files.log)
    output = CrashOutput(text: files.printed, sources: sources)
    raised = ErrorWatch.Raised.read(files.raised)
  }

  /// What it printed last, as it did.
  var lastLines: String { output.lastLines.map { $0 + "\n" }.joined() }

  /// `createDestinationInstances of EventToEvent, for Event dinner (Event/p1)`.
  var hookText: String? {
    guard let entry else { return nil }
    let hook = "\(entry.hook) of \(entry.entityMapping)"
    guard let entity = entry.entity, let key = entry.primaryKey else { return hook }
    let row = "\(entity)/p\(key)"
    let isSource = entry.hook == MigrationTrace.Event.Kind.createDestinationInstances.rawValue
    guard isSource else { return "\(hook), for the new \(entity)" }
    return "\(hook), for \(log?.labels["\(entity)/\(key)"].map { "\($0) (\(row))" } ?? row)"
  }

  var entry: FlightRecorder.Entry? { FlightRecorder.lastEntry(in: files.recorder) }

  /// An exception that was raised before, of which the end of the process may be a consequence.
  var raisedNotes: [String] {
    guard let raised else { return [] }
    return ["an exception was raised earlier, which would end an app at once: \(raised.text)"]
  }

  /// The file and the line of a policy that was running: that of the exception, if one was raised.
  var line: (file: URL, line: Int?)? {
    if let place = raised?.withFile { return place }
    if output.place == nil, let aborted = ErrorWatch.Raised.read(files.aborted)?.withFile {
      return aborted
    }
    return output.place.map { place in
      let parts = place.split(separator: ":").map(String.init)
      let line = parts.count > 1 ? Int(parts[parts.count - 1]) : nil
      let path = line == nil ? place : parts.dropLast().joined(separator: ":")
      return (URL(fileURLWithPath: path), line)
    }
  }

  // MARK: Wording

  static func kind(_ ending: Worker.Ending) -> Failure.Kind {
    switch ending {
    case .exited, .signalled, .answered: .crash
    case .tookTooLong: .timeout
    case .tookTooMuchMemory: .memory
    }
  }

  func expected(_ ending: Worker.Ending) -> String {
    switch ending {
    case .exited, .signalled, .answered: "to return"
    case .tookTooLong: "to end within \(TimeText.text(limits.seconds)) (--timeout)"
    case .tookTooMuchMemory: "to stay within \(ByteText.text(Int64(limits.bytes))) (--memory)"
    }
  }

  func found(_ ending: Worker.Ending) -> String {
    switch ending {
    case .answered: "it returned no answer"
    case .exited(let code): output.message ?? "the process ended with status \(code)"
    case .signalled(let signal): output.message ?? "the process was ended by \(Self.name(signal))"
    case .tookTooLong: "it was still running, and was ended"
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

/// The end of a process in which policies ran, as a command other than `run` tells it.
package struct PolicyDeath: Error, CustomStringConvertible, LocalizedError, CustomNSError {
  let kind: Failure.Kind
  let subject: String
  let expected: String
  let found: String
  /// `Policies/SongPolicy.swift:12`.
  let code: String?
  package let entityMapping: String?
  package let object: String?
  let printed: [String]
  let notes: [String]

  init(_ process: DeadProcess, _ ending: Worker.Ending) {
    kind = DeadProcess.kind(ending)
    subject = process.hookText ?? "the process with the policies"
    expected = process.expected(ending)
    found = process.found(ending)
    code = process.line.map { place in
      place.file.relativePath + (place.line.map { ":\($0)" } ?? "")
    }
    entityMapping = process.entry?.entityMapping
    object = process.entry.flatMap { entry in
      entry.entity.flatMap { entity in entry.primaryKey.map { "\(entity)/p\($0)" } }
    }
    printed = process.output.lastLines
    notes = process.raisedNotes
  }

  /// Whether the process ended with an object of an entity.
  package func isAbout(_ entity: String) -> Bool { object?.hasPrefix("\(entity)/p") ?? false }

  package var description: String {
    let facts = [("expected", expected), ("found", found)] + (code.map { [("in", $0)] } ?? [])
    return
      (["\(kind.rawValue): \(subject)"] + facts.map { "  \($0): \($1)" }
      + notes.map { "  \($0)" }
      + printed.map { "  printed: \($0)" }).joined(separator: "\n")
  }

  /// The end in one line, for files that others read: without the folders of this machine.
  package var summary: String {
    "\(subject): \(found)" + (code.map { ", in \(($0 as NSString).lastPathComponent)" } ?? "")
  }

  package var isCrash: Bool { kind == .crash }

  package var errorDescription: String? { description }

  package static var errorDomain: String { "HeavyweightProcess" }

  /// Those of processes that took more than they were given.
  package static let codesOfLimits: Set = [2, 3]

  /// 1 for a process that ended by itself, 2 for one that took too long, 3 for one that took too much
  /// memory.
  package var errorCode: Int {
    switch kind {
    case .timeout: 2
    case .memory: 3
    default: 1
    }
  }
}
