import Migration
import TestSupport
import Testing

/// How much of the work on the whole corpus a test run does.
enum Matrix {
  /// Everything, which takes minutes: for a look at all of it now and then.
  static let isFull = ProcessInfo.processInfo.environment["HEAVYWEIGHT_CORPUS_FULL"] == "1"

  /// All of `members`, or every n-th with the first and last in an ordinary run.
  static func some<Member>(of members: [Member], every n: Int) -> [Member] {
    if isFull { return members }
    return members.enumerated().filter { $0.offset % n == 0 || $0.offset == members.count - 1 }
      .map(\.element)
  }
}

/// A backend, and how inferred steps run there.
enum Lane: String, CaseIterable, CustomTestStringConvertible {
  case memory
  /// By SQL inside the store.
  case sqlite = "sqlite in place"
  /// Object by object.
  case manager = "sqlite by manager"

  var testDescription: String { rawValue }
  var kind: ResultKind { self == .memory ? .memory : .sqlite }
  var method: MigrationMethod { self == .manager ? .manager : .inPlace }

  func migrate(
    _ source: URL, _ steps: [MigrationStep], in folder: TemporaryFolder
  ) throws -> MigratedStore {
    try MigratedStore(source, steps, to: kind, in: folder, method: method)
  }
}
