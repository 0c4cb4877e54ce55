/// A report that somebody asked for.
package struct ReportOutput<Report>: Sendable {
  private let format: any ReportFormat<Report>.Type
  /// The option that asks for it, for messages.
  let option: String
  /// A file or folder; `-` for standard output, which then has nothing else. Empty where the format goes
  /// to standard output anyway.
  let path: String

  package init(_ format: any ReportFormat<Report>.Type, _ option: String, to path: String = "") {
    self.format = format
    self.option = option
    self.path = path
  }

  /// The file that is written; nil for standard output.
  fileprivate var file: String? {
    switch format.destination {
    case .file: path == "-" ? nil : path
    case .page(let name):
      URL(fileURLWithPath: path, isDirectory: true).appending(path: name).relativePath
    case .standardOutput: nil
    }
  }

  /// - Throws: ``ReportError`` where it can't be written.
  fileprivate func prepare() throws {
    switch format.destination {
    case .file: if path != "-" { try ReportFile.prepare(path) }
    case .page:
      try ReportFile.prepare(folder: URL(fileURLWithPath: path, isDirectory: true), of: path)
    case .standardOutput: break
    }
  }

  fileprivate func write(_ report: Report) throws {
    try prepare()
    let content = try format.content(of: report)
    switch (format.destination, file) {
    case (_, let file?): try ReportFile.write(content.data, to: file)
    case (.standardOutput, nil): try ReportFile.writeToOutputAsItIs(content.data)
    case (.file, nil), (.page, nil): try ReportFile.writeToOutput(content.data)
    }
    for addition in content.additions { try ReportFile.append(addition.data, to: addition.file) }
  }

  /// How somebody asks for it on standard output.
  fileprivate var onStandardOutput: String { path.isEmpty ? option : "\(option) \(path)" }
}

/// Where reports go, beside the one for the person at the terminal.
package struct ReportOutputs<Report>: Sendable {
  private let outputs: [ReportOutput<Report>]

  package init(_ outputs: [ReportOutput<Report>]) { self.outputs = outputs }

  /// What is wrong with the choice itself; nil when nothing is.
  package var contradiction: String? {
    let printed = outputs.filter { $0.file == nil }
    if printed.count > 1 {
      return
        "\(printed[0].onStandardOutput) and \(printed[1].onStandardOutput) would both write to "
        + "standard output."
    }
    var options: [URL: String] = [:]
    for output in outputs {
      guard let file = output.file else { continue }
      let url = URL(fileURLWithPath: file).standardizedFileURL
      if let other = options.updateValue(output.option, forKey: url) {
        return "\(other) and \(output.option) name the same file."
      }
    }
    return nil
  }

  var isEmpty: Bool { outputs.isEmpty }

  /// Whether a report for a machine takes standard output from the one for a person.
  var takeStandardOutput: Bool { outputs.contains { $0.path == "-" } }
}

// MARK: - Writing

extension ReportOutputs {
  /// Makes sure, before anything runs, that all can be written.
  /// - Throws: ``ReportError`` for the first that can't.
  func prepare() throws {
    // A file that grows over a limit is an error like any other, not the end of the process.
    signal(SIGXFSZ, SIG_IGN)
    for output in outputs { try output.prepare() }
  }

  /// Writes all reports; one that can't be written doesn't keep the others from it.
  /// - Returns: What couldn't be written.
  func write(_ report: Report) -> [ReportError] {
    outputs.compactMap { output in
      do {
        try output.write(report)
        return nil
      } catch {
        return error as? ReportError ?? ReportError(path: "report", reason: "\(error)")
      }
    }
  }
}

extension ReportOutputs<SuiteReport> {
  /// Ends the report for a person, and writes the others.
  /// - Returns: What the command ends with.
  func publish(_ report: SuiteReport, _ printer: ReportPrinter) -> ExitStatus {
    // Runs that Control-C ended haven't failed.
    TemporaryFiles.waitIfOver()
    if report.isPlayed { printer.print { $0.ending(report) } }
    let problems = printer.problems + write(report)
    for problem in problems { Console.complain("\(problem)") }
    let status = report.exitStatus
    return status == .passed && !problems.isEmpty ? .reportNotWritten : status
  }
}
