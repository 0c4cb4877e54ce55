import Synchronization

/// Where the JSON of a command goes: nowhere, to standard output instead of the text, or to a file beside it.
enum JSONPlace: Sendable, Equatable {
  case none
  case standardOutput
  case file(String)

  /// - Parameter given: What `--json` has: a file, `-`, or nothing behind it; nil without the option.
  init(_ given: String?) {
    switch given {
    case nil: self = .none
    case "-", "": self = .standardOutput
    case let path?: self = .file(path)
    }
  }

  var isStandardOutput: Bool { self == .standardOutput }

  /// Why the file isn't one for a report; nil where it is. Whoever writes `--json` before a command's own
  /// argument means the argument, which must not be overwritten.
  var problem: String? {
    guard case .file(let path) = self else { return nil }
    let url = URL(fileURLWithPath: path)
    if case .folder = FileKind(of: url) {
      return "\(path): this is a folder; --json takes a file, or nothing at the end of the command."
    }
    if ReportForm.json.mayReplace(url) { return nil }
    return
      "\(path): this file exists and is no report of this tool in JSON, so it isn't overwritten; "
      + "write --json at the end of the command, or name a file after it."
  }
}

/// Something that a command found, as reports of all kinds tell it.
struct ToldFinding: Sendable, Equatable, Codable {
  let severity: FindingSeverity
  /// The rule or kind, as `removed-entity`.
  let rule: String
  /// What it is about: a step, a version, an entity; empty where it is about all.
  let subject: String
  let message: String
  let advice: String?
  /// Whether the command fails for it: for errors, and where it is strict for others, too.
  let isFailing: Bool
  /// The file and line that it is about; nil where that is the file that the command was given.
  var place: FilePlace?
  /// What two sides have otherwise, said by the message, too.
  var values: [ToldValue] = []

  /// - Parameter isFailing: Nil for a finding that fails if it is an error.
  init(
    _ severity: FindingSeverity, rule: String, about subject: String, _ message: String,
    advice: String? = nil, isFailing: Bool? = nil, place: FilePlace? = nil
  ) {
    self.place = place
    self.severity = severity
    self.rule = rule
    self.subject = subject
    self.message = message
    self.advice = advice
    self.isFailing = isFailing ?? (severity == .error)
  }
}

/// What two sides have of one property.
struct ToldValue: Sendable, Equatable, Codable {
  let name: String
  /// What the sides are called.
  let heads: Both<String>
  let texts: Both<String>
}

/// All that a command found in one file.
struct ToldFindings: Sendable {
  /// The command, as `check`.
  let command: String
  /// The model or store, as it was given.
  let file: String
  let findings: [ToldFinding]
  /// Whether the command fails for them.
  let isFailure: Bool
  /// What a page has beside them.
  var sections: [PageSection] = []
  /// The page for a browser of a command that has other things to show.
  var ownPage: String?

  /// - Parameter isFailure: Whether the command fails, which a report says also where nothing was found, as by a
  ///   command that had nothing to check.
  init(
    command: String, file: String, findings: [ToldFinding], isFailure: Bool,
    sections: [PageSection] = [], ownPage: String? = nil
  ) {
    let isTold = !isFailure || findings.contains(where: \.isFailing)
    let untold = ToldFinding(
      .error, rule: "not-passed", about: "",
      "not everything was checked; the command's text says why")
    self.findings = isTold ? findings : findings + [untold]
    (self.command, self.file, self.isFailure) = (command, file, isFailure)
    (self.sections, self.ownPage) = (sections, ownPage)
  }
}

/// Where a command's reports go, the same for all commands.
struct CommandOutputs: Sendable {
  /// Whether only what fails is printed.
  static let isQuiet = Atomic(false)

  var json = JSONPlace.none
  /// Whether the command looks for what may fail; the text of others is what they were asked for.
  var hasFindings = false
  /// What `--junit`, `--html` and `--github` ask for.
  var findings = ReportOutputs<ToldFindings>([])

