/// What came of playing a scenario once, or of comparing what the backends ended with.
public struct RunResult: Sendable, Codable {
  public let id: RunID
  /// The steps from the start to the end of the chain, as `v1 -> v2`.
  public var plan: [String] = []
  /// The steps that were executed, those of later starts included.
  public var hops: [HopReport] = []
  public var failures: [Failure] = []
  /// Properties whose values were found to differ between plays of one backend.
  public var undetermined: [UndeterminedProperty] = []
  /// What is worth a word about the scenario, whatever came of it.
  public var notes: [String] = []
  /// How many expectations were looked at.
  public var checkCount = 0
  public var seconds = 0.0
  /// What the run's process printed: what policies say by `print` and `NSLog`.
  public var output = ""
  /// What opening the store again came to; nil where that wasn't done: in memory, or after a failure.
  public var reopening: ReopeningOutcome?
  /// Where the stores were kept, if they were.
  public var folder: String?

  public var isPassed: Bool { failures.isEmpty && checkCount > 0 }
}

/// Which run of which scenario.
public struct RunID: Hashable, Sendable, Codable {
  /// The scenario file's path.
  public let path: String
  public let title: String
  public let start: String
  public let backend: Backend
  /// Whether the scenario has several starts, so that reports must say which.
  public let hasSeveralStarts: Bool
  /// The numbers of what the scenario covers.
  public var covers: [String] = []
  /// How many objects made by rule somebody asked for; nil for as many as the file says.
  public var objects: Int?
  /// Whether it was played in the tool's own process.
  public var isInProcess = false
}
