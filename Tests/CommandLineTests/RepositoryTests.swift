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

  /// Xcode adds new versions at the top.
  @Test(arguments: ["B2", "A1"])
  func xcodesProjectFileTellsTheOrderOfVersions(_ current: String) throws {
    try write(
      "App/Note", [("Plum", ["a"]), ("Fig", ["a", "b"]), ("Ash", ["a", "c"])], current: nil)
    let files = [("A1", "Ash"), ("B2", "Fig"), ("C3", "Plum")]
    func file(_ id: String, _ name: String) -> String {
      "\(id) /* \(name).xcdatamodel */ = {isa = PBXFileReference; path = \"\(name).xcdatamodel\"; };"
    }
    try folder.write(
      """
      {objects = {
      \(files.map(file).joined(separator: "\n"))
      D4 /* Note.xcdatamodeld */ = {
        isa = XCVersionGroup;
        children = (
          B2 /* Fig.xcdatamodel */,
          A1 /* Ash.xcdatamodel */,
          C3 /* Plum.xcdatamodel */,
        );
        currentVersion = \(current) /* x */;
        path = Note.xcdatamodeld;
      };
      };}
      """, to: "Note.xcodeproj/project.pbxproj")
    let result = try Tool.run(["init"], in: folder)
    let found = try text("heavyweight.yaml")
    // A group in another order than Xcode's says nothing.
    #expect(
      found.contains(
        "order: [Plum, Ash, Fig]  # as Note.xcodeproj has them: nothing in the model tells it")
        == (current == "B2"), "\(found)\(result)")
  }

  /// Xcode may set the current version back to the first one, and the app name the newest one itself.
  @Test(arguments: [
    ("Note 3.mom", "Note 3", true), ("Note 2", "Note 2", true), ("Note 1", "Note", false),
  ])
  func aVersionThatTheCodeNamesIsTheCurrentOne(
    _ name: String, _ current: String, _ isNamed: Bool
  ) throws {
    try write(
      "App/Note", [("Note", ["a"]), ("Note 2", ["a", "b"]), ("Note 3", ["a", "b", "c"])],
      current: "Note")
    try folder.write(
      """
      let url = folder.appendingPathComponent("Note.momd").appendingPathComponent("\(name)")
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel(contentsOf: url)!)
      """, to: "App/Store.swift")
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    let found = try text("heavyweight.yaml")
    #expect(
      found.contains(
        "\n    current: \(current)  # App/Store.swift:1 names it; Xcode has an older one\n")
        == isNamed, "\(found)")
    let remark =
      "Note.xcdatamodeld: '\(current)' is the current version, and 'Note 3' is newer: where the app opens stores "
      + "with that, write 'current: Note 3' into heavyweight.yaml, and call init again"
    #expect(result.errors.contains(remark) == (current != "Note 3"), "\(result)")
    #expect(
      found.split(whereSeparator: \.isWhitespace).filter { $0 != "#" }.joined(separator: " ")
        .contains(remark) == (current != "Note 3"))
    #expect(
      result.output.contains(
        "every version direct: \(current == "Note 3" ? "2 starts" : "1 start")") == isNamed,
      "\(result)")
  }

  @Test func codeThatListsVersionsSetsNoCurrentOne() throws {
    try write(
      "App/Note", [("Note", ["a"]), ("Note 2", ["a", "b"]), ("Note 3", ["a", "b", "c"])],
      current: "Note 2")
    try folder.write(
      """
      enum Version: String { case first = "Note", second = "Note 2", unreleased = "Note 3" }
      let container = NSPersistentContainer(name: "Note")
      """, to: "App/Store.swift")
    let result = try Tool.run(["init"], in: folder)
    #expect(try !text("heavyweight.yaml").contains("\n    current:"), "\(result)")
    #expect(result.errors.contains("'Note 2' is the current version, and 'Note 3' is newer"))
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

  /// Stores of the first version can't be opened: green, that would be for nobody to see.
  @Test(arguments: [true, false])
  func anAppThatCannotOpenItsOldestStoresIsRed(_ isAutomatic: Bool) throws {
    try writeShop(migration: isAutomatic ? "automatic" : "progressive")
    let result = try Tool.run(["init", "."], in: folder)
    #expect(result.status == 0, "\(result)")
    let run = try Tool.run(["run", "--backend", "memory", "--verbose"], in: folder)
    #expect(run.status == (isAutomatic ? 1 : 0), "\(run)")
    let whole = "✗ Stores of Shop reach the current one in one step, as Core Data does by itself"
    #expect(run.output.contains(whole) == isAutomatic, "\(run.output)")
    #expect(
      run.output.contains(
        "✓ Stores of every version reach the current one "
          + (isAutomatic ? "in one step, as Core Data does by itself" : "version by version")
      ) != isAutomatic)
    #expect(run.output.contains("✓ Stores of every other version reach") == isAutomatic)
  }

  /// Until it is translated, the step must not pass.
  @Test func aPolicyInObjectiveCGetsASwiftClassToTranslate() throws {
    let parts = Tool.package.appending(path: "Scenarios/PolicyParts")
    for name in ["Parts.xcdatamodeld", "Songs.xcmappingmodel"] {
      try FileManager.default.copyItem(
        at: parts.appending(path: name), to: folder.url.appending(path: name))
    }
    try folder.write(
      """
      #import "Titles.h"
      @implementation Titles
      - (BOOL)createDestinationInstancesForSourceInstance:(NSManagedObject *)source
                                            entityMapping:(NSEntityMapping *)mapping
                                                  manager:(NSMigrationManager *)manager
                                                    error:(NSError **)error {
          if (source) { return YES; }

          return NO;
      }
      - (NSString *)titleOf:(NSString *)name and:(NSNumber *)rank { return name; }
      @end
      """, to: "App/Titles.m")
    try folder.write("@interface Titles : NSEntityMigrationPolicy\n@end\n", to: "App/Titles.h")
    let result = try Tool.run(["init", "--stand-ins"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.errors.contains(
        "wrote Scenarios/StandIns/Titles.swift: translate it from Objective-C\n"))
    let place = "Scenarios/StandIns/Titles.swift"
    let written = try text(place)
    #expect(
      written == """
        // In place of Titles of App/Titles.m, which is written in Objective-C and doesn't run
        // here. Translate what the comments have, method by method: until then, the step ends at the first one.
        import CoreData

        @objc(Titles)
        class Titles: NSEntityMigrationPolicy {
          // - (BOOL)createDestinationInstancesForSourceInstance:(NSManagedObject *)source
          //                                       entityMapping:(NSEntityMapping *)mapping
          //                                             manager:(NSMigrationManager *)manager
          //                                               error:(NSError **)error {
          //     if (source) { return YES; }
          //
          //     return NO;
          // }
          override func createDestinationInstances(
            forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager) throws {
            fatalError("the stand-in for Titles isn't translated yet: createDestinationInstancesForSourceInstance:entityMapping:manager:error:")
          }

          // - (NSString *)titleOf:(NSString *)name and:(NSNumber *)rank { return name; }
          @objc(titleOf:and:) func titleOf(_ name: Any?, _ rank: Any?) -> Any? {
            fatalError("the stand-in for Titles isn't translated yet: titleOf:and:")
          }
        }

        """)
    #expect(
      result.output.contains("the stand-in for Titles isn't translated yet"), "\(result.output)")
    #expect(try Tool.run(["run"], in: folder).status == 4)
    // Once it is translated, everything is written.
    let call =
      "try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)"
    try folder.write(
      written.replacing(/fatalError\(".*createDestination.*"\)/, with: call), to: place)
    for file in ["heavyweight.yaml", "Scenarios/Parts-to-Parts-2.scenario.yaml"] {
      try FileManager.default.removeItem(at: folder.url.appending(path: file))
    }
    let again = try Tool.run(["init", "--stand-ins"], in: folder)
    #expect(again.errors.contains("kept \(place), which exists"), "\(again)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run)")
  }

  /// Taken away and brought back: one step keeps it.
  @Test func waysThatComeToOtherContentDifferWhereNoPolicyRuns() throws {
    try write(
      "App/Note", [("Note", ["a", "b"]), ("Note 2", ["b"]), ("Note 3", ["a", "b", "c"])],
      current: "Note 3")
    try write("First/Note", [("Note", ["a", "b"])], current: nil)
    try folder.write(
      """
      scenario: A store of the first version
      models: ../First/Note.xcdatamodeld
      seed: { Note: [{ a: "1", b: "2" }] }
      expect: [{ count: { Note: 1 } }]

      """, to: "First/Store.scenario.yaml")
    _ = try Tool.run(
      ["run", "First/Store.scenario.yaml", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    let store = "Kept/First/Store.Note.run/store.sqlite"
    let result = try Tool.run(
      [
        "migrate", store, "--models", "App/Note.xcdatamodeld", "--to", "Note 3", "-o", "new.sqlite",
      ],
      in: folder)
    #expect(
      result.output.hasSuffix(
        "\nin one step, as Core Data does by itself: another result, as in Note.a; version by version: passes\n"
      ), "\(result)")
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

  @Test(arguments: [
    ("automatic", ["direct"]), ("progressive", ["stepwise"]), ("own", ["stepwise"]),
    (nil, ["stepwise", "direct"]),
  ])
  func storesOfEveryVersionGoTheAppsWayOnly(_ migration: String?, _ routes: [String]) throws {
    try write("App/Note", [("Note", ["a"]), ("Note 2", ["a", "b"])], current: "Note 2")
    let way = migration.map { ", migration: \($0)" } ?? ""
    try folder.write(
      "models: [{ path: App/Note.xcdatamodeld\(way) }]\n", to: "heavyweight.yaml")
    let result = try Tool.run(["init", "App/Note.xcdatamodeld", "--all"], in: folder)
    #expect(result.status == 0, "\(result)")
    let files = routes.map {
      """
      wrote Scenarios/Every-version-\($0).scenario.yaml
        every version \($0): 1 start

      """
    }
    #expect(result.output == files.joined() + "next: heavyweight run Scenarios\n")
  }

  /// Mapping files name policies without a module, and the app sets whole names before it migrates.
  @Test func whatAppsPutBeforeNamesOfPoliciesIsFound() throws {
    try writeTwoPolicies(manifest: "", to: "README.md")
    try FileManager.default.removeItem(at: folder.url.appending(path: "App/TitlePolicy.swift"))
    let mapping = "Songs.xcmappingmodel/xcmapping.xml"
    try folder.write(text(mapping).replacing("App.TitlePolicy", with: "TitlePolicy"), to: mapping)
    func initialized() throws -> String {
      let result = try Tool.run(["init"], in: folder)
      #expect(result.status == 0, "\(result)")
      return result.output
    }
    #expect(try initialized().contains("if the app itself puts something before the name"))
    for name in ["heavyweight.yaml", "Scenarios"] {
      try FileManager.default.removeItem(at: folder.url.appending(path: name))
    }
    try folder.write(
      """
      for mapping in model.entityMappings {
        if let entityMigrationPolicyClassName = mapping.entityMigrationPolicyClassName,
          mapping.entityMigrationPolicyClassName == entityMigrationPolicyClassName { print("?") }
        mapping.entityMigrationPolicyClassName = module + "." + mapping.entityMigrationPolicyClassName!
      }
      let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
      """, to: "App/Migrator.swift")
    #expect(try !initialized().contains("skipped"))
    let found = try text("heavyweight.yaml")
    #expect(
      found.contains(
        """
            module: AppPolicies  # as mapping files name the policies
            policies:
              - Code/Core/TitlePolicy.swift
            prefix: AppPolicies.  # assumed: App/Migrator.swift:4 sets their names

        """), "\(found)")
    let run = try Tool.run(["run"], in: folder)
    #expect(run.status == 0, "\(run)")
  }

  /// The compiler takes Foundation's type, and misses members; what no file of the app has, is left to stubs.
  @Test func anAppsTypeThatIsCalledLikeFoundationsIsFound() throws {
    try writeTwoPolicies(manifest: "", to: "README.md")
    try FileManager.default.removeItem(at: folder.url.appending(path: "App/TitlePolicy.swift"))
    let path = "Code/Core/TitlePolicy.swift"
    let policy = try text(path).replacing("\"made\"", with: "Operation.made.rawValue")
    try #require(policy.contains("Operation"))
    try folder.write(policy, to: path)
    try folder.write("enum Operation: String { case made }", to: "Code/Sync/Operation.swift")
    let result = try Tool.run(["init"], in: folder)
    #expect(!result.output.contains("skipped"), "\(result)")
    let sources = """
          policies:
            - Code/Core/TitlePolicy.swift
            - Code/Sync/Operation.swift

      """
    #expect(try text("heavyweight.yaml").contains(sources))
    for name in ["heavyweight.yaml", "Scenarios"] {
      try FileManager.default.removeItem(at: folder.url.appending(path: name))
    }
    try folder.write(
      "import HealthKit\n"
        + policy.replacing(".rawValue", with: ".rawValue + HKSource.default().name"), to: path)
    let stubbed = try Tool.run(["init", "--stub-missing", "Stubs"], in: folder)
    #expect(
      stubbed.output.contains(
        "Stubs/HealthKit.swift was written, with HKSource, HKSource.default(), HKSource.name: check it, its types are "
          + "guessed."), "\(stubbed)")
    #expect(
      !FileManager.default.fileExists(
        atPath: folder.url.appending(path: "Stubs/AppMissing.swift").path))
  }

  /// A policy's own error names no property: rows that have all values have a scenario of their own.
  @Test func objectsThatLackValuesForAPolicyFailApart() throws {
    try writeTwoPolicies(manifest: "", to: "README.md")
    try FileManager.default.removeItem(at: folder.url.appending(path: "App/TitlePolicy.swift"))
    let path = "Code/Core/TitlePolicy.swift"
    try folder.write(
      text(path).replacing(
        "    try super",
        with: """
              guard source.value(forKey: "name") is String else { throw NSError(domain: "App", code: 7) }
              try super
          """), to: path)
    let result = try Tool.run(["init"], in: folder)
    #expect(
      result.output.contains(
        "Beside -> Beside 2, mapped: 3 rows, 6 expectations; fails: error 7 at Song in Beside -> Beside 2\n"
      ),
      "\(result)")
    let listed = try Tool.run(["run", "Scenarios/Beside-to-Beside-2.scenario.yaml"], in: folder)
    #expect(listed.output.contains("✓ Beside -> Beside 2 keeps what it should"), "\(listed)")
    #expect(
      listed.output.contains("✗ Beside -> Beside 2 takes objects of Song that lack values"),
      "\(listed)")
  }

  // MARK: Modules

  /// A model with a mapping file that names `App.TitlePolicy`, two classes of that name, and what says of which module
  /// each is.
  private func writeTwoPolicies(manifest: String, to path: String) throws {
    let example = Tool.package.appending(path: "Scenarios/BesideTheModel")
    for name in ["Beside.xcdatamodeld", "Songs.xcmappingmodel"] {
      try FileManager.default.copyItem(
        at: example.appending(path: name), to: folder.url.appending(path: name))
    }
    let policy = try String(
      contentsOf: example.appending(path: "TitlePolicy.swift"), encoding: .utf8)
    try folder.write(policy, to: "Code/Core/TitlePolicy.swift")
    try folder.write(policy.replacing("made", with: "old"), to: "App/TitlePolicy.swift")
    try folder.write(manifest, to: path)
  }

  /// - Parameter module: What the product of the target is called that has the file in `Code/Core`.
  private static func project(_ module: String) -> String {
    func target(_ id: String, _ name: String, _ file: String, _ setting: String) -> String {
      """
      \(id) = {isa = PBXNativeTarget; name = "\(name)"; buildPhases = (\(id)1); buildConfigurationList = \(id)2; };
      \(id)1 = {isa = PBXSourcesBuildPhase; files = (\(id)3, ); };
      \(id)3 /* in Sources */ = {isa = PBXBuildFile; fileRef = \(file); };
      \(id)2 = {isa = XCConfigurationList; buildConfigurations = (\(id)4); };
      \(id)4 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {\(setting)}; };
      """
    }
    return """
      // !$*UTF8*$!
      {objects = {
      P = {isa = PBXProject; mainGroup = G; buildConfigurationList = C; };
      C = {isa = XCConfigurationList; buildConfigurations = (D); };
      D = {isa = XCBuildConfiguration; name = Debug; buildSettings = {PRODUCT_NAME = "$(TARGET_NAME)"; }; };
      G = {isa = PBXGroup; children = (H, F2); sourceTree = "<group>"; };
      H = {isa = PBXGroup; children = (F1); path = Code; sourceTree = "<group>"; };
      F1 = {isa = PBXFileReference; path = Core/TitlePolicy.swift; sourceTree = "<group>"; };
      F2 = {isa = PBXFileReference; path = App/TitlePolicy.swift; sourceTree = SOURCE_ROOT; };
      \(target("T", "App Kit", "F1", "PRODUCT_MODULE_NAME = \"\(module)\"; "))
      \(target("U", "Old App", "F2", ""))
      };}
      """
  }

  @Test(arguments: [
    ("Beside.xcodeproj/project.pbxproj", project("App")),
    ("Beside.xcodeproj/project.pbxproj", project("$(PRODUCT_NAME:c99extidentifier)")),
    (
      "Package.swift",
      """
      // .target(name: "App", path: "App"),
      let package = Package(name: "x", targets: [
        .target(name: "Other", dependencies: [.target(name: "App")], path: "App"),
        .target(
          name: "App", dependencies: [.product(name: "y", package: "path: z")], path: "Code/Core"),
      ])
      """
    ),
  ])
  func theClassOfTheModuleIsTakenThatMappingFilesName(_ path: String, _ manifest: String) throws {
    try writeTwoPolicies(manifest: manifest, to: path)
    let result = try Tool.run(["init"], in: folder)
    #expect(result.status == 0, "\(result)")
    let found = try text("heavyweight.yaml")
    if manifest.contains("c99") {
      #expect(
        result.output.contains(
          """
          skipped: mapping files name the policy App.TitlePolicy, and App/TitlePolicy.swift is compiled into Old_App, \
          as the app's project says: Core Data doesn't find it

          """), "\(result.output)")
      #expect(found.contains("    policies: []\n"), "\(found)")
    } else {
      #expect(
        found.contains(
          """
              module: App  # as mapping files name the policies
              policies:
                - Code/Core/TitlePolicy.swift

          """), "\(found)")
    }
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