  /// Makes sure, before hours of work, that all can be written.
  /// - Throws: ``ReportError`` for the first that can't.
  func prepare() throws {
    if case .file(let path) = json { try ReportFile.prepare(path) }
    try findings.prepare()
  }

  /// Prints and writes everything.
  /// - Parameters:
  ///   - text: For the person at the terminal; not asked for where JSON takes its place.
  ///   - findings: What is told to machines that know nothing of the command; asked for where somebody wants it.
  ///   - status: What the command ends with where all reports arrive.
  /// - Returns: `status`, or ``ExitStatus/reportNotWritten`` for a passed command with a report that can't be
  ///   written.
  /// - Throws: What `text` and `json` throw.
  func publish(
    text: () throws -> Data, json makeJSON: () throws -> Data,
    findings found: @autoclosure () -> ToldFindings? = nil, _ status: ExitStatus
  ) throws -> ExitStatus {
    if let gathered = GatheredReports.current {
      if json != .none { gathered.add(try makeJSON()) }
      if !findings.isEmpty, let found = found() { gathered.add(found) }
      return json.isStandardOutput ? status : Console.publish(try shown(text, status), status)
    }
    var problems: [ReportError] = []
    if case .file(let path) = json {
      let data = try makeJSON()
      do {
        try ReportFile.prepare(path)
        try ReportFile.write(data, to: path)
      } catch let error as ReportError {
        problems.append(error)
      }
    }
    let printed = Console.publish(
      json.isStandardOutput ? try makeJSON() : try shown(text, status), status)
    if !findings.isEmpty, let found = found() { problems += findings.write(found) }
    for problem in problems { Console.complain("\(problem)") }
    return printed == .passed && !problems.isEmpty ? .reportNotWritten : printed
  }

  /// The text for the person at the terminal; nothing where only what fails is printed, and nothing does.
  private func shown(_ text: () throws -> Data, _ status: ExitStatus) rethrows -> Data {
    let isSilent = status == .passed && hasFindings && Self.isQuiet.load(ordering: .relaxed)
    return isSilent ? Data() : Self.laidOut(try text())
  }

  private static func laidOut(_ text: Data) -> Data {
    guard let columns = TextFlow.columns(of: STDOUT_FILENO) else { return text }
    return Data(TextFlow.laidOut(String(decoding: text, as: UTF8.self), columns: columns).utf8)
  }

  /// Prints and writes a report in every form that is asked for.
  func publish(
    _ report: some CommandReport, findings: @autoclosure () -> ToldFindings? = nil
  ) throws -> ExitStatus {
    let status = PassedOverStores.settled(report.exitStatus)
    var json = report.json
    if json["exitStatus"] != nil { json["exitStatus"] = status.rawValue }
    return try publish(
      text: { report.data }, json: json.machineReport, findings: findings(), status)
  }

  private func document(_ report: some CommandReport) throws -> Data {
    let own = try report.json.machineReport()
    return GatheredReports.current?.document(with: own) ?? own
  }

  /// Has what there is by then told when somebody interrupts the rest.
  func tellAtTheEnd(_ report: @escaping @Sendable () -> some CommandReport) {
    Interruption.sayAtTheEnd {
      // The process is about to end: what can't be printed any more is lost.
      try? ReportFile.writeToOutput(
        json.isStandardOutput ? document(report()) : Self.laidOut(report().data))
    }
  }
}

/// What a command did or found: made once, and shown in every form that is asked for.
protocol CommandReport: SendableMetatype {
  func text(style: TextStyle) -> String
  var json: JSONObject { get }
  /// What the command ends with where the report arrives.
  var exitStatus: ExitStatus { get }
}

extension CommandReport {
  var exitStatus: ExitStatus { .passed }

  /// The text for standard output.
  fileprivate var data: Data { Data(text(style: TextStyle(for: STDOUT_FILENO)).utf8) }
}
