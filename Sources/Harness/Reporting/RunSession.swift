/// One call of `heavyweight run`: finds, checks, runs and reports.
public struct RunSession {
  private let paths: [String]
  private let selection: ScenarioSelection
  private let isVerbose: Bool
  private let jsonFile: String?

  /// - Parameters:
  ///   - paths: Files and folders; empty for the folder `Scenarios`.
  ///   - jsonFile: Where a report for machines goes; `-` for standard output instead of the other.
  public init(
    paths: [String], selection: ScenarioSelection, isVerbose: Bool, jsonFile: String?
  ) {
    self.paths = paths.isEmpty ? ["Scenarios"] : paths
    self.selection = selection
    self.isVerbose = isVerbose
    self.jsonFile = jsonFile
  }

  /// Does everything and prints it: the report on standard output, all else on standard error.
  public func run(_ suite: ScenarioSuite) async -> ExitStatus {
    do {
      let all = try load()
      let scenarios = selection.selected(from: all)
      if scenarios.isEmpty { return explainEmptiness(all) }
      try suite.prepareKeepFolder()
      let progress = ProgressLine()
      let report = await suite.run(scenarios) { id, done, total in progress.show(id, done, total) }
      progress.clear()
      try publish(report)
      return report.exitStatus
    } catch let problems as ScenarioProblems {
      Self.complain("\(problems)")
      writeJSON(problems)
      return .badInput
    } catch {
      Self.complain("\(error)")
      return .badInput
    }
  }

  /// Machines want to know, too, why nothing ran.
  private func writeJSON(_ problems: ScenarioProblems) {
    do {
      try writeJSON(SuiteReport(problems: problems.all))
    } catch {
      Self.complain("\(error)")
    }
  }

  /// All scenarios at the paths.
  /// - Throws: ``Diagnostics`` of all files together.
  private func load() throws -> [CheckedScenario] {
    var scenarios: [CheckedScenario] = []
    var problems: [SuiteReport.Problem] = []
    for path in try ScenarioFinder.files(at: paths) {
      do {
        scenarios.append(
          try CheckedScenario.load(contentsOf: URL(fileURLWithPath: path), shownAs: path))
      } catch {
        problems.append(SuiteReport.Problem(path: path, text: "\(error)"))
      }
    }
    if !problems.isEmpty { throw ScenarioProblems(all: problems) }
    return scenarios
  }

  private func explainEmptiness(_ all: [CheckedScenario]) -> ExitStatus {
    let places = paths.joined(separator: ", ")
    if all.isEmpty {
      Self.complain("nothing ran: there is no *\(ScenarioFinder.suffix) in \(places)")
    } else {
      Self.complain("nothing ran: none of \(all.count) scenarios in \(places) was selected")
    }
    return .nothingRan
  }

  private func publish(_ report: SuiteReport) throws {
    if jsonFile != "-" {
      let text = TextReport(style: TextStyle(for: STDOUT_FILENO), isVerbose: isVerbose)
      FileHandle.standardOutput.write(Data(text.text(report).utf8))
    }
    try writeJSON(report)
  }

  private func writeJSON(_ report: SuiteReport) throws {
    guard let jsonFile else { return }
    let data = try JSONReport(report).data() + Data("\n".utf8)
    if jsonFile == "-" { return FileHandle.standardOutput.write(data) }
    do {
      try data.write(to: URL(fileURLWithPath: jsonFile), options: .atomic)
    } catch {
      throw Diagnostics([
        Diagnostic(file: jsonFile, "can't write the report: \(error.plainText)")
      ])
    }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
  }
}

/// What is wrong in several scenario files.
private struct ScenarioProblems: Error, CustomStringConvertible {
  let all: [SuiteReport.Problem]
  var description: String { all.map(\.text).joined(separator: "\n") }
}
