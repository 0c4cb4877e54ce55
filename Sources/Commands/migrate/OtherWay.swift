// What becomes of a store on the way that wasn't taken: in one step instead of version by version, or the other way
// round.

extension MigrationWay {
  /// What the two ways through the versions come to, in one line.
  static func difference(direct: String, stepwise: String) -> String {
    "in one step, as Core Data does by itself: \(direct); version by version: \(stepwise)"
  }
}

extension MigrateJob {
  /// What a migration came to, as far as it takes to compare two.
  struct Outcome: Codable {
    let stepCount: Int
    let objectCount: Int
    /// `error 134110 at Order.statusKey`; nil for a result.
    let failure: String?

    init(_ report: StoreMigrationReport) {
      stepCount = report.steps.count
      objectCount = report.before?.total ?? 0
      failure = report.failure.map { MigrationError($0).text }
    }
  }

  /// To see at once what becomes of a larger store, or to look at its rows, takes too long to do it unasked.
  static let mostObjects = 20_000

  /// The same on the other way, into another place, where it may tell something: what an app takes that is known is
  /// of interest only where it fails.
  func onOtherWay(after outcome: Outcome, to place: URL) -> MigrateJob? {
    guard case .files(let files, let target, let path, _) = origin, !isTrial, !tellsUsage,
      !isInMemory, !isExplained
    else { return nil }
    let way = ProjectFile.migration(ofModelAt: files.models)
    let isWorthIt =
      outcome.failure != nil
      ? way == nil || path == .direct
      : way == nil && path == .stepwise && outcome.objectCount <= Self.mostObjects
    guard isWorthIt, path == .direct || outcome.stepCount > 1 else { return nil }
    var job = MigrateJob(
      store: store, output: place.path,
      origin: .files(files, target: target, path: path.other, allowsUnusedMappings: true),
      isForMachines: false, isVerbose: false, tellsUsage: false, isInMemory: false, styleMark: nil)
    (job.allowsLostValues, job.fixedTime) = (allowsLostValues, Date())
    return job
  }

  /// What differs on the other way, in one line.
  /// - Parameter callsCode: Whether what comes out may differ by itself.
  func difference(
    _ outcome: Outcome, from other: Outcome, by job: MigrateJob, callsCode: Bool
  ) -> String? {
    guard case .files(let files, _, let path, _) = origin else { return nil }
    let (direct, stepwise) = path == .direct ? (outcome, other) : (other, outcome)
    guard stepwise.stepCount > 1 else { return nil }
    if direct.failure != stepwise.failure {
      return MigrationWay.difference(
        direct: direct.failure ?? "passes", stepwise: stepwise.failure ?? "passes")
    }
    guard direct.failure == nil, !callsCode else { return nil }
    let session = DiffSession(
      stores: Both(output, job.output), models: [files.models.path], identity: [],
      options: StoreComparison.Options())
    // Both were made just now; what can't be compared shows no difference.
    guard let found = try? session.compare().entities.first(where: \.differsForCertain) else {
      return nil
    }
    let names = [found.name] + found.changedProperties.keys.sorted().prefix(1)
    return MigrationWay.difference(
      direct: "another result, as in \(names.joined(separator: "."))", stepwise: "passes")
  }
}

extension StoreDifferences.Entity {
  fileprivate var differsForCertain: Bool { guessed == 0 && changed + only.a + only.b > 0 }
}
