import Migration
import TestSupport
import Testing

/// The stores of Wire go to the newest version in one step and version by version, on every backend:
/// all ways end with equal content, unless a version in between lacks what the first and the last
/// have.
@Suite(
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct WireMatrixTests {
  private let model: VersionedModel

  init() throws { model = try WireTests.model.get() }

  private func steps(for source: URL) throws -> (direct: MigrationStep, stepwise: [MigrationStep]) {
    let metadata = try SQLiteStore.metadata(at: source)
    let new = try #require(model.currentVersion)
    let old = try #require(model.versions(compatibleWithStoreMetadata: metadata).first)
    let stepwise = try ProgressiveMigrator(versions: model.versions)
      .steps(fromStoreWith: metadata, to: new)
    return (MigrationStep(from: old, to: new), stepwise)
  }

  private func checkFile(_ result: MigratedStore) throws {
    let name = try #require(model.currentVersionName)
    try result.checkFile(model: model.url.appending(path: "\(name).xcdatamodel"))
  }

  @Test(arguments: Matrix.some(of: WireTests.stores, every: 8))
  func allWaysEndAlike(of source: URL) throws {
    let (direct, stepwise) = try steps(for: source)
    let trail = VersionTrail(versions: stepwise.map(\.sourceModel) + [direct.destinationModel])
    let folders = try [TemporaryFolder(), TemporaryFolder()]
    let measure = try Lane.memory.migrate(source, [direct], in: folders[0])
    for lane in Lane.allCases {
      let one = try lane.migrate(source, [direct], in: folders[0])
      #expect(one.report.steps.map(\.choice?.kind) == [.inferred])
      #expect(try ContentComparison.differences(measure.store, one.store) == [], "\(lane), direct")

      if stepwise.isEmpty {  // of the newest version already
        try checkFile(one)
        continue
      }
      // A step that can't be inferred would throw, and name itself.
      let many = try lane.migrate(source, stepwise, in: folders[1])
      #expect(many.report.steps.count == stepwise.count)
      #expect(many.report.steps.allSatisfy { $0.choice?.kind == .inferred })
      for difference in try ContentComparison.differences(one.store, many.store) {
        #expect(
          trail.gap(of: difference) != nil,
          "\(lane), stepwise: \(difference) differs, and every version has it")
      }
      try checkFile(one)
      try checkFile(many)
      for folder in folders { try folder.empty() }
    }
  }
}

extension TemporaryFolder {
  /// Removes what is in the folder.
  fileprivate func empty() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      try FileManager.default.removeItem(at: url.appending(path: name))
    }
  }
}
