import Migration
import TestSupport
import Testing

/// Stores of Wire, written by Apple's Core Data from 2015 to 2022, go to the newest of 90 versions
/// in one inferred step.
@Suite(
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct WireTests {
  static let stores: [URL] = {
    let folder = try? Corpus.url("wire/stores")
    let files = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)
    }
    return (files ?? []).filter { $0.pathExtension == "sqlite" }
      .sorted { $0.path.compare($1.path, options: .numeric) == .orderedAscending }
  }()
  static let model = Result {
    try XcodeModel.load(contentsOf: Corpus.url("wire/zmessaging.xcdatamodeld"))
  }

  @Test(arguments: stores, ResultKind.allCases)
  func inferredMigrationKeepsEveryValue(of source: URL, to kind: ResultKind) throws {
    let model = try Self.model.get()
    let metadata = try SQLiteStore.metadata(at: source)
    let old = try #require(model.versions(compatibleWithStoreMetadata: metadata).first)
    let new = try #require(model.currentVersion)
    let recorded = try RecordedStore(source, model: old)
    let folder = try TemporaryFolder()

    let result = try MigratedStore(
      source, [MigrationStep(from: old, to: new)], to: kind, in: folder)
    #expect(result.report.steps.map(\.choice?.kind) == [.inferred])
    var comparison = try InferredComparison(recorded, result.store, result.report)
    try comparison.compare()
    #expect(comparison.counts.objects > 20)
    #expect(comparison.counts.values > 200)
    #expect(comparison.counts.links > 20)
    try result.checkFile(
      model: model.url.appending(path: "\(try #require(new.name)).xcdatamodel"))
  }

  /// The comparison itself is worth a check: it must see a single wrong value or link.
  @Test func comparisonNoticesDamage() throws {
    let model = try Self.model.get()
    let source = try Corpus.url("wire/stores/2-6.sqlite")
    let old = try #require(
      model.versions(compatibleWithStoreMetadata: SQLiteStore.metadata(at: source)).first)
    let new = try #require(model.currentVersion)
    let recorded = try RecordedStore(source, model: old)
    let result = try MigratedStore(
      source, [MigrationStep(from: old, to: new)], to: .memory, in: TemporaryFolder())
    let user = try #require(try result.objects("User").first { $0.value(forKey: "name") != nil })
    let damages: [(key: String, value: Any?)] = [("name", "Nobody"), ("clients", nil)]
    for damage in damages {
      let kept = user.value(forKey: damage.key)
      user.setValue(damage.value, forKey: damage.key)
      try result.context.saveWithoutValidation()
      withKnownIssue {
        var comparison = try InferredComparison(recorded, result.store, result.report)
        try comparison.compare()
      }
      user.setValue(kept, forKey: damage.key)
      try result.context.saveWithoutValidation()
    }
    var comparison = try InferredComparison(recorded, result.store, result.report)
    try comparison.compare()
  }

  @Test func everyStoreIsThere() {
    #expect(Self.stores.count == 23)
  }
}
