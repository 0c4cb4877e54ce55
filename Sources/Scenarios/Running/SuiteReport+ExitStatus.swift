extension SuiteReport {
  /// What the command line ends with: the worst of what happened.
  package var exitStatus: ExitStatus {
    if let status = problems.exitStatus { return status }
    // All parts together are the whole, of which something runs elsewhere.
    if isEmptyShard, results.isEmpty { return .passed }
    if results.isEmpty { return isNothingFound ? .nothingFound : .nothingSelected }
    if results.allSatisfy(\.isPassed) { return .passed }
    let isOnlyEmpty = failedResults.allSatisfy { $0.failures.allSatisfy(\.kind.isEmptiness) }
    if isOnlyEmpty { return .nothingChecked }
    let isOnlyUnjudged = failedResults.allSatisfy {
      $0.machineFault != nil || $0.failures.allSatisfy(\.kind.isEmptiness)
    }
    return isOnlyUnjudged ? .notJudged : .failed
  }

  private var isNothingFound: Bool { skipped.isEmpty && leftOut.isEmpty }
}

extension Failure.Kind {
  /// Whether nothing was wrong but that nothing was checked.
  package var isEmptiness: Bool { self == .nothingExpected || self == .nothingLookedAt }
}

extension [SuiteReport.Problem] {
  /// What the command line ends with where scenarios can't be run; nil where all can.
  package var exitStatus: ExitStatus? {
    if isEmpty { return nil }
    if allSatisfy({ $0.fault != nil }) { return .notJudged }
    return allSatisfy(\.isMissingFile) ? .missingFile : .badInput
  }
}
