import TestSupport
import Testing

@testable import Commands

/// The stores of a sample app, one of each old version, go to version 4: the second step with its
/// mapping file, whose policy makes sections of a post's content, the others inferred.
@Suite(
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct PostsTests {
  private static let module = "CoreDataMigration_Example"
  private let folder: TemporaryFolder
  private let models: VersionedModel

  init() throws {
    folder = try TemporaryFolder()
    models = try XcodeModel.load(contentsOf: Corpus.url("posts/\(Self.module).xcdatamodeld"))
  }

  private func source(_ version: Int) throws -> URL {
    try Corpus.url("posts/stores/\(Self.module)_\(version).sqlite")
  }

  private func migrate(_ version: Int, to kind: ResultKind) async throws -> MigratedStore {
    let mapping = try XcodeMappingFile.load(
      contentsOf: Corpus.url("posts/Migration2to3ModelMapping.xcmappingmodel"))
    let (two, three) = (models.versions[1], models.versions[2])
    let candidate = MappingCandidate(
      name: mapping.name, model: try mapping.mappingModel(source: two, destination: three))
    let migrator = ProgressiveMigrator(versions: models.versions, mappings: [candidate])
    let source = try source(version)
    let steps = try migrator.steps(
      fromStoreWith: SQLiteStore.metadata(at: source), to: models.versions[3])
    let policies = try await PolicySources.library(
      "Post2ToPost3MigrationPolicy", module: Self.module)
    return try MigratedStore(source, steps, policies: policies, to: kind, in: folder)
  }

  private func checkFile(_ result: MigratedStore) throws {
    try result.checkFile(model: models.url.appending(path: "\(Self.module) 4.xcdatamodel"))
  }

  // MARK: Tests

  @Test func versionsComeInNumericOrder() {
    #expect(
      models.versions.map(\.name) == [
        Self.module, "\(Self.module) 2", "\(Self.module) 3", "\(Self.module) 4",
      ])
  }

  @Test(arguments: [1, 2], ResultKind.allCases)
  func contentBecomesSections(from version: Int, in kind: ResultKind) async throws {
    let result = try await migrate(version, to: kind)
    let kinds = ["inferred", "custom", "inferred"]
    #expect(
      result.report.steps.map(\.choice?.kind.rawValue) == Array(kinds.suffix(4 - version)))
    let colour = version == 1 ? "ZCOLOR" : "ZHEXCOLOR"
    let rows = try SQLiteShell(database: source(version)).rows(
      "SELECT ZPOSTID, ZDATE, \(colour) AS colour, ZCONTENT FROM ZPOST ORDER BY ZPOSTID")
    let posts = try result.objects("Post").sorted { $0.text("postID") < $1.text("postID") }
    #expect(rows.count == 10)
    #expect(posts.count == rows.count)
    for (post, row) in zip(posts, rows) {
      try check(post, against: row, colour: "colour")
      let paragraphs = Self.paragraphs(row["ZCONTENT"]?.text)
      let sections = post.members("sections").sorted { $0.number("index") < $1.number("index") }
      #expect(sections.map { $0.text("body") } == paragraphs)
      #expect(sections.map { $0.text("title") } == paragraphs.map { $0.prefix(4) + "..." })
      #expect(sections.map { $0.number("index") } == Array(0..<paragraphs.count))
    }
    let made = rows.map { Self.paragraphs($0["ZCONTENT"]?.text).count }
    #expect(try result.objects("Section").count == made.reduce(0, +))
    try checkFile(result)
  }

  @Test(arguments: ResultKind.allCases)
  func sectionsAreKept(in kind: ResultKind) async throws {
    let result = try await migrate(3, to: kind)
    #expect(result.report.steps.map(\.choice?.kind) == [.inferred])
    let recorded = try RecordedStore(source(3), model: models.versions[2])
    var comparison = try InferredComparison(recorded, result.store, result.report)
    try comparison.compare()
    #expect(comparison.counts.objects == 26)
    #expect(comparison.counts.links == 28)
    let shell = SQLiteShell(database: try source(3))
    let rows = try shell.rows("SELECT * FROM ZPOST ORDER BY ZPOSTID")
    let posts = try result.objects("Post").sorted { $0.text("postID") < $1.text("postID") }
    #expect(posts.count == 12)
    for (post, row) in zip(posts, rows) {
      try check(post, against: row, colour: "ZHEXCOLOR")
      let sections = try shell.rows(
        "SELECT ZBODY FROM ZSECTION WHERE ZPOST = \(row["Z_PK"]?.integer ?? 0) ORDER BY ZINDEX")
      let found = post.members("sections").sorted { $0.number("index") < $1.number("index") }
      #expect(found.map { $0.text("body") } == sections.compactMap { $0["ZBODY"]?.text })
    }
    try checkFile(result)
  }

  private func check(
    _ post: ManagedObject, against row: [String: SQLiteLiteral], colour: String
  ) throws {
    #expect(post.text("postID") == row["ZPOSTID"]?.text)
    #expect(post.text("hexColor") == row[colour]?.text)
    let date = try #require(try row["ZDATE"]?.value(of: .date).boxed as? Date)
    #expect(post.value(forKey: "date") as? Date == date)
    #expect(post.value(forKey: "softDeleted") as? Bool == false)
  }

  private static func paragraphs(_ content: String?) -> [String] {
    (content ?? "").components(separatedBy: "\n\n")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }
}

extension ManagedObject {
  /// The members of a to-many relationship.
  func members(_ key: String) -> [ManagedObject] {
    (value(forKey: key) as? NSSet)?.compactMap { $0 as? ManagedObject } ?? []
  }

  fileprivate func text(_ key: String) -> String { value(forKey: key) as? String ?? "" }
  fileprivate func number(_ key: String) -> Int {
    (value(forKey: key) as? NSNumber)?.intValue ?? -1
  }
}
