/// How the command line ends. The numbers never change their meaning.
package enum ExitStatus: Int32, CaseIterable, Codable, Sendable {
  case passed = 0
  case failed = 1
  case badInput = 2
  case nothingFound = 3
  case nothingSelected = 4
  case nothingChecked = 5
  case missingFile = 6
  case reportNotWritten = 7
  case notJudged = 8
}

extension ExitStatus {
  /// What it means for `heavyweight run`, in a few words.
  package var meaning: String {
    switch self {
    case .passed: "every run passed"
    case .failed: "a run failed"
    case .badInput: "a scenario or an argument is wrong, or policies don't compile"
    case .nothingFound: "nothing ran: there is no scenario at the paths"
    case .nothingSelected: "nothing ran: every scenario was skipped or left out by an option"
    case .nothingChecked:
      "something ran but wasn't checked: nothing was expected, or there was nothing to check"
    case .missingFile: "a file that a scenario names doesn't exist"
    case .reportNotWritten: "every run passed, but a report couldn't be written"
    case .notJudged: "nothing is known: the machine failed, as by a full disk or an I/O error"
    }
  }

  /// That of a command whose process met a fault of the machine, which is told: whatever was made of what it couldn't
  /// read, nothing is known.
  package var despiteFaults: ExitStatus {
    switch self {
    case .failed, .reportNotWritten, .notJudged: return self
    case .passed, .badInput, .nothingFound, .nothingSelected, .nothingChecked, .missingFile:
      guard let fault = MachineFaultWatch.faultOfProcess else { return self }
      Console.complain("\(fault)")
      return .notJudged
    }
  }

  /// That of a command that an error ends, and what is said of it.
  package static func of(_ error: any Error) -> (status: ExitStatus, text: String) {
    if let error = error as? ReportError { return (.reportNotWritten, "\(error)") }
    return MachineFault(error).map { (.notJudged, "\($0)") } ?? (.badInput, "\(error)")
  }

  /// That of a command that an error ends, which is told.
  package init(telling error: any Error) {
    let end = Self.of(error)
    Console.complain(end.text)
    self = end.status
  }

  /// What the help of every command says that reads or writes what people have.
  package static let possibleEverywhere = """
      7  done and fine, but the report couldn't be printed
      8  \(notJudged.meaning)
    """

  /// All of them for a command's help, one line each.
  package static var help: String {
    allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n")
  }
}
