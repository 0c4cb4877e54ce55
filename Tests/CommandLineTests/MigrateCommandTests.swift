import Foundation
import TestSupport
import Testing

/// How `heavyweight migrate` ends, and what it says then.
@Suite(.tags(.process), .tiered)
struct MigrateCommandTests {
  /// A folder with a scenario, and a store of its first version that `run` made.
  private func folder(required: Bool = false) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: A library grows
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 7 } }
      seed: { Book: [{ title: One }, { title: Two }] }
      expect:
        - count: { Book: 2 }

      """, to: "Seed.scenario.yaml")
    let made = try Tool.run(["run", "Seed.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.v1.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
    let isbn = required ? ", isbn: string" : ""
    try folder.write(
      """
      scenario: A library grows
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 7\(isbn) } }
      chain: [v1 -> v2]

      """, to: "Chain.scenario.yaml")
    return folder
  }

  private static let arguments = [
    "migrate", "old.sqlite", "--scenario", "Chain.scenario.yaml", "-o", "new.sqlite",
  ]

  private func exists(_ name: String, in folder: TemporaryFolder) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appending(path: name).path)
  }

  @Test func aMigratedStoreEndsWith0() throws {
    let folder = try folder()
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 0)
    #expect(result.errors == "")
    #expect(result.output.hasPrefix("old.sqlite is of version v1\n  ✓ v1 -> v2  inferred  "))
    #expect(result.output.contains("  Book           2         2\n"))
    #expect(result.output.contains("new.sqlite is of version v2, in "))
    #expect(exists("new.sqlite", in: folder))
  }

  /// How many rows an error is about is told; what is in them only where somebody asks for it.
  @Test func anErrorSaysHowManyObjectsItConcernsAndNoValueUnasked() throws {
    let missing = try Tool.run(Self.arguments, in: folder(required: true))
    #expect(missing.status == 1)
    #expect(missing.output.contains("\n      objects concerned: 2\n"), "\(missing.output)")

    let folder = try folder()
    try folder.write(
      """
      scenario: A library counts
      models:
        v1: { Book: { title: string } }
        v2: { Book: { pages: int16? } }
      chain: [v1 -> v2: { B: { source: Book, destination: Book, attributes: { pages: $source.title } } }]

      """, to: "Chain.scenario.yaml")
    let hidden = try Tool.run(Self.arguments, in: folder)
    #expect(hidden.status == 1)
    #expect(hidden.output.contains("value = ….") && hidden.output.contains("value: not shown"))
    #expect(!"\(hidden)".contains("One"))
    let shown = try Tool.run(Self.arguments + ["--show-values"], in: folder)
    #expect(shown.output.contains("value: One"), "\(shown)")
  }

  @Test func aTruncatedStoreIsToldWithItsPages() throws {
    let folder = try folder()
    let store = folder.url.appending(path: "old.sqlite")
    let whole = try Data(contentsOf: store)
    try whole.prefix(whole.count / 8192 * 4096).write(to: store)
    let (pages, left) = (whole.count / 4096, whole.count / 8192)
    for arguments in [Self.arguments, ["inspect", "old.sqlite"]] {
      let result = try Tool.run(arguments, in: folder)
      #expect(result.status == 2 || result.status == 1, "\(result)")
      #expect(
        "\(result)".contains(
          "truncated: the header says \(pages) pages, the file has \(left)"), "\(result)")
    }
  }

  @Test func machinesGetJSON() throws {
    let result = try Tool.run(Self.arguments + ["--json"], in: folder())
    #expect(result.status == 0)
    let json = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    #expect(json?["target"] as? String == "v2")
    #expect(json?["output"] as? String == "new.sqlite")
  }

  @Test func aFailedMigrationEndsWith1AndWritesNothing() throws {
    let folder = try folder(required: true)
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("  ✗ v1 -> v2  "))
    #expect(result.output.hasSuffix("the migration failed; nothing was written\n"))
    #expect(!exists("new.sqlite", in: folder))
  }

  @Test func anExistingOutputEndsWith2() throws {
    let folder = try folder()
    try folder.write("mine", to: "new.sqlite")
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors
        == "new.sqlite: error: this already exists, and nothing is overwritten; name another file\n"
    )
  }

  @Test func aMissingOrDamagedStoreEndsWith2() throws {
    let folder = try folder()
    let store = folder.url.appending(path: "old.sqlite")
    try Data(contentsOf: store).prefix(6000).write(to: store)
    let damaged = try Tool.run(Self.arguments, in: folder)
    #expect(damaged.status == 2)
    #expect(damaged.output == "")
    #expect(damaged.errors.contains("old.sqlite"))
    try FileManager.default.removeItem(at: store)
    let missing = try Tool.run(Self.arguments, in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("old.sqlite"))
    #expect(!exists("new.sqlite", in: folder))
  }

  /// A folder with a store of version v1 that somebody sent without the hidden folder beside it, and a scenario with
  /// other versions.
  private func folderWithLostValues(
    _ type: String, _ version: String, chain: String
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let first = "v1: { Book: { title: string, cover: \(type) } }"
    try folder.write(
      """
      scenario: Covers
      models:
        \(first)
      seed:
        Book: { .count: 2, title: { sequence: "book {n}" }, cover: { bytes: 150000 } }
      expect:
        - count: { Book: 2 }

      """, to: "Seed.scenario.yaml")
    let made = try Tool.run(["run", "Seed.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made.output)\(made.errors)")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.v1.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
    try folder.write(
      """
      scenario: Covers
      models:
        \(first)
        \(version)
      chain: [\(chain)]

      """, to: "Chain.scenario.yaml")
    return folder
  }

  @Test(arguments: ["data(external)?", "data(external)"])
  func aMissingFileOfALargeValueEndsWith2(_ type: String) throws {
    let folder = try folderWithLostValues(
      type, "v2: { Book: { title: string, cover: \(type), pages: int16 = 7 } }",
      chain: "v1 -> v2")
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains("The file of a large value is missing: "))
    #expect(result.errors.contains("; 1 other value can't be read either\n"))
    #expect(result.errors.contains("--allow-lost-values"))
    #expect(!exists("new.sqlite", in: folder))
    #expect(!exists(".new_SUPPORT", in: folder))
    let allowed = try Tool.run(Self.arguments + ["--allow-lost-values"], in: folder)
    #expect(allowed.status == 0)
    #expect(allowed.output.contains("  damaged: Book.cover of "))
    #expect(exists("new.sqlite", in: folder))
    // A migration in place doesn't look at rows.
    #expect(
      allowed.output.contains("warning: 2 objects lack the required 'cover'") != type.hasSuffix("?")
    )
  }

  @Test func aMissingFileOfALargeValueIsToldOfACopy() throws {
    let folder = try folderWithLostValues(
      "data(external)?", "v0: { Book: { title: string } }", chain: "v0 -> v1")
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains("The file of a large value is missing: "))
    #expect(result.errors.contains("; 1 other value can't be read either\n"))
    #expect(!exists("new.sqlite", in: folder))
    let allowed = try Tool.run(Self.arguments + ["--allow-lost-values"], in: folder)
    #expect(allowed.status == 0)
    #expect(allowed.output.components(separatedBy: "  damaged: Book.cover of ").count == 3)
    #expect(
      allowed.output.hasSuffix(
        "\nnew.sqlite is of version v1, a copy: nothing had to be migrated\n"))
    #expect(exists("new.sqlite", in: folder))
  }

  @Test func anotherFailureIsToldTogetherWithLostValues() throws {
    let folder = try folderWithLostValues(
      "data(external)?",
      "v2: { Book: { title: string, cover: data(external)?, isbn: string } }", chain: "v1 -> v2")
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors.hasPrefix("NSCocoaErrorDomain 134070: The file of a large value is missing: "))
    #expect(
      result.errors.contains(
        """
        --allow-lost-values
        The migration failed, too, perhaps because of that:
          NSCocoaErrorDomain 134110: Cannot migrate store in-place: Validation error missing attribute values on \
        mandatory destination attribute
            step: v1 -> v2

        """))
    #expect(!exists("new.sqlite", in: folder))
  }

  @Test func otherMissingFilesEndWith2() throws {
    let folder = try folder()
    let store = ["migrate", "old.sqlite", "-o", "new.sqlite"]
    let models = try Tool.run(store + ["--models", "No.xcdatamodeld"], in: folder)
    #expect(models.status == 2)
    #expect(models.errors.contains("No.xcdatamodeld"))
    let scenario = try Tool.run(store + ["--scenario", "No.scenario.yaml"], in: folder)
    #expect(scenario.status == 2)
    #expect(scenario.errors == "No.scenario.yaml: error: can't read the file: no such file\n")
  }

  @Test func argumentsThatContradictEachOtherEndWith2() throws {
    let folder = try folder()
    let neither = try Tool.run(["migrate", "old.sqlite", "-o", "new.sqlite"], in: folder)
    #expect(neither.status == 2)
    #expect(neither.errors.hasPrefix("Error: Give either --models or --scenario."))
    let both = try Tool.run(Self.arguments + ["--direct"], in: folder)
    #expect(both.status == 2)
    #expect(both.errors.hasPrefix("Error: --scenario brings its own mappings"))
    let policies = try Tool.run(
      ["migrate", "old.sqlite", "-o", "new.sqlite", "--models", "A.xcdatamodeld"]
        + ["--policies", "P.swift"], in: folder)
    #expect(policies.status == 2)
    #expect(policies.errors.hasPrefix("Error: Give --policies and --module together."))
    let usage = try Tool.run(
      ["migrate", "old.sqlite", "-o", "new.sqlite", "--models", "A.xcdatamodeld", "--usage"],
      in: folder)
    #expect(usage.status == 2)
    #expect(usage.errors.hasPrefix("Error: --usage needs --json"))
  }
}
