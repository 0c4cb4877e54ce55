import Foundation
import TestSupport
import Testing

/// `heavyweight model`, and stores as versions wherever a model is taken.
@Suite(.tags(.process), .tiered)
struct ModelCommandTests {
  /// A folder `Fixtures` with stores of two versions, and one more of the second.
  private func fixtures() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Fixtures"), withIntermediateDirectories: true)
    let note = ", note: string? = \"a & b\" was remark"
    for (name, more) in [("1.0", ""), ("2.0", note), ("2.1", note)] {
      try folder.write(
        """
        scenario: Books
        models:
          v1:
            Item: { .abstract: true, title: string }
            Book: { .parent: Item, .unique: [title], pages: int32(1...) = 3, tags: "[Tag] <-> books"\(more) }
            Tag: { name: string? indexed, books: "[Book] <-> tags" }
        seed: { Book: [{ title: One }] }
        expect: [{ count: { Book: 1 } }]

        """, to: "made.scenario.yaml")
      let made = try Tool.run(["run", "made.scenario.yaml", "--keep", "Kept"], in: folder)
      try #require(made.status == 0, "\(made.output)\(made.errors)")
      let kept = folder.url.appending(path: "Kept")
      try FileManager.default.moveItem(
        at: kept.appending(path: "made.v1.run/store.sqlite"),
        to: folder.url.appending(path: "Fixtures/\(name).store"))
      try FileManager.default.removeItem(at: kept)
    }
    return folder
  }

  private static let remark = """
    note: a store's own model says nothing of classes, user info (but SwiftData's enums) and fetch requests, nor of what is for Xcode \
    alone: code generation, scalar types, CloudKit, layout

    """

  @Test func aStoresModelIsWrittenForXcode() throws {
    let folder = try fixtures()
    let result = try Tool.run(
      ["model", "Fixtures/2.0.store", "-o", "App.xcdatamodeld"], in: folder)
    #expect(result.errors == "")
    #expect(
      result.output == """
        wrote App.xcdatamodeld: 1 version, current 2.0
          2.0: 3 entities, 4 attributes, 2 relationships

        """ + Self.remark)
    #expect(result.status == 0)
    let app = folder.url.appending(path: "App.xcdatamodeld")
    let contents = try String(
      contentsOf: app.appending(path: "2.0.xcdatamodel/contents"), encoding: .utf8)
    #expect(
      contents == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="23507" systemVersion="24B83" minimumToolsVersion="Automatic" sourceLanguage="Swift">
            <entity name="Book" parentEntity="Item" syncable="YES">
                <attribute name="note" optional="YES" attributeType="String" defaultValueString="a &amp; b" elementID="remark"/>
                <attribute name="pages" attributeType="Integer 32" minValueString="1" defaultValueString="3"/>
                <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Item" isAbstract="YES" syncable="YES">
                <attribute name="title" attributeType="String"/>
            </entity>
            <entity name="Tag" syncable="YES">
                <attribute name="name" optional="YES" attributeType="String" indexed="YES"/>
                <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/>
            </entity>
        </model>
        """)
    #expect(
      try String(contentsOf: app.appending(path: ".xccurrentversion"), encoding: .utf8).contains(
        "\t<string>2.0.xcdatamodel</string>\n"))
    let inspected = try Tool.run(
      ["inspect", "Fixtures/2.1.store", "--models", "App.xcdatamodeld"], in: folder)
    #expect(inspected.output.contains("2.0, by its version hashes"), "\(inspected.output)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint")))
  func whatIsWrittenIsXML() throws {
    let folder = try fixtures()
    _ = try Tool.run(["model", "Fixtures", "-o", "App.xcdatamodeld"], in: folder)
    let result = try Tool.run(
      script:
        "xmllint --noout App.xcdatamodeld/*/contents App.xcdatamodeld/.xccurrentversion --nonet",
      [], in: folder)
    #expect(result.status == 0 && result.errors == "", "\(result.errors)")
  }

  @Test func aFolderOfStoresHasAVersionForEachThatDiffers() throws {
    let folder = try fixtures()
    let result = try Tool.run(
      ["model", "Fixtures", "-o", "App.xcdatamodeld", "--current", "1.0"], in: folder)
    #expect(
      result.output == """
        wrote App.xcdatamodeld: 2 versions, current 1.0
          1.0: 3 entities, 3 attributes, 2 relationships
          2.0: 3 entities, 4 attributes, 2 relationships
        note: Fixtures/2.1.store: has the version hashes of '2.0', and is no version of its own

        """ + Self.remark)
    let check = try Tool.run(["check", "App.xcdatamodeld"], in: folder)
    #expect(check.output.contains("2 versions, current 1.0\n"), "\(check.output)")
    let unknown = try Tool.run(["model", "Fixtures", "--current", "3.0"], in: folder)
    #expect(
      unknown.errors == "--current: error: there is no version '3.0'; versions: 1.0, 2.0\n")
    #expect(unknown.status == 2)
  }

  @Test func machinesGetHashes() throws {
    let folder = try fixtures()
    let result = try Tool.run(["model", "Fixtures/1.0.store", "--json"], in: folder)
    struct Report: Decodable {
      struct Version: Decodable { let name: String, hashes: [String: String], losses: [String] }
      let current: String, versions: [Version]
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.current == "1.0")
    #expect(report.versions.map(\.name) == ["1.0"])
    #expect(report.versions[0].hashes.keys.sorted() == ["Book", "Item", "Tag"])
    #expect(report.versions[0].losses == [])
  }

  @Test func nothingIsOverwrittenUnlessAsked() throws {
    let folder = try fixtures()
    try folder.write("mine", to: "App.xcdatamodeld/mine")
    let refused = try Tool.run(["model", "Fixtures", "-o", "App.xcdatamodeld"], in: folder)
    #expect(
      refused.errors
        == "App.xcdatamodeld: error: this already exists, and nothing is overwritten; name another, or say --force\n"
    )
    #expect(refused.status == 2)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "App.xcdatamodeld").path) == ["mine"])
    let forced = try Tool.run(
      ["model", "Fixtures", "-o", "App.xcdatamodeld/", "--force"], in: folder)
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "App.xcdatamodeld").path
      ).sorted() == [".xccurrentversion", "1.0.xcdatamodel", "2.0.xcdatamodel"])
    let itself = try Tool.run(
      ["model", "App.xcdatamodeld/1.0.xcdatamodel", "-o", "App.xcdatamodeld", "--force"], in: folder
    )
    #expect(
      itself.errors
        == "App.xcdatamodeld: error: this is the model itself, and has more than is written; name another\n"
    )
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "App.xcdatamodeld", "Fixtures", "made.scenario.yaml",
      ])
  }

  @Test func whatIsForXcodeAloneIsTold() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <model sourceLanguage="Objective-C" userDefinedModelVersionIdentifier="">
        <entity name="A" codeGenerationType="class" syncable="NO"/>
        <configuration name="C" usedWithCloudKit="YES"><memberEntity name="A"/></configuration>
        <elements><element name="A"/></elements>
      </model>
      """, to: "App.xcdatamodel/contents")
    let result = try Tool.run(["model", "App.xcdatamodel"], in: folder)
    #expect(
      result.output == """
        App.xcdatamodel: 1 version, current App
          App: 1 entity, 0 attributes, 0 relationships
        note: App: for Xcode alone, and not kept: sourceLanguage Objective-C; codeGenerationType class of A; syncable NO of A; layout

        """)
    try folder.write(
      #"<model sourceLanguage="Swift"><entity name="A" syncable="YES"/></model>"#,
      to: "App.xcdatamodel/contents")
    let plain = try Tool.run(["model", "App.xcdatamodel"], in: folder)
    #expect(
      plain.output
        == "App.xcdatamodel: 1 version, current App\n  App: 1 entity, 0 attributes, 0 relationships\n"
    )
  }

  @Test func theNotationIsThatOfScenarios() throws {
    let folder = try fixtures()
    let result = try Tool.run(["model", "Fixtures", "--notation"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output == """
        models:
          1.0:
            Item:
              .abstract: true
              title: string
            Book:
              .parent: Item
              .unique: [title]
              pages: int32(1...) = 3
              tags: "[Tag] <-> books"
            Tag:
              books: "[Book] <-> tags"
              name: string? indexed
          2.0:
            Item:
              .abstract: true
              title: string
            Book:
              .parent: Item
              .unique: [title]
              note: string? = "a & b" was remark
              pages: int32(1...) = 3
              tags: "[Tag] <-> books"
            Tag:
              books: "[Book] <-> tags"
              name: string? indexed

        """)
    try folder.write(
      "scenario: Written\n\(result.output)store: Fixtures/1.0.store\nchain: [\"1.0 -> 2.0\"]\n"
        + "expect: [{ count: { Book: 1 } }]\n",
      to: "written.scenario.yaml")
    let run = try Tool.run(["run", "written.scenario.yaml"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func severalStoresAreTheVersionsThatAreChecked() throws {
    let folder = try fixtures()
    let several = try Tool.run(["check", "Fixtures/1.0.store", "Fixtures/2.0.store"], in: folder)
    #expect(
      several.output.hasPrefix("1.0.store, 2.0.store: 2 versions, current 2.0\n"),
      "\(several.output)\(several.errors)")
    #expect(several.status == 0)
    let all = try Tool.run(["check", "Fixtures"], in: folder)
    #expect(all.output.hasPrefix("Fixtures: 2 versions, current 2.0\n"), "\(all.output)")
    #expect(all.output.contains("2.1.store: has the version hashes of '2.0'"), "\(all.output)")
    let mixed = try Tool.run(["check", "Fixtures/1.0.store", "Fixtures"], in: folder)
    #expect(
      mixed.errors
        == "Fixtures: error: this is no store; of models one can be given, of stores several\n")
    #expect(mixed.status == 2)
    let missing = try Tool.run(["check", "Fixtures/1.0.store", "3.0.store"], in: folder)
    #expect(missing.errors == "3.0.store: error: no such file\n")
  }

  @Test func aFolderOfStoresIsAModelForOtherCommands() throws {
    let folder = try fixtures()
    let inspect = try Tool.run(
      ["inspect", "Fixtures/1.0.store", "--models", "Fixtures"], in: folder)
    #expect(
      inspect.output.contains("1.0, by its version hashes"), "\(inspect.output)\(inspect.errors)")
    let migrate = try Tool.run(
      ["migrate", "Fixtures/1.0.store", "-o", "new.sqlite", "--models", "Fixtures", "--to", "2.0"],
      in: folder)
    #expect(migrate.status == 0, "\(migrate.output)\(migrate.errors)")
    let newest = try Tool.run(
      ["migrate", "Fixtures/1.0.store", "-o", "newest.sqlite", "--models", "Fixtures"], in: folder)
    #expect(newest.status == 0, "\(newest)")
    #expect(
      newest.errors == "migrates to 2.0, the newest of the stores' versions\n", "\(newest)")
    let diff = try Tool.run(
      ["diff", "Fixtures/1.0.store", "new.sqlite", "--models", "Fixtures"], in: folder)
    #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
  }

  @Test func badInputIsTold() throws {
    let folder = try fixtures()
    try folder.write("SQLite format 3\0cut", to: "Fixtures/3.0.store")
    try folder.write("<model><entity></model>", to: "Bad.xcdatamodel/contents")
    for (arguments, error) in [
      (["Fixtures/3.0.store"], "Fixtures/3.0.store: error: no model can be read from this store: "),
      (["Bad.xcdatamodel"], "Bad.xcdatamodel/contents:1:24: error: "),
      (["None.momd"], "None.momd: error: "),
      ([], "Error: Missing expected argument '<model>'"),
      (["Fixtures/1.0.store", "-o", "App.mom"], "Error: -o takes the name of an .xcdatamodeld."),
      (["Fixtures/1.0.store", "--force"], "Error: --force needs -o."),
      (
        ["Fixtures/1.0.store", "--notation", "--json"],
        "Error: --notation goes to standard output, without -o and --json."
      ),
      (
        ["Fixtures/1.0.store", "-o", "Fixtures/1.0.store/App.xcdatamodeld"],
        "Fixtures/1.0.store/App.xcdatamodeld: error: can't be written: "
      ),
    ] {
      let result = try Tool.run(["model"] + arguments, in: folder)
      #expect(result.status == 2, "\(arguments)")
      #expect(result.errors.contains(error), "\(result.errors)")
      #expect(result.output == "")
    }
  }
}
