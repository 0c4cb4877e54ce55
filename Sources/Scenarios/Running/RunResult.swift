/// What came of playing a scenario once, or of comparing what the backends ended with.
package struct RunResult: Sendable, Codable {
  package internal(set) var id: RunID
  /// The steps from the start to the end of the chain, as `v1 -> v2`.
  package var plan: [String] = []
  /// The steps that were executed, those of later starts included.
  package var executedSteps: [ExecutedStep] = []
  package var failures: [Failure] = []
  /// The error that the run ended with as the scenario expects, as it would be told otherwise.
  package var expectedError: Failure?
  /// Properties whose values were found to differ between plays of one backend.
  package var undetermined: [UndeterminedProperty] = []
  /// What is worth a word about the scenario, whatever came of it.
  package var notes: [String] = []
  /// How many expectations were looked at.
  package var checkCount = 0
  package var seconds = 0.0
  /// What the run's process printed: what policies say by `print` and `NSLog`.
  package var output = ""
  /// What opening the store again came to; nil where that wasn't done: in memory, or after a failure.
  package var reopening: ReopeningOutcome?
  /// Where the stores were kept, if they were.
  package var folder: String?

  /// What ended or failed the run, expected or not.
  package var whatFailed: [Failure] {
    failures.isEmpty ? [expectedError].compactMap(\.self) : failures
  }
  package var isPassed: Bool { failures.isEmpty && checkCount > 0 }
  /// Why nothing is known of it, where the machine failed.
  package var machineFault: MachineFault? { failures.lazy.compactMap(\.fault).first }
}

/// Which run of which scenario.
package struct RunID: Hashable, Sendable, Codable {
  /// The scenario file's path.
  package let path: String
  /// Which one of the file's scenarios it is; nil for the only one.
  package var number: Int?
  package let title: String
  package let start: String
  package let backend: Backend
  /// Whether the scenario has several starts, so that reports must say which.
  package let hasSeveralStarts: Bool
  /// The numbers of what the scenario covers.
  package var covers: [String] = []
  /// How many objects made by rule somebody asked for; nil for as many as the file says.
  package var objects: Int?
  /// Whether it was played in the tool's own process.
  package var isInProcess = false
  /// Whether it was played in a sandbox.
  package var isConfined = false

  /// What reports call the scenario by, beside its title.
  package var address: ScenarioAddress { ScenarioAddress(path: path, number: number) }
}
