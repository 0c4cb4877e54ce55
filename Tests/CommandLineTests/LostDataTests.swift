import Foundation
import TestSupport
import Testing

/// What could lose data without a word: the wrong mapping file, the wrong order of versions, entities
/// that nothing maps.
@Suite(.tags(.process), .tiered)
struct LostDataTests {
  /// Notes, whose third version has a mapping file from the first.
  private func notes(versions: [String] = ["App 1", "App 2", "App 3"]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (index, version) in versions.enumerated() {
      let attributes = ["name"] + (index == 0 ? [] : ["b"]) + (index == 2 ? ["c"] : [])
      try writeVersion(version, [("Note", attributes), ("Folder", ["name"])], in: folder)
    }
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key>"
        + "<string>\(versions.last ?? "").xcdatamodel</string></dict></plist>",
      to: "Notes.xcdatamodeld/.xccurrentversion")
    let rows = "{ Note: [{ name: One }, { name: Two }], Folder: [{ name: All }] }"
    try makeStore("Notes.xcdatamodeld/\(versions[0]).xcdatamodel", rows, in: folder)
    return folder
  }

  private func writeVersion(
    _ name: String, _ entities: [(name: String, attributes: [String])], in folder: TemporaryFolder
  ) throws {
    let text = entities.map { entity in
      let attributes = entity.attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      return "<entity name=\"\(entity.name)\">\(attributes.joined())</entity>"
    }
    try folder.write(
      "<model documentVersion=\"1.0\">\(text.joined())</model>",
      to: "Notes.xcdatamodeld/\(name).xcdatamodel/contents")
  }

  /// A mapping file for the notes alone.
  private func writeMapping(
    _ file: String, from source: String, to destination: String, in folder: TemporaryFolder
  ) throws {
    let text = MappingFileText.of(
      "Note", from: source, to: destination, in: "Notes",
      fields: """
        <relationship name="attributemappings" type="0/0" idrefs="z3"></relationship>
        """,
      objects: """
        <object type="XDDEVATTRIBUTEMAPPING" id="z3">
        <attribute name="name" type="string">name</attribute>
        </object>
        """)
    try folder.write(text, to: "\(file).xcmappingmodel/xcmapping.xml")
  }

  /// Makes `old.sqlite`.
  private func makeStore(
    _ version: String, _ rows: String, in folder: TemporaryFolder
  ) throws {
    try folder.write(
      """
      scenario: A store
      models: { v: \(version) }
      seed: \(rows)
      expect: [{ some: Note where name == "One" }]

      """, to: "Seed.scenario.yaml")
    let made = try Tool.run(
      ["run", "Seed.scenario.yaml", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made.output)\(made.errors)")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.v.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
  }

  private func migrate(_ more: String..., in folder: TemporaryFolder) throws -> Tool.Result {
    try Tool.run(
      ["migrate", "old.sqlite", "--models", "Notes.xcdatamodeld", "-o", "new.sqlite"] + more,
      in: folder)
  }

  private func isWritten(in folder: TemporaryFolder) -> Bool {
    FileManager.default.fileExists(atPath: folder.url.appending(path: "new.sqlite").path)
  }

  @Test func aMappingFileOffTheWayStopsTheMigration() throws {
    let folder = try notes()
    try writeMapping("Maps/One to three", from: "App 1", to: "App 3", in: folder)
    let refused = try migrate("--mappings", "Maps", in: folder)
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        "mapping file not used: One to three: it was made for App 1 -> App 3, which isn't a step "
          + "on this path."))
    #expect(refused.output.hasSuffix("the migration failed; nothing was written\n"))
    #expect(!isWritten(in: folder))
    let allowed = try migrate("--mappings", "Maps", "--allow-unused-mappings", in: folder)
    #expect(allowed.status == 0)
    #expect(
      allowed.output.contains(
        "  mapping file not used: One to three: it was made for App 1 -> App 3, which isn't a step "
          + "on this path\n"))
    #expect(isWritten(in: folder))
  }

  @Test func aStoreOfNoVersionIsToBeInspectedWithTheModelThatWasGiven() throws {
    let folder = try notes()
    try FileManager.default.removeItem(
      at: folder.url.appending(path: "Notes.xcdatamodeld/App 1.xcdatamodel"))
    let result = try migrate(in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains("`heavyweight inspect old.sqlite --models Notes.xcdatamodeld` shows"),
      "\(result)")
  }

  @Test func twoFilesForOneEntityInOneStepAreNamedWithTheirFolders() throws {
    let folder = try notes()
    try writeMapping("Maps/A/Notes", from: "App 2", to: "App 3", in: folder)
    try writeMapping("Maps/B/Notes", from: "App 2", to: "App 3", in: folder)
    let result = try migrate("--mappings", "Maps", in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "mapping file not used: B/Notes: it was made for App 2 -> App 3, where A/Notes runs."),
      "\(result)")
    #expect(!isWritten(in: folder))
  }

  @Test func anOrderThatNothingTellsIsAskedFor() throws {
    let folder = try notes(versions: ["Alpha", "Gamma", "Omega"])
    for name in ["Alpha", "Omega", "Gamma"] {
      try writeVersion(name, [("Note", ["name", name.lowercased()])], in: folder)
    }
    try FileManager.default.removeItem(at: folder.url.appending(path: "old.sqlite"))
    try makeStore(
      "Notes.xcdatamodeld/Alpha.xcdatamodel", "{ Note: [{ name: One }, { name: Two }] }", in: folder
    )
    let refused = try migrate(in: folder)
    #expect(refused.status == 1)
    #expect(
      refused.output.contains("isn't known: no mapping file, renaming identifier, number or name"))
    #expect(!isWritten(in: folder))
    let ordered = try migrate("--order", "Alpha,Gamma,Omega", in: folder)
    #expect(ordered.status == 0)
    #expect(ordered.output.contains("✓ Alpha -> Gamma  inferred"))
    #expect(ordered.output.contains("✓ Gamma -> Omega  inferred"))
  }

  @Test func anEntityThatNothingMapsIsNamed() throws {
    let folder = try notes(versions: ["App 1", "App 2"])
    try writeMapping("Maps/Notes", from: "App 1", to: "App 2", in: folder)
    let result = try migrate("--mappings", "Maps", in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.contains("emptied: Folder: 1 object before, none after, mapped by nothing")
    )
    try FileManager.default.removeItem(at: folder.url.appending(path: "new.sqlite"))
    let json = try migrate("--mappings", "Maps", "--json", in: folder)
    #expect(json.output.contains("\"emptiedEntities\""))
  }

  @Test(arguments: ["memory", "sqlite"])
  func anEntityOfWhichSourcePredicatesTakeNothingIsNamed(_ backend: String) throws {
    let folder = try TemporaryFolder()
    func output(_ predicate: String) throws -> String {
      try folder.write(
        """
        scenario: Notes are left behind
        models:
          v1: { Note: { name: string, n: int16 }, Page: { name: string } }
          v2: { Note: { name: string, n: int16, b: string? }, Page: { name: string } }
        seed: { Note: [{ name: One, n: 1 }, { name: Two, n: 1 }], Page: [{ name: All }] }
        chain:
          - v1 -> v2:
              NoteToNote: { source: Note, destination: Note, predicate: '\(predicate)' }
              PageToPage: { source: Page, destination: Page }
        expect:
          - count: { Page: 1 }

        """, to: "Left.scenario.yaml")
      let result = try Tool.run(["run", "Left.scenario.yaml", "--backend", backend], in: folder)
      #expect(result.status == 0)
      return result.output
    }
    #expect(
      try output("n == 2").contains(
        "emptied: Note: 2 objects before, none after, taken by none of its entity mappings"))
    #expect(try !output("n == 1").contains("emptied: "))
    #expect(try !output("name == \"One\"").contains("emptied: "))
  }

  /// A run tells it in every report, though it passes.
  @Test func everyReportNamesAnEntityThatNothingMaps() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Folders are forgotten
      models:
        v1: { Note: { name: string }, Folder: { name: string } }
        v2: { Note: { name: string, b: string? }, Folder: { name: string } }
      seed: { Note: [{ name: One }], Folder: [{ name: All }, { name: Old }] }
      chain:
        - v1 -> v2:
            NoteToNote: { source: Note, destination: Note }
      expect:
        - count: { Note: 1 }

      """, to: "Forgotten.scenario.yaml")
    let text = "Folder: 2 objects before, none after, mapped by nothing"
    let result = try Tool.run(
      [
        "run", "Forgotten.scenario.yaml", "--json", "all.json", "--junit", "all.xml", "--html",
        "pages",
      ], in: folder)
    #expect(result.status == 0)
    #expect(result.output.contains("emptied: \(text)"))
    for file in ["all.json", "all.xml", "pages/index.html"] {
      let report = try String(contentsOf: folder.url.appending(path: file), encoding: .utf8)
      #expect(report.contains("Folder: 2 objects") || report.contains("\"Folder\""), "\(file)")
    }
    let annotated = try Tool.run(["run", "Forgotten.scenario.yaml", "--github"], in: folder)
    #expect(annotated.output.contains("an entity is emptied"))
  }
}
