import Foundation
import TestSupport
import Testing

/// `heavyweight smoke` finds what was planted in an app of eight versions, each by name, and nothing in the repaired
/// one; what it saves fails with `heavyweight run`.
@Suite(.tags(.process, .compiles), .tiered) struct SmokeCommandTests {
  private struct Report: Decodable {
    struct Account: Decodable {
      let hop: String
      let entity: String
      let rows: Int
      let kept: Int
      let split: Int
      let merged: Int
      let dropped: Int
    }
    let complete: Bool
    let findings: [SmokeApp.Report.Finding]
    let rows: [Account]
  }

  private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scenarios/Smoke").standardizedFileURL

  private func smoke(
    _ sample: String, _ options: [String] = [], in folder: TemporaryFolder
  ) throws -> (result: Tool.Result, report: Report) {
    let model = Self.samples.appending(path: "\(sample)/Shop.xcdatamodeld").path
    let result = try Tool.run(["smoke", model, "--json"] + options, in: folder)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    return (result, report)
  }

  @Test func aFolderOfPoliciesIsAMistake() throws {
    let model = Self.samples.appending(path: "Planted/Shop.xcdatamodeld").path
    let result = try Tool.run(["smoke", model, "--policies", "."], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "Error: '.' is a folder; name the Swift files in it: --policies ./*.swift.\n"))
  }

  // MARK: The planted app

  @Test func findsWhatWasPlantedEachOnceAndByName() throws {
    let folder = try TemporaryFolder()
    let (result, report) = try smoke("Planted", ["--output", "found"], in: folder)
    #expect(result.status == 1, "\(result.errors)")
    #expect(report.complete)
    #expect(
      report.findings.map(\.text) == [
        "possible-rename, Shop -> Shop 2: Customer.nick, rows 1",
        "required-without-default, Shop 2 -> Shop 3: Order.currency, rows 1",
        "nil-rows-dropped, Shop 3 -> Shop 4: Customer.kind, rows 1",
        "not-associated, Shop 3 -> Shop 4: Note, rows 1",
        "order-not-kept, Shop 4 -> Shop 5: Order.lines, rows 4",
        "second-pass-differs, Shop 4 -> Shop 5: Line, rows 1",
        "several-mappings, Shop 6 -> Shop 7: Shop6to7, Shop6to7Again, rows 0",
        "quadratic-policy, Shop 6 -> Shop 7: Line, rows 8",
        "duplicate-key, Shop 7 -> Shop 8: Contact.code, rows 2",
        "mapping-fits-no-step, Shop 5 -> Shop 6: Shop5to7, rows 0",
      ])
    let explained = try Tool.run(["explain"] + report.findings.map(\.kind), in: folder)
    #expect(explained.status == 0, "\(explained.errors)")
    // Nothing is dropped but what was found to be.
    #expect(
      report.rows.filter { $0.dropped > 0 }.map { "\($0.hop) \($0.entity)" }
        == ["Shop 3 -> Shop 4 Customer", "Shop 3 -> Shop 4 Note"])
    #expect(report.rows.allSatisfy { $0.rows == $0.kept + $0.split + $0.merged + $0.dropped })
    try playSaved(report, in: folder)
  }

  /// Every saved scenario runs, and fails.
  private func playSaved(_ report: Report, in folder: TemporaryFolder) throws {
    let files = try #require(report.findings.map(\.file) as? [String])
    let run = try Tool.run(["run", "--keep-going"] + files, in: folder)
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output.contains("10 scenarios, 20 runs: 1 passed, 19 failed"), "\(run.output)")
    let words = [
      "found     null", "134110", "expected  all migrated", "Shop.NotePolicy",
      "expected  [Line line3, Line line1, Line line2]", "count of Label", "134140",
      "fetched by Shop.PositionPolicy", "expected  every value once", "expected  custom",
    ]
    for word in words { #expect(run.output.contains(word), "\(word)") }
  }

  @Test func findsNothingInTheRepairedApp() throws {
    let folder = try TemporaryFolder()
    let (result, report) = try smoke("Repaired", ["--dirty"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(report.findings.map(\.text) == [])
    #expect(report.complete)
    #expect(report.rows.allSatisfy { $0.dropped == 0 && $0.rows > 10 })
    // From 7 steps, of every entity of each version.
    #expect(report.rows.count == 38)
  }

  // MARK: Arguments

  @Test func wrongArgumentsAreToldBeforeAnythingIsPlayed() throws {
    let folder = try TemporaryFolder()
    let model = Self.samples.appending(path: "Repaired/Shop.xcdatamodeld").path
    try folder.write("scenario: Mine\n", to: "mine/Mine.scenario.yaml")
    try folder.write("a file", to: "file")
    let cases: [([String], String)] = [
      (["Nothing.xcdatamodeld"], "Nothing.xcdatamodeld"),
      ([model, "--to", "Shop 9"], "--to: error: there is no version 'Shop 9'"),
      ([model, "--objects", "0"], "The value '0' is invalid for '--objects <count>'"),
      ([model, "--objects", "2k"], "--objects takes a number from 1 to 1000."),
      ([model, "--policies", "App.swift"], "Give --policies and --module together."),
      ([model, "--save", "mine"], "nothing is overwritten"),
      ([model, "--save", "file"], "this is no folder to save scenarios in"),
    ]
    for (arguments, message) in cases {
      let result = try Tool.run(["smoke"] + arguments, in: folder)
      #expect(result.status == 2, "\(arguments): \(result)")
      #expect(result.errors.contains(message), "\(result.errors)")
      #expect(result.output == "")
    }
  }

  @Test func aBrokenMappingFileBesideTheModelIsNamedUnlessItMayBeForTheVersions() throws {
    func book(_ attributes: String...) -> String {
      let lines = attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      return "<entity name=\"Book\" syncable=\"YES\">\(lines.joined())</entity>"
    }
    let app = try SmokeApp(book("title"), book("title", "note"), book("title", "note", "page"))
    func smoke(_ mapping: String, _ options: String...) throws -> String {
      try app.folder.write(mapping, to: "Broken.xcmappingmodel/xcmapping.xml")
      let result = try Tool.run(["smoke", "App.xcdatamodeld"] + options, in: app.folder)
      let errors = result.errors.replacing("\(app.folder.url.path)/", with: "")
      return "\(result.status), \(errors)"
    }
    func mapping(of model: String) -> String {
      "<database>\n" + MappingFileText.model(model, from: "App 2", to: "App 3")
    }
    let reason = "this isn't well-formed XML: it ends too early, or goes on after its end\n"
    let note = "0, mapping file ignored: Broken.xcmappingmodel/xcmapping.xml:6: \(reason)"
    #expect(try smoke(mapping(of: "Other")) == note)
    #expect(try smoke(mapping(of: "App"), "--to", "App 2") == note)
    #expect(
      try smoke(mapping(of: "App"))
        == "2, Broken.xcmappingmodel/xcmapping.xml:6: error: \(reason)")
    // It may be for any step.
    #expect(
      try smoke("<database")
        == "2, Broken.xcmappingmodel/xcmapping.xml:1: error: this isn't well-formed XML: '>' is missing\n"
    )
  }

  @Test func aModelOfOneVersionEndsWith5() throws {
    let folder = try TemporaryFolder()
    let model = Self.samples.appending(path: "Repaired/Shop.xcdatamodeld").path
    let result = try Tool.run(["smoke", model, "--to", "Shop"], in: folder)
    #expect(result.status == 5, "\(result)")
    #expect(result.output.hasSuffix("0 rows in 0 steps on both backends: nothing was migrated\n"))
  }

  // MARK: Policies that don't come back

  /// A model of three versions: the first step is inferred and loses a value, the second has a policy.
  private func heldApp(_ body: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, attributes) in [
      ("App", ["title"]), ("App 2", ["name"]), ("App 3", ["name", "note"]),
    ] {
      let lines = attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book" syncable="YES">\(lines.joined())</entity>
        </model>
        """, to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 3.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    try folder.write(
      MappingFileText.of(
        "Book", from: "App 2", to: "App 3", in: "App",
        fields: """
          <attribute name="migrationpolicyclassname" type="string">App.BookPolicy</attribute>
          <attribute name="mappingtypename" type="string">Undefined</attribute>
          <attribute name="autogenerateexpression" type="bool">1</attribute>
          <relationship name="attributemappings" type="0/0" idrefs="z3"></relationship>
          """,
        objects: """
          <object type="XDDEVATTRIBUTEMAPPING" id="z3">
          <attribute name="name" type="string">name</attribute>
          </object>
          """), to: "Notes.xcmappingmodel/xcmapping.xml")
    try folder.write(
      """
      import CoreData
      class BookPolicy: NSEntityMigrationPolicy {
        override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
          \(body)
        }
      }
      """, to: "BookPolicy.swift")
    return folder
  }

  @Test func aPolicyThatTrapsIsAFindingBesideTheOthers() throws {
    let folder = try heldApp("let none: Int? = nil; print(none!)")
    let result = try Tool.run(["smoke", "App.xcdatamodeld"], in: folder)
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("✗ possible-rename  App -> App 2  Book.title"))
    #expect(result.output.contains("✗ policy-ends-process  App 2 -> App 3"))
    #expect(result.output.contains("Unexpectedly found nil"))
  }

  /// An entity of optional texts, as Xcode writes it.
  private static func entity(_ name: String, _ attributes: String...) -> String {
    let lines = attributes.map {
      "<attribute name='\($0)' optional='YES' attributeType='String'/>"
    }
    return "<entity name='\(name)' syncable='YES'>\(lines.joined())</entity>"
  }

  @Test func aStepWhosePolicyIsMissingKeepsNoOtherFromBeingTried() throws {
    let app = try SmokeApp(
      Self.entity("Note", "text"), Self.entity("Note", "text", "kind"),
      Self.entity("Note", "text", "sort"))
    try app.map([.init(entity: "Note", attributes: ["text"], policy: "App.NotePolicy")])
    #expect(
      try app.findings() == [
        "policy-missing, App -> App 2: NoteToNote, rows -1",
        "possible-rename, App 2 -> App 3: Note.kind, rows 1",
      ])
  }

  /// Nor where texts are long.
  @Test func valuesThatAPolicyMakesAnewEachTimeAreNoDifferenceOfTheBackends() throws {
    let app = try SmokeApp(Self.entity("Note", "text"), Self.entity("Note", "text", "token"))
    try app.map([.init(entity: "Note", attributes: ["text"], policy: "App.NotePolicy")])
    try app.folder.write(
      """
      import CoreData
      class NotePolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
          manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
            .first?.setValue(UUID().uuidString, forKey: "token")
        }
      }
      """, to: "NotePolicy.swift")
    #expect(try app.findings() == [])
  }

  /// Told once, with the one row that shows it; and what other steps do is told, too.
  @Test func aRowThatEndsTheProcessIsSavedAndLeftOut() throws {
    let versions = (1...3).map { version in
      Self.entity("Note", "text", "kind", "v\(version)")
        + Self.entity("Tag", version == 1 ? "name" : "title")
    }
    let app = try SmokeApp(versions[0], versions[1], versions[2])
    try app.map([
      .init(entity: "Note", attributes: ["text", "kind"], policy: "App.NotePolicy"),
      .init(entity: "Tag", attributes: ["title"]),
    ])
    try app.folder.write(
      """
      import CoreData
      class NotePolicy: NSEntityMigrationPolicy {
        override func createDestinationInstances(
          forSource source: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
        ) throws {
          try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
          let text = source.value(forKey: "text") as? String
          precondition(text != nil, "no text")
        }
      }
      """, to: "NotePolicy.swift")
    let found = try app.findings("--output", "found")
    #expect(
      found == [
        "policy-ends-process, App -> App 2: NoteToNote, rows 1",
        "possible-rename, App 2 -> App 3: Note.v2, rows 1",
      ])
    let saved = try app.folder.names(in: "found").filter { $0.hasPrefix("01-policy-ends-process") }
    let text = try String(
      contentsOf: app.folder.url.appending(path: "found/\(saved[0])"), encoding: .utf8)
    #expect(text.contains("seed:\n  Note:\n    - id: note"), "\(text)")
    #expect(!text.contains("kind:"), "\(text)")
    let run = try Tool.run(["run", "found/\(saved[0])"], in: app.folder)
    #expect(run.status == 1)
    #expect(run.output.contains("no text"), "\(run.output)")
  }

  @Test func whatWasFoundIsToldWhenItIsInterrupted() throws {
    let folder = try heldApp(
      """
      FileHandle(forWritingAtPath: "\("\\(ProcessInfo.processInfo.environment[\"HOLD_PIPE\"]!)")")?
            .write(Data("x".utf8))
          while manager.migrationProgress >= 0 {}
      """)
    let script = """
      set -m; mkfifo pipe; export HOLD_PIPE="$PWD/pipe"
      "$0" smoke App.xcdatamodeld --jobs 1 >printed 2>complained &
      exec 3<>pipe; timeout 200 head -c 1 <&3 >/dev/null; exec 4<pipe 3<&-
      kill -INT $!; wait $!; echo "status $?"; cat printed
      """
    let result = try Tool.run(script: script, [try Tool.executable().path], in: folder)
    #expect(result.output.contains("status 130"), "\(result)")
    #expect(result.output.contains("✗ possible-rename  App -> App 2  Book.title"), "\(result)")
    #expect(result.output.contains("1 finding, interrupted before the end"), "\(result)")
  }
}
