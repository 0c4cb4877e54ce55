/// What came of `heavyweight crash`.
package struct CrashReport: CommandReport, Sendable {
  /// The scenarios, one for each start.
  var sweeps: [CrashSweepResult] = []
  /// What kept a scenario from being played.
  var problems: [String] = []
  var seconds = 0.0

  var plays: [CrashPlay] { sweeps.flatMap(\.plays) }
  var brokenPlays: [CrashPlay] { plays.filter { !$0.violations.isEmpty } }

  var exitStatus: ExitStatus {
    if !problems.isEmpty { return .badInput }
    if !brokenPlays.isEmpty { return .failed }
    return plays.isEmpty ? .nothingChecked : .passed
  }
}

/// What came of one start of a scenario.
struct CrashSweepResult: Sendable, Encodable {
  let scenario: String
  let start: String
  /// Whether there are others, so that a command has to name it.
  let hasSeveralStarts: Bool
  /// The file of the result; nil where it takes the old store's place.
  let destination: String?
  /// All points of the migration, in their order; the first has number 1.
  let points: [FilePoint]
  /// Properties whose values aren't determined by the source: they aren't compared.
  let undetermined: [String]
  /// Whether an app's code runs in the migration.
  let hasPolicies: Bool
  /// Whether handlers of stages run in it: on a copy here, so that what a fault between their saves does to a device's
  /// store isn't judged.
  let runsStageHandlers: Bool
  /// The stores of an app's code that it removes itself in the end, so that what a fault does to them isn't judged.
  let goneStores: [String]
  var plays: [CrashPlay] = []
}

/// One play of a migration with a fault at one point.
struct CrashPlay: Sendable, Encodable {
  /// The promises that each play is held to.
  enum Promise: String, Encodable, Sendable, CaseIterable {
    /// The source is what it was, byte for byte, with its large values.
    case source
    /// Where the result belongs there is the old state or the whole new one.
    case result
    /// An error is told, and says what is there; none is told where there was none.
    case error
    /// Nothing is left over, at once after an error, after the next start where the process was killed.
    case leftovers
    /// The next start does it, and gives the result of an undisturbed migration.
    case retry
    /// The stores that an app's code migrates are old or new wherever they were, and can be read.
    case appStores
    /// The fault was made where it was meant to be.
    case point
  }

  struct Violation: Sendable, Encodable {
    let promise: Promise
    let expected: String
    let found: String
  }

  /// How the process ended.
  enum Ending: String, Encodable, Sendable {
    case killed
    /// It told an error.
    case failed
    /// It did without, and said so.
    case finished
    /// It died or hung although it wasn't killed.
    case died
  }

  /// What was there afterwards.
  enum State: String, Encodable, Sendable, CaseIterable {
    case old, whole, broken
    /// Whole, with another content, since an app's code made something else of the fault.
    case other
  }

  let point: Int
  let fault: CrashFault
  /// Whether half of the operation was done.
  let isHalfway: Bool
  var ending = Ending.killed
  var state = State.old
  /// The error that was told.
  var error: String?
  /// How many temporary files of an app's code were left, more than an unharmed migration leaves.
  var leftByApp = 0
  var violations: [Violation] = []

  mutating func violate(_ promise: Promise, expected: String, found: String) {
    violations.append(Violation(promise: promise, expected: expected, found: found))
  }
}

extension CrashSweepResult {
  /// The command that plays one point again.
  func command(_ play: CrashPlay) -> String {
    var words = ["heavyweight", "crash", scenario]
    if hasSeveralStarts { words += ["--start", start] }
    words += ["--at", "\(play.point)", "--faults", play.fault.rawValue]
    let environment = ["HEAVYWEIGHT_EARLY_ROWS"].compactMap { name in
      ProcessInfo.processInfo.environment[name].map { "\(name)=\($0.shellQuoted)" }
    }
    return (environment + words.map(\.shellQuoted)).joined(separator: " ")
  }
}
