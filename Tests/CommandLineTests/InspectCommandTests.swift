import Foundation
import TestSupport
import Testing

/// How `heavyweight inspect` ends, and what it says then.
@Suite(.tags(.process), .tiered)
struct InspectCommandTests {
  /// A folder with a store that `run` made, `old.sqlite`, and the model of its version and of
  /// another one.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (version, pages) in [("Library", ""), ("Library 2", Self.pages)] {
      try folder.write(
        Self.model.replacing("<!-- more -->", with: pages),
        to: "Library.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      """
      scenario: A library
      models: Library.xcdatamodeld
      seed: { Shelf: [{ id: top, name: top }], Book: [{ title: One, shelf: top }, { title: Two }] }
      chain: [Library -> Library 2]
      expect:
        - count: { Book: 2 }

      """, to: "Seed.scenario.yaml")
    let made = try Tool.run(["run", "Seed.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made.errors)\(made.output)")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.Library.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
    return folder
  }

  private static let pages = #"<attribute name="pages" optional="YES" attributeType="Integer 16"/>"#
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book">
        <attribute name="title" attributeType="String"/><!-- more -->
        <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
      </entity>
      <entity name="Shelf">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
      </entity>
    </model>
    """

  private func change(_ sql: String, in folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = [
      folder.url.appending(path: "old.sqlite").path,
      "\(sql); PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;",
    ]
    process.standardOutput = Pipe()
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// The lines, without the parts that differ from run to run.
  private func stable(_ output: String) -> String {
    output.replacing(#/  UUID +[-0-9A-F]{36}\n/#, with: "")
      .replacing(#/  file +.*\n/#, with: "")
  }

  @Test func aSoundStoreEndsWith0() throws {
    let folder = try folder()
    let before = try names(in: folder)
    let result = try Tool.run(
      ["inspect", "old.sqlite", "--models", "Library.xcdatamodeld"], in: folder)
    #expect(result.status == 0)
    #expect(
      stable(result.output) == """
        old.sqlite
          version       Library 2, by its version hashes
          order         2 of 2: Library -> Library 2, by the numbers in the names
          checked with  the model Library 2
          written by    framework 1344, about iOS 17, macOS 14
          journal       write-ahead log; no -wal

          entity    number      rows  last key
          Book           1         2         2
          Shelf          2         1         1

        nothing wrong

        """)
    #expect(
      result.errors.hasSuffix(
        "nothing says which version is the current one: the newest is taken; name another with an "
          + ".xccurrentversion\n"))
    #expect(try names(in: folder) == before)
  }

  @Test func withoutModelsTheStoreSpeaksForItself() throws {
    let result = try Tool.run(["inspect", "old.sqlite"], in: folder())
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        """
          version       not looked up; --models finds it among the versions of an app's model
          checked with  the model in the store itself

        """))
  }

  @Test(.enabled(if: hasSQLite)) func whatIsWrongEndsWith1() throws {
    let folder = try folder()
    try change(
      "UPDATE ZBOOK SET ZTITLE = NULL, ZSHELF = 9; UPDATE Z_PRIMARYKEY SET Z_MAX = 1", in: folder)
    let result = try Tool.run(["inspect", "old.sqlite", "--limit", "1"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.hasSuffix(
        """
        ✗ error   Book.shelf: 2 rows lead to no existing Shelf  dangling-reference
            Book/p1 -> Shelf/p9
            … and 1 more
        ! warning Book: Z_MAX is 1, but the highest key in ZBOOK is 2; a new object gets a key above both  \
        stale-maximum
        ! warning Book.title: 2 rows lack a required value  missing-value
            Book/p1
            … and 1 more

        1 error, 2 warnings
        next: heavyweight explain dangling-reference

        """))
  }

  @Test func noneOfTheVersionsEndsWith1AndNamesTheNearest() throws {
    let folder = try folder()
    try folder.write(
      Self.model.replacing("\"title\"", with: "\"heading\""), to: "Other.xcdatamodel/contents")
    let result = try Tool.run(
      ["inspect", "old.sqlite", "--models", "Other.xcdatamodel"], in: folder)
    #expect(result.status == 1)
    #expect(
      stable(result.output) == """
        old.sqlite
          version       not the one in Other.xcdatamodel
          nearest       Other
                        changed: Book
                        from the store's own model to Other:
                        ~ Book
                            + heading: attribute, String, required
                            - pages: attribute, Integer 16, optional
                            - title: attribute, String, required
          checked with  the model in the store itself
          written by    framework 1344, about iOS 17, macOS 14
          journal       write-ahead log; no -wal

          entity    number      rows  last key
          Book           1         2         2
          Shelf          2         1         1

        ! warning the store is not the version in Other.xcdatamodel; the nearest is Other  \
        version-unknown

        1 warning
        next: heavyweight explain version-unknown

        """)
  }

  @Test func machinesGetJSON() throws {
    let folder = try folder()
    let result = try Tool.run(["inspect", "old.sqlite", "--models", ".", "--json"], in: folder)
    #expect(result.status == 0)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(json["format"] as? Int == 1)
    #expect(json["exitStatus"] as? Int == 0)
    let version = json["version"] as? [String: Any]
    #expect(version?["likeliest"] as? String == "Library 2")
    #expect(version?["candidates"] as? Int == 2)
    let entities = json["entities"] as? [[String: Any]]
    #expect(entities?.map { $0["rows"] as? Int } == [2, 1])
    #expect((json["findings"] as? [Any])?.isEmpty == true)
    #expect((json["metadata"] as? [String: Any])?["hasModelCache"] as? Bool == true)
  }

  @Test func whatIsNoStoreEndsWith2() throws {
    let folder = try folder()
    try folder.write("dear diary", to: "text.sqlite")
    try folder.write("", to: "empty.sqlite")
    let whole = try Data(contentsOf: folder.url.appending(path: "old.sqlite"))
    try whole.prefix(3000).write(to: folder.url.appending(path: "cut.sqlite"))
    let before = try names(in: folder)
    for name in ["text.sqlite", "empty.sqlite", "cut.sqlite", "missing.sqlite", "Kept"] {
      for options in [[], ["--json"]] {
        let result = try Tool.run(["inspect", name] + options, in: folder)
        #expect(result.status == 2, "\(name)")
        #expect(result.output == "", "\(name)")
        #expect(result.errors.contains(name), "\(name): \(result.errors)")
      }
    }
    #expect(try names(in: folder) == before)
  }

  @Test func wrongArgumentsEndWith2() throws {
    let folder = try folder()
    let models = try Tool.run(["inspect", "old.sqlite", "--models", "No.momd"], in: folder)
    #expect(models.status == 2)
    #expect(models.errors.contains("No.momd"))
    let limit = try Tool.run(["inspect", "old.sqlite", "--limit=-1"], in: folder)
    #expect(limit.status == 2)
    #expect(limit.errors.hasPrefix("Error: --limit can't be negative."))
    let none = try Tool.run(["inspect"], in: folder)
    #expect(none.status == 2)
  }
}
