import Synchronization

/// Stores that were to be versions of a model and can't be read. A command goes on with the others, names these once, at
/// its end, and doesn't pass: what it says may lack a version.
enum PassedOverStores {
  private static let problems = Mutex<[ModelFileError]>([])

  static func note(in models: [VersionedModel]) {
    let new = models.flatMap(\.unreadableStores)
    problems.withLock { $0 = ($0 + new).uniqued() }
  }

  static func tell() {
    for problem in problems.withLock(\.self) { Console.complain("\(problem)") }
  }

  /// What a command ends with that would end with `status` if all could be read.
  static func settled(_ status: ExitStatus) -> ExitStatus {
    problems.withLock(\.isEmpty) ? status : status.despiteBadInput
  }
}

extension ExitStatus {
  /// That of a command that went on without something that it was given.
  fileprivate var despiteBadInput: ExitStatus {
    switch self {
    case .passed, .nothingFound, .nothingSelected, .nothingChecked: .badInput
    case .failed, .badInput, .missingFile, .reportNotWritten, .notJudged: self
    }
  }
}
