import TestSupport
import Testing

@testable import Commands

/// objc.io's BookMigration: a store of 2013 goes from version 1 to 3 with the app's own mapping
/// files, the second step with two of them, and with its policies in Swift.
@Suite(
  .enabled(if: Corpus.isPresent, Corpus.absenceMessage),
  .enabled(if: SQLiteShell.executable != nil, SQLiteShell.absenceMessage), .tags(.corpus), .tiered)
struct BookMigrationTests {
  private let folder: TemporaryFolder
  private let source: URL
  private let models: VersionedModel
  /// What `sqlite3` reads from the source.
  private let books: [[String: SQLiteLiteral]]

  init() throws {
    folder = try TemporaryFolder()
    source = try Corpus.url("bookmigration/Model1.sqlite")
    models = try XcodeModel.load(contentsOf: Corpus.url("bookmigration/Model.xcdatamodeld"))
    books = try SQLiteShell(database: source).rows(
      """
      SELECT ZBOOK.ZTITLE AS title, ZAUTHORNAME AS author, ZFILEURL AS file, ZUSERID AS user
      FROM ZBOOK LEFT JOIN ZUSER ON ZUSER.Z_PK = ZBOOK.ZUSER ORDER BY ZBOOK.ZTITLE
      """)
  }

  private func version(_ name: String) throws -> ManagedObjectModel {
    try #require(models.version(named: name))
  }

  private func candidate(
    _ name: String, _ old: ManagedObjectModel, _ new: ManagedObjectModel
  ) throws -> MappingCandidate {
    let url = try Corpus.url("bookmigration/\(name).xcmappingmodel")
    let file = try XcodeMappingFile.load(contentsOf: url)
    return MappingCandidate(
      name: name, model: try file.mappingModel(source: old, destination: new))
  }

  private func migrate(to kind: ResultKind, steps count: Int) async throws -> MigratedStore {
    let (one, two, three) = (try version("Model1"), try version("Model2"), try version("Model3"))
    let steps = [
      MigrationStep(from: one, to: two, mappings: [try candidate("Model1_to_Model2", one, two)]),
      // Users first: the books' files look for them.
      MigrationStep(
        from: two, to: three,
        mappings: [
          try candidate("Model2_to_Model3_User", two, three),
          try candidate("Model2_to_Model3", two, three),
        ]),
    ]
    let policies = try await PolicySources.library("BookMigration")
    return try MigratedStore(
      source, Array(steps.prefix(count)), policies: policies, to: kind, in: folder)
  }

  private func texts(_ column: String) -> [String] { books.compactMap { $0[column]?.text } }

  // MARK: Tests

  @Test func sourceHasWhatTheTestsRelyOn() throws {
    #expect(books.count == 4)
    #expect(Set(texts("author")).count < books.count, "two books share an author")
    #expect(books.allSatisfy { $0["user"]?.integer != nil })
  }

  @Test(arguments: ResultKind.allCases)
  func versionTwoHasOneAuthorPerName(in kind: ResultKind) async throws {
    let result = try await migrate(to: kind, steps: 1)
    #expect(result.report.steps.map(\.choice?.kind) == [.custom])
    let authors = try result.objects("Author")
    #expect(authors.compactMap(\.name).sorted() == Set(texts("author")).sorted())
    for author in authors {
      let expected = books.filter { $0["author"]?.text == author.name }.compactMap { $0["title"] }
      #expect(author.members("books").compactMap(\.title).sorted() == expected.compactMap(\.text))
    }
    let found = try result.objects("Book").sorted { ($0.title ?? "") < ($1.title ?? "") }
    #expect(found.compactMap(\.title) == texts("title"))
    for (book, row) in zip(found, books) {
      #expect(book.members("authors").map(\.name) == [row["author"]?.text])
      #expect(book.members("users").map(\.userId) == [row["user"]?.integer])
      #expect(book.value(forKey: "fileURL") as? String == (try archivedText(row["file"])))
    }
    try #expect(
      result.objects("User").count
        == SQLiteShell(database: source).rows("SELECT * FROM ZUSER").count)
    try result.checkFile(model: models.url.appending(path: "Model2.xcdatamodel"))
  }

  @Test(arguments: ResultKind.allCases)
  func versionThreeHasOneFilePerUserOfABook(in kind: ResultKind) async throws {
    let result = try await migrate(to: kind, steps: 2)
    #expect(result.report.steps.map(\.choice?.kind) == [.custom, .custom])
    #expect(
      result.report.steps[1].runs.map(\.name) == ["Model2_to_Model3_User", "Model2_to_Model3"])
    let found = try result.objects("Book").sorted { ($0.title ?? "") < ($1.title ?? "") }
    #expect(found.compactMap(\.title) == texts("title"))
    for (book, row) in zip(found, books) {
      #expect(book.members("authors").map(\.name) == [row["author"]?.text])
      let files = book.members("files")
      #expect(
        files.map { $0.value(forKey: "fileURL") as? String } == [try archivedText(row["file"])])
      let users = files.compactMap { $0.value(forKey: "user") as? ManagedObject }
      #expect(users.map(\.userId) == [row["user"]?.integer])
    }
    let files = try result.objects("File")
    #expect(files.count == books.count)
    #expect(files.allSatisfy { $0.value(forKey: "book") is ManagedObject })
    let authors = try result.objects("Author").compactMap(\.name)
    #expect(authors.sorted() == Set(texts("author")).sorted())
    let users = try SQLiteShell(database: source).rows("SELECT ZUSERID FROM ZUSER ORDER BY 1")
    #expect(
      try result.objects("User").compactMap(\.userId).sorted()
        == users.compactMap { $0["ZUSERID"]?.integer })
    try result.checkFile(model: models.url.appending(path: "Model3.xcdatamodel"))
  }

  /// The text that a keyed archive holds: its second object, after the one for nil.
  private func archivedText(_ literal: SQLiteLiteral?) throws -> String? {
    guard case .blob(let data) = literal else { return nil }
    let plist = try PropertyListSerialization.propertyList(from: data, format: nil)
    let objects = (plist as? [String: Any])?["$objects"] as? [Any]
    return objects?.dropFirst().first as? String
  }
}

extension ManagedObject {
  fileprivate var title: String? { value(forKey: "title") as? String }
  fileprivate var name: String? { value(forKey: "name") as? String }
  fileprivate var userId: Int64? { (value(forKey: "userId") as? NSNumber)?.int64Value }
}
