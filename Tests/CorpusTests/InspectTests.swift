import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Real stores are recognized, counted, and left as they are.
@Suite(
  "Inspecting real stores", .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct InspectTests {
  /// A store of the corpus and the versions it is of, as a script of some lines found them that
  /// computes the published hash algorithm over the XML and reads the metadata with Python.
  struct Known: CustomTestStringConvertible {
    let store: String
    let models: String
    let versions: [String]

    init(_ store: String, _ models: String, _ versions: String...) {
      self.store = store
      self.models = models
      self.versions = versions
    }

    var testDescription: String { store }

    /// A Wire store whose file name says its version.
    static func wire(_ name: String, _ versions: String...) -> Known {
      let names = versions.isEmpty ? [name.replacing("-", with: ".")] : versions
      return Known(
        store: "wire/stores/\(name).sqlite", models: "wire/zmessaging.xcdatamodeld",
        versions: names.map { "zmessaging\($0)" })
    }

    private init(store: String, models: String, versions: [String]) {
      self.store = store
      self.models = models
      self.versions = versions
    }
  }

  static let all: [Known] =
    [
      "1-28", "2-3", "2-6", "2-8", "2-21-1", "2-24-1", "2-29-0", "2-31-0", "2-41-0", "2-45-0",
      "2-53-0", "2-57-0", "2-60-0", "2-66-0", "2-70-0", "2-75-0", "2-85-0", "2-90-0", "2-95-0",
      "2-101-0",
    ].map { .wire($0) } + [
      .wire("1-25", ""), .wire("2-80-0", "2.80.0", "2.81.0"), .wire("2-98-0", "2.98.0", "2.100.0"),
    ]
    + [("1", ""), ("2", " 2"), ("3", " 3")].map { number, version in
      Known(
        "posts/stores/CoreDataMigration_Example_\(number).sqlite",
        "posts/CoreDataMigration_Example.xcdatamodeld", "CoreDataMigration_Example\(version)")
    } + [
      Known("bookmigration/Model1.sqlite", "bookmigration/Model.xcdatamodeld", "Model1")
    ]

  /// The families of the corpus, each loaded once.
  static let families: [String: VersionedModel] = Dictionary(
    uniqueKeysWithValues: Set(all.map(\.models)).compactMap { path in
      (try? VersionedModel.load(contentsOf: Corpus.url(path))).map { (path, $0) }
    })

  private func report(_ known: Known, withModels: Bool = true) throws -> InspectReport {
    let family = try #require(Self.families[known.models])
    return try InspectReport(
      of: Corpus.url(known.store), shownAs: known.store, models: withModels ? [family] : nil)
  }

  @Test func everyStoreOfTheCorpusIsHere() throws {
    let names = Set(Self.all.map(\.store))
    #expect(names.count == 27)
    #expect(try names.allSatisfy { try Corpus.url($0).checkResourceIsReachable() })
  }

  @Test(arguments: all)
  func versionIsFoundByHashes(_ known: Known) throws {
    let report = try report(known)
    let version = try #require(report.version)
    #expect(Set(version.matches.map(\.name)) == Set(known.versions))
    #expect(version.matches.allSatisfy { $0.match.evidence == .hashes })
    // Of two equal ones the store's identifier decides.
    #expect(version.best?.name == known.versions.first)
    #expect(version.nearest == nil)
    #expect(report.basis == .version(known.versions[0]))
  }

  /// The store's own model, compared feature by feature, tells the same as hashes, for every
  /// version.
  @Test(arguments: all)
  func versionIsFoundByTheModelCacheToo(_ known: Known) throws {
    let inspector = try StoreInspector(of: Corpus.url(known.store))
    guard let cached = inspector.cachedModel else {
      #expect(known.store.hasPrefix("bookmigration"), "only the oldest store has no cache")
      return
    }
    let versions = try #require(Self.families[known.models]).versions
    for version in versions {
      let fits = version.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: inspector.metadata)
      #expect(cached.entitiesWithOtherFeatures(than: version).isEmpty == fits)
    }
    var metadata = inspector.metadata
    metadata["NSStoreModelVersionHashes"] = nil
    let found = ModelIdentification(
      ofStoreWith: metadata, cachedModel: cached, among: versions)
    #expect(Set(found.matches.compactMap(\.model.name)) == Set(known.versions))
    #expect(found.matches.allSatisfy { $0.evidence == .modelCache })
    #expect(found.best?.model.name == known.versions.first)
  }

  @Test(arguments: all)
  func entitiesAndLinksAreCountedAsSQLiteCountsThem(_ known: Known) throws {
    let url = try Corpus.url(known.store)
    let inspection = try report(known).inspection
    let shell = SQLiteShell(database: url)
    let numbers = try shell.rows(
      "SELECT Z_ENT AS n, Z_NAME AS name FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
    #expect(inspection.entities.map(\.name) == numbers.compactMap { $0["name"]?.text })
    for entity in inspection.entities {
      let count = try shell.text(
        "SELECT count(*) FROM \(entity.table) WHERE Z_ENT = \(entity.number)")
      #expect(entity.rows.map { "\($0)\n" } == count, "\(entity.name)")
    }
    for table in inspection.joinTables {
      #expect(
        table.rows.map { "\($0)\n" } == (try shell.text("SELECT count(*) FROM \(table.table)")))
      #expect(table.relationship != nil)
    }
    #expect(inspection.otherTables.isEmpty)
    let total = try shell.text("SELECT sum(Z_MAX) FROM Z_PRIMARYKEY")
    #expect("\(inspection.entities.compactMap(\.highestKey).reduce(0, +))\n" == total)
  }

  /// What is wrong with these stores is that their large values were not published with them.
  @Test(arguments: all)
  func onlyMissingFilesAreFound(_ known: Known) throws {
    for withModels in [true, false] {
      let report = try report(known, withModels: withModels)
      let kinds = Set(report.findings.filter { $0.severity != .note }.map(\.kind))
      #expect(kinds.isSubset(of: [.missingExternalFile]))
      #expect((report.exitStatus == .passed) == kinds.isEmpty)
      let missing = report.findings.filter { $0.kind == .missingExternalFile }.map(\.count)
      #expect(report.inspection.externalData?.missingFiles ?? 0 == missing.reduce(0, +))
    }
  }

  @Test(arguments: all)
  func nothingIsWritten(_ known: Known) throws {
    let url = try Corpus.url(known.store)
    let before = try (Data(contentsOf: url), names(beside: url))
    _ = try report(known)
    let after = try (Data(contentsOf: url), names(beside: url))
    #expect(before == after)
  }

  private func names(beside url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .sorted()
  }

  @Test func aStoreWithoutModelTellsWhatItCan() throws {
    let known = try #require(Self.all.last)
    let report = try report(known, withModels: false)
    #expect(report.basis == .nothing)
    #expect(report.version == nil)
    #expect(report.inspection.metadata.hasModelCache == false)
    #expect(report.inspection.metadata.frameworkVersion == 419)
    #expect(report.inspection.file.journal.mode == .rollbackJournal)
    #expect(report.inspection.entities.map(\.rows) == [4, 3])
    #expect(
      report.text(style: TextStyle(isColoured: false)).contains(
        "no model: the store has none of its own, so values and relationships weren't looked "
          + "at; give --models"))
  }

  /// A version taken away makes the one before it the nearest.
  @Test func theNearestVersionIsNamedWithItsDifferences() throws {
    let known = try #require(Self.all.first { $0.store.contains("2-31-0") })
    let family = try #require(Self.families[known.models])
    let others = VersionedModel(
      name: family.name, url: family.url,
      versions: family.versions.filter { $0.name != "zmessaging2.31.0" }, currentVersionName: nil)
    let report = try InspectReport(of: Corpus.url(known.store), models: [others])
    let near = try #require(report.version?.nearest)
    #expect(report.version?.matches.isEmpty == true)
    #expect(near.version.count > 0)
    #expect(near.version.differences?.isEmpty == false)
    #expect(report.basis == .modelCache)
    #expect(report.exitStatus == .failed)
    #expect(report.findings.contains { $0.kind == .versionUnknown })
    // The neighbour in time, on one side or the other.
    let hashes = try #require(report.inspection.metadata.entityHashes)
    let least = others.versions.map { $0.entitiesThatDiffer(from: hashes).count }.min()
    #expect(near.version.count == least)
  }

  @Test func aFolderMeansAllModelsInIt() throws {
    let models = try VersionedModel.loadCandidates(contentsOf: Corpus.url("wire"))
    let store = try Corpus.url("wire/stores/2-45-0.sqlite")
    let report = try InspectReport(of: store, models: models)
    #expect(report.version?.matches.map(\.name) == ["zmessaging2.45.0"])
    #expect(models.count > 1)
  }
}
