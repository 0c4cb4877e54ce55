/// What came of playing a scenario once, or of comparing what the backends ended with.
public struct RunResult: Sendable, Codable {
  public let id: RunID
  /// The steps that were executed, those of later starts included.
  public var hops: [HopReport] = []
  public var failures: [Failure] = []
  /// How many expectations were looked at.
  public var checkCount = 0
  public var seconds = 0.0
  /// What the run's process printed: what policies say by `print` and `NSLog`.
  public var output = ""
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
}

/// Something that isn't as it should be.
public struct Failure: Sendable, Codable {
  public enum Kind: String, Sendable, Codable {
    /// An expectation doesn't hold.
    case expectation
    /// An error that nobody expected.
    case error
    /// The two backends ended with different content.
    case backendsDiffer = "backends differ"
    /// The run's process ended before the run did.
    case crash
    /// The run took longer than it may.
    case timeout
    /// The run took more memory than it may.
    case memory
    /// A step of the chain should have been executed, and wasn't.
    case notExecuted = "not executed"
    /// The result, opened by another process, isn't what the run left.
    case openedAgain = "opened again"
    /// The scenario expects nothing.
    case nothingExpected = "nothing expected"
    /// An expectation holds because there was nothing that it could have been wrong about.
    case nothingLookedAt = "nothing looked at"
  }
  public let kind: Kind
  public let place: SourcePlace?
  /// The step of the chain, or of what follows it, at which it shows.
  public let step: String?
  /// What was looked at.
  public let subject: String
  public let expected: String
  public let found: String
  public let notes: [String]
  /// What would have to be written in the scenario for this to hold; empty where that is no value.
  var repairs: [Repair] = []

  init(
    _ kind: Kind, at place: SourcePlace?, step: String? = nil, _ subject: String,
    expected: String, found: String, notes: [String] = []
  ) {
    self.kind = kind
    self.place = place
    self.step = step
    self.subject = subject
    self.expected = expected
    self.found = found
    self.notes = notes
  }

  init(_ mismatch: Mismatch, step: String?) {
    self.init(
      mismatch.isVacuous ? .nothingLookedAt : .expectation, at: mismatch.place, step: step,
      mismatch.subject, expected: mismatch.expected,
      found: mismatch.found, notes: mismatch.notes)
    repairs = mismatch.repairs
  }

  /// An error where none was expected.
  init(error: any Error, at place: SourcePlace?, step: String?, _ subject: String) {
    let lines = "\(error)".split(separator: "\n").map(String.init)
    self.init(
      .error, at: place, step: step, subject, expected: "no error", found: lines.first ?? "error",
      notes: Array(lines.dropFirst()))
  }
}
