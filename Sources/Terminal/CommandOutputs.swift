/// Where the JSON of a command goes: nowhere, to standard output instead of the text, or to a file beside it.
package enum JSONPlace: Sendable, Equatable {
  case none
  case standardOutput
  case file(String)

  /// - Parameter given: What `--json` has: a file, `-`, or nothing behind it; nil without the option.
  package init(_ given: String?) {
    switch given {
    case nil: self = .none
    case "-", "": self = .standardOutput
    case let path?: self = .file(path)
    }
  }

  package var isStandardOutput: Bool { self == .standardOutput }

  /// Why the file isn't one for a report; nil where it is. Whoever writes `--json` before a command's own
  /// argument means the argument, which must not be overwritten.
  package var problem: String? {
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
package struct ToldFinding: Sendable, Equatable, Codable {
  package enum Severity: String, Sendable, Codable { case error, warning, note }

  package let severity: Severity
  /// The rule or kind, as `removed-entity`.
  package let rule: String
  /// What it is about: a step, a version, an entity; empty where it is about all.
  package let subject: String
  package let message: String
  package let advice: String?
  /// Whether the command fails for it: for errors, and where it is strict for others, too.
  package let isFailing: Bool
  /// The file and line that it is about; nil where that is the file that the command was given.
  package let place: FilePlace?

  /// - Parameter isFailing: Nil for a finding that fails if it is an error.
  package init(
    _ severity: Severity, _ rule: String, _ subject: String, _ message: String,
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

/// All that a command found in one file.
package struct ToldFindings: Sendable {
  /// The command, as `check`.
  package let command: String
  /// The model or store, as it was given.
  package let file: String
  package let findings: [ToldFinding]
  /// Whether the command fails for them.
  package let isFailure: Bool

  package init(command: String, file: String, findings: [ToldFinding], isFailure: Bool) {
    self.command = command
    self.file = file
    self.findings = findings
    self.isFailure = isFailure
  }
}

/// Where a command's reports go, the same for all commands.
package struct CommandOutputs: Sendable {
  package var json = JSONPlace.none
  /// Writes what `--junit`, `--html` and `--github` ask for, and returns what couldn't be written.
  package var tell: (@Sendable (ToldFindings) -> [ReportError])?

  package init(json: JSONPlace = .none, tell: (@Sendable (ToldFindings) -> [ReportError])? = nil) {
    self.json = json
    self.tell = tell
  }

  /// Prints and writes everything.
  /// - Parameters:
  ///   - text: For the person at the terminal; not asked for where JSON takes its place.
  ///   - findings: What is told to machines that know nothing of the command; asked for where somebody wants it.
  ///   - status: What the command ends with where all reports arrive.
  /// - Returns: `status`, or ``ExitStatus/reportNotWritten`` for a passed command with a report that can't be
  ///   written.
  /// - Throws: What `text` and `json` throw.
  package func publish(
    text: () throws -> Data, json makeJSON: () throws -> Data,
    findings: @autoclosure () -> ToldFindings? = nil, _ status: ExitStatus
  ) throws -> ExitStatus {
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
    let printed = Console.publish(json.isStandardOutput ? try makeJSON() : try text(), status)
    if let tell, let findings = findings() { problems += tell(findings) }
    for problem in problems { Console.complain("\(problem)") }
    return printed == .passed && !problems.isEmpty ? .reportNotWritten : printed
  }

  package func publish(
    text: () throws -> String, json: () throws -> Data,
    findings: @autoclosure () -> ToldFindings? = nil, _ status: ExitStatus
  ) throws -> ExitStatus {
    try publish(text: { Data(try text().utf8) }, json: json, findings: findings(), status)
  }
}
