import Foundation
import TestSupport
import Testing

/// `heavyweight init` in a repository: what it finds, what it writes, and what the commands make of that.
@Suite(.tags(.process), .tiered)
struct RepositoryTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("x", to: ".git/HEAD")
  }

  private func write(
    _ model: String, _ versions: [(name: String, attributes: [String])], current: String?
  ) throws {
    let name = (model as NSString).lastPathComponent
    for version in versions {
      let attributes = version.attributes.map {
        "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }.joined()
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="\(name)" syncable="YES">\(attributes)</entity>
        </model>
        """, to: "\(model).xcdatamodeld/\(version.name).xcdatamodel/contents")
    }
    guard let current else { return }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(current).xcdatamodel</string></dict></plist>
      """, to: "\(model).xcdatamodeld/.xccurrentversion")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
  }

  @Test func everyModelIsFoundWithTheWayThatTheAppTakes() throws {
    try write(
      "Sources/Notes/Resources/Note", [("Note", ["a"]), ("Note 2", ["a", "b"])], current: "Note 2")
    try write("Watch/Cache", [("Cache", ["a"])], current: "Cache")
    try write("NotesTests/Old", [("Old", ["a"])], current: "Old")
    try write("Pods/Vendor/Other", [("Other", ["a"])], current: "Other")
    try folder.write(
      """
      // NSMigrationManager(sourceModel: a, destinationModel: b) was tried.
      let container = NSPersistentContainer(name: "Note")
      """, to: "Sources/Notes/Store.swift")
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      try text("heavyweight.yaml") == """
        # yaml-language-server: $schema=.heavyweight/project.schema.json
        # What was found in this repository, and from what. All commands in it read this file: mend what is wrong.
        models:
          - path: Watch/Cache.xcdatamodeld  # 1 version
            migration: automatic  # Sources/Notes/Store.swift:2 has NSPersistentContainer
          - path: Sources/Notes/Resources/Note.xcdatamodeld  # 2 versions, ordered by the numbers in the names
            migration: automatic  # Sources/Notes/Store.swift:2 has NSPersistentContainer

        """)
    #expect(
      result.errors == "left out, as part of a test or sample: NotesTests/Old.xcdatamodeld\n")
    #expect(
      result.output == """
        project file heavyweight.yaml
        wrote Scenarios/Cache/Cache.scenario.yaml
          Cache: 1 row, 2 expectations
        wrote Scenarios/Note/Note-to-Note-2.scenario.yaml
          Note -> Note 2, lightweight: 3 rows, 6 expectations
        wrote Scenarios/Note/Every-version-direct.scenario.yaml
          every version direct: 1 start
        next: heavyweight run Scenarios

        """)
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run)")
    // From elsewhere, given a file in it.
    let elsewhere = try TemporaryFolder()
    let check = try Tool.run(["check"], in: folder)
    #expect(check.status == 0)
    #expect(
      check.errors == """
        model Watch/Cache.xcdatamodeld, from heavyweight.yaml
        model Sources/Notes/Resources/Note.xcdatamodeld, from heavyweight.yaml

        """)
    let scenarios = folder.url.appending(path: "Scenarios").path
    #expect(try Tool.run(["run", scenarios], in: elsewhere).status == 0)
    let again = try Tool.run(["init", "."], in: folder)
    #expect(
      again.errors == """
        left out, as part of a test or sample: NotesTests/Old.xcdatamodeld
        kept heavyweight.yaml, which exists

        """, "\(again)")
    #expect(again.output.contains("kept Scenarios/Cache/Cache.scenario.yaml, which exists"))
  }

  @Test func anOrderThatOnlyTheProjectFileTellsCounts() throws {
    try write(
      "Model/Note", [("Plum", ["a"]), ("Fig", ["a", "b"]), ("Ash", ["a", "c"])], current: nil)
    try folder.write(
      """
      models:
        path: Model/Note.xcdatamodeld
        order: [Ash, Plum, Fig]
        current: Fig

      """, to: "heavyweight.yaml")
    let lock = try Tool.run(["lock"], in: folder)
    #expect(lock.status == 0, "\(lock)")
    let manifest = try text("Model/Note.xcdatamodeld.lock.json")
    let places = try ["Ash", "Plum", "Fig"].map {
      try #require(manifest.range(of: "\"\($0)\"", options: .backwards)).lowerBound
    }
    #expect(places == places.sorted())
    try folder.write(
      "models: { path: Model/Note.xcdatamodeld, order: [Ash, Plumm] }\n", to: "heavyweight.yaml")
    let wrong = try Tool.run(["check"], in: folder)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("there is no version 'Plumm'; did you mean 'Plum'?"), "\(wrong)")
  }

  @Test(arguments: [
    ("models: [{ mappings: x }]", "the model needs 'path', as in 'path: App.xcdatamodeld'"),
    ("models: [{ path: x.mom, way: own }]", "unknown key 'way' in a model of a project file"),
    ("models: [{ path: x.mom, migration: owm }]", "did you mean 'own'?"),
  ])
  func mistakesInTheListHavePlaces(_ text: String, _ message: String) throws {
    try folder.write("x", to: "x.mom")
    try folder.write(text, to: "heavyweight.yaml")
    let result = try Tool.run(["check"], in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains(message), "\(result.errors)")
  }

  // MARK: How the app migrates

  /// Three versions, of which the last requires what the second has a default value for; and another model.
  private func writeShop(migration: String?) throws {
    func contents(_ attributes: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Order" syncable="YES">
      <attribute name="total" optional="YES" attributeType="String"/>\(attributes)</entity></model>
      """
    }
    let key = "attribute name=\"statusKey\" attributeType=\"String\""
    let versions = [
      ("Shop", ""), ("Shop 2", "<\(key) optional=\"YES\" defaultValueString=\"new\"/>"),
      ("Shop 3", "<\(key)/>"),
    ]
    for (name, attributes) in versions {
      try folder.write(
        contents(attributes), to: "App/Shop.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(contents(""), to: "First/Shop.xcdatamodeld/Shop.xcdatamodel/contents")
    try folder.write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>Shop 3.xcdatamodel</string></dict></plist>
      """, to: "App/Shop.xcdatamodeld/.xccurrentversion")
    try write("Watch/Cache", [("Cache", ["a"])], current: "Cache")
    try folder.write(
      """
      scenario: A store of the first version
      models: ../First/Shop.xcdatamodeld
      seed: { Order: [{ total: "1" }] }
      expect: [{ count: { Order: 1 } }]

      """, to: "First/Store.scenario.yaml")
    let made = try Tool.run(
      ["run", "First/Store.scenario.yaml", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    #expect(made.status == 0, "\(made)")
    let way = migration.map { ", migration: \($0)" } ?? ""
    try folder.write(
      """
      models:
        - { path: App/Shop.xcdatamodeld\(way) }
        - { path: Watch/Cache.xcdatamodeld }

      """, to: "heavyweight.yaml")
  }

  private static let store = "Kept/First/Store.Shop.run/store.sqlite"
  private static let difference =
    "in one step, as Core Data does by itself: error 134110 at Order.statusKey; version by version: passes"

  @Test(arguments: ["automatic", "progressive", "own", nil])
  func storesGoTheWayThatTheAppTakes(_ migration: String?) throws {
    try writeShop(migration: migration)
    let isDirect = migration == "automatic"
    let migrated = try Tool.run(["migrate", Self.store, "-o", "new.sqlite"], in: folder)
    #expect(migrated.status == (isDirect ? 1 : 0), "\(migrated)")
    #expect(migrated.errors == "model App/Shop.xcdatamodeld, from heavyweight.yaml\n")
    // What an app that takes every step by itself would come to in one doesn't matter to it.
    #expect(
      migrated.output.hasSuffix("\n\(Self.difference)\n") == (isDirect || migration == nil),
      "\(migrated.output)")
    let captured = try Tool.run(["capture", Self.store, "-o", "Captured"], in: folder)
    #expect(captured.status == 0, "\(captured)")
    #expect(
      captured.output.contains(
        isDirect
          ? "Shop -> Shop 3: 1 row, 2 expectations; error 134110"
          : "Shop -> Shop 2 -> Shop 3: 1 row"), "\(captured.output)")
    let compared = try Tool.run(["compare", "--old", ".", "--new", ".", Self.store], in: folder)
    #expect(compared.status == 0, "\(compared)")
    #expect(compared.output.contains("fails in the same way") == isDirect, "\(compared.output)")
    let smoke = try Tool.run(["smoke", "App/Shop.xcdatamodeld"], in: folder)
    #expect(smoke.output.contains(Self.difference) == (isDirect || migration == nil))
    #expect(
      smoke.output.contains("✗ migration-fails  Shop -> Shop 3  Order.statusKey") == isDirect,
      "\(smoke.output)")
    #expect(smoke.output.contains("not compared") == ["progressive", "own"].contains(migration))
  }

  @Test func bothWaysAreToldToMachines() throws {
    try writeShop(migration: nil)
    let result = try Tool.run(
      ["migrate", Self.store, "-o", "new.sqlite", "--json"], in: folder)
    #expect(result.status == 0)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(report["otherWay"] as? String == Self.difference)
    #expect(try Self.schemaProblems("migrate", report) == [])
  }

  private static func schemaProblems(_ name: String, _ report: Any) throws -> [String] {
    let file = Tool.package.appending(path: "docs/\(name).schema.json")
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    return SchemaCheck(schema).problems(report)
  }

  @Test func theOldestSystemCountsForStoresToo() throws {
    let entities = { (attributes: String, parent: Bool) in
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(parent ? "<entity name=\"Base\" isAbstract=\"YES\"/>" : "")
      <entity name="Song"\(parent ? " parentEntity=\"Base\"" : "")>
      <attribute name="title" optional="YES" attributeType="String"/>\(attributes)</entity></model>
      """
    }
    try folder.write(entities("", true), to: "Old/S.xcdatamodeld/S.xcdatamodel/contents")
    try folder.write(entities("", true), to: "App/S.xcdatamodeld/S.xcdatamodel/contents")
    try folder.write(entities("", false), to: "App/S.xcdatamodeld/S 2.xcdatamodel/contents")
    try folder.write(
      """
      scenario: s
      models: S.xcdatamodeld
      seed: { Song: [{ title: a }] }
      expect: [{ count: { Song: 1 } }]

      """, to: "Old/S.scenario.yaml")
    _ = try Tool.run(["run", "Old", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    func migrate(_ os: String) throws -> Tool.Result {
      try folder.write(
        "models: App/S.xcdatamodeld\ntarget-os: \(os)\n", to: "heavyweight.yaml")
      return try Tool.run(
        ["migrate", "Kept/Old/S.S.run/store.sqlite", "--to", "S 2", "-o", "\(os).sqlite"],
        in: folder)
    }
    let new = try migrate("iOS 18")
    #expect(new.status == 0, "\(new)")
    let old = try migrate("iOS 15")
    #expect(old.status == 1, "\(old)")
  }

  @Test(arguments: [
    (
      "container.shouldMigrateStoreAutomatically = false", "own",
      "shouldMigrateStoreAutomatically = false"
    ),
    (
      "let o = [NSMigratePersistentStoresAutomaticallyOption: false]", "own",
      "NSMigratePersistentStoresAutomaticallyOption = false"
    ),
    (
      "let o = [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: false]",
      "automatic", "NSInferMappingModelAutomaticallyOption = false"
    ),
    ("d.shouldMigrateStoreAutomatically = true", "automatic", "NSPersistentContainer"),
  ])
  func whatIsSwitchedOffTellsTheWay(_ code: String, _ way: String, _ words: String) throws {
    try write("App/Note", [("Note", ["a"])], current: "Note")
    try folder.write(
      "let c = NSPersistentContainer(name: \"Note\")\n\(code)\n", to: "App/Store.swift")
    _ = try Tool.run(["init"], in: folder)
    let line = words == "NSPersistentContainer" ? 1 : 2
    let expected = "migration: \(way)  # App/Store.swift:\(line) has \(words)\n"
    let found = try text("heavyweight.yaml")
    #expect(found.contains(expected), "\(found)")
  }

  // MARK: All models

  @Test(arguments: ["check", "lock", "smoke"])
  func oneDocumentTellsOfAllModels(_ command: String) throws {
    try writeShop(migration: "progressive")
    let result = try Tool.run([command, "--json"], in: folder)
    let status = command == "smoke" ? 1 : 0
    #expect(Int(result.status) == status, "\(result)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(try Self.schemaProblems(command, report) == [])
    let models = try #require(report["models"] as? [[String: Any]])
    #expect(models.count == 2)
    #expect(report["exitStatus"] as? Int == status)
    // Nor does one that can't be read keep anybody from the other.
    try folder.write("<model", to: "App/Shop.xcdatamodeld/Shop 3.xcdatamodel/contents")
    let broken = try Tool.run([command, "--json", "report.json", "--junit", "j.xml"], in: folder)
    #expect(broken.status == 2, "\(broken)")
    let rest = try #require(
      JSONSerialization.jsonObject(with: Data(text("report.json").utf8)) as? [String: Any])
    #expect((rest["models"] as? [Any])?.count == 1, "\(rest)")
    #expect(rest["exitStatus"] as? Int == 2)
    #expect(try Self.schemaProblems(command, rest) == [])
    #expect(try text("j.xml").contains("<testsuite"))
  }

  @Test func aModelOfOneVersionLeavesOthersToBeGreen() throws {
    try write("App/Note", [("Note", ["a"]), ("Note 2", ["a", "b"])], current: "Note 2")
    try write("Watch/Cache", [("Cache", ["a"])], current: "Cache")
    let list = "models: [{ path: App/Note.xcdatamodeld }, { path: Watch/Cache.xcdatamodeld }]\n"
    try folder.write(list, to: "heavyweight.yaml")
    let smoke = try Tool.run(["smoke"], in: folder)
    #expect(smoke.status == 0, "\(smoke)")
    try folder.write(
      list.replacing("App/Note", with: "Watch/Cache"), to: "heavyweight.yaml")
    #expect(try Tool.run(["smoke"], in: folder).status == 5)
  }
}
