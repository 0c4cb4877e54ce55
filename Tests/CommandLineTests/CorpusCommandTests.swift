import Foundation
import TestSupport
import Testing

/// Stores, mapping models and policies of public apps, as a user would type it.
@Suite(.enabled(if: Corpus.isPresent, Corpus.absenceMessage), .tags(.process), .tiered)
struct CorpusCommandTests {
  private let folder: TemporaryFolder
  private static let policies = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../CorpusTests/Policies").standardizedFileURL

  init() throws { folder = try TemporaryFolder() }

  private func migrate(
    _ store: String, _ arguments: [String], complaint: String = ""
  ) throws -> String {
    let source = try Corpus.url(store)
    let before = (try Data(contentsOf: source), try Self.neighbours(of: source))
    let result = try Tool.run(
      ["migrate", source.path] + arguments + ["-o", "new.sqlite"], in: folder)
    #expect(result.status == 0)
    #expect(result.errors == complaint)
    #expect(try Data(contentsOf: source) == before.0)
    #expect(try Self.neighbours(of: source) == before.1)
    return result.output
  }

  private static func neighbours(of url: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      .sorted()
  }

  /// With the users' mapping model given first, and just with the folder.
  @Test(arguments: [["Model2_to_Model3_User.xcmappingmodel", ""], [""]])
  func bookMigrationTakesItsUsersFirst(_ mappings: [String]) throws {
    let corpus = try Corpus.url("bookmigration").path
    let output = try migrate(
      "bookmigration/Model1.sqlite",
      ["--models", "\(corpus)/Model.xcdatamodeld", "--mappings"]
        + mappings.map { "\(corpus)/\($0)" } + [
          "--policies", Self.policies.appending(path: "BookMigration.swift").path, "--module",
          "BookMigration", "--to", "Model3",
        ],
      complaint: mappings.count > 1
        ? ""
        : "Model2_to_Model3_User runs before Model2_to_Model3, whose File.user leads to the User that "
          + "it makes; list the files one by one for another order\n")
    #expect(output.contains("✓ Model1 -> Model2  custom Model1_to_Model2  "))
    #expect(output.contains("✓ Model2 -> Model3  custom Model2_to_Model3_User, Model2_to_Model3  "))
    #expect(
      output.contains(
        """
          entity    before     after
          Author         -         3
          Book           4         4
          File           -         4
          User           3         3
        """))
    // Books first would leave the files without users.
    let unlinked = "SELECT count(*) FROM ZFILE WHERE ZUSER IS NULL OR ZBOOK IS NULL"
    let counted = try Tool.run(
      script: "sqlite3 -readonly new.sqlite \"$0\"", [unlinked], in: folder)
    #expect(counted.output == "0\n" || counted.status == 127, "\(counted)")
  }

  @Test(arguments: [(1, 10, 91), (2, 10, 91), (3, 12, 14)])
  func postsGetTheirSections(from version: Int, posts: Int, sections: Int) throws {
    let (corpus, app) = (try Corpus.url("posts").path, "CoreDataMigration_Example")
    let output = try migrate(
      "posts/stores/\(app)_\(version).sqlite",
      [
        "--models", "\(corpus)/\(app).xcdatamodeld", "--mappings", corpus, "--policies",
        Self.policies.appending(path: "Post2ToPost3MigrationPolicy.swift").path, "--module", app,
      ])
    let before = version == 3 ? "\(sections)" : "-"
    func cell(_ text: String) -> String {
      String(repeating: " ", count: 8 - text.count) + text
    }
    #expect(output.contains("  Post     \(cell("\(posts)"))  \(cell("\(posts)"))\n"))
    #expect(output.contains("  Section  \(cell(before))  \(cell("\(sections)"))\n"))
    #expect(output.contains("new.sqlite is of version \(app) 4, in "))
    // Identifiers, dates and colours are those of the old store.
    let same = try Tool.run(
      [
        "diff", try Corpus.url("posts/stores/\(app)_\(version).sqlite").path, "new.sqlite",
        "--ignore", "Section", "--identity", "Post=postID",
      ], in: folder)
    #expect(same.status == 0)
    #expect(same.output.contains("equal: \(posts) objects"))
  }
}
