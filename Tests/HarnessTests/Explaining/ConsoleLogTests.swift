import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What a log says, whatever is around it.
@Suite struct ConsoleLogTests {
  private func topics(_ text: String) -> [String] { ConsoleLog(text).messages.map(\.identifier) }

  @Test(arguments: [
    ("CoreData: error: (11) database disk image is malformed", "unreadable-database"),
    ("SQLite error code:26, 'file is not a database'", "unreadable-database"),
    ("UserInfo={NSFilePath=/a, NSSQLiteErrorDomain=11}", "unreadable-database"),
    (
      "BUG IN CLIENT OF libsqlite3.dylib: database integrity compromised by API violation: vnode unlinked while in use",
      "store-removed-while-open"
    ),
    ("CoreData: error: (5) database is locked", "locked-database"),
    ("attempt to write a readonly database", "read-only-store"),
    (
      "Store opened without NSPersistentHistoryTrackingKey but previously had been opened with "
        + "NSPersistentHistoryTrackingKey - Forcing into Read Only mode", "read-only-store"
    ),
    ("database or disk is full", "disk-full"),
    ("Sandbox access to file-write-create denied", "no-such-folder"),
    ("unable to open database file", "no-such-folder"),
    ("table ZINFO already exists", "left-over-schema"),
    ("index Z_Info_byName already exists", "left-over-schema"),
    ("duplicate column name: ZEXTRA", "left-over-schema"),
    ("no such column: t0.ZA", "no-such-table"),
    (
      "warning: Multiple NSEntityDescriptions claim the NSManagedObject subclass 'App.Song' so +entity is unable to "
        + "disambiguate.", "two-models"
    ),
    (
      "+[Song entity] Failed to find a unique match for an NSEntityDescription to a managed object subclass",
      "two-models"
    ),
    (
      "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for entity name 'Song'",
      "unknown-entity"
    ),
    (
      "executeFetchRequest: could not locate an entity named 'Song' in this model.",
      "unknown-entity"
    ),
    (
      "An NSManagedObject of class 'App.Song' must have a valid NSEntityDescription.",
      "unknown-entity"
    ),
    ("CoreData: error: Failed to load model named Songs", "no-model"),
    ("Cannot create an NSPersistentStoreCoordinator with a nil model", "no-model"),
    ("Can't merge models with two different entities named 'Song'", "same-entity-twice"),
    ("Can\u{2019}t modify an immutable model.", "frozen-model"),
    ("CoreData: warning: Unable to load class named 'Song' for entity 'Song'.", "missing-class"),
    (
      #"Unacceptable type of value for attribute: property = "length"; desired type = NSNumber"#,
      "wrong-value"
    ),
    (
      #"the entity Song is not key value coding-compliant for the key "length"."#, "unknown-key"
    ),
    ("keypath length not found in entity <NSSQLEntity Song id=3>", "unknown-key-path"),
    ("unimplemented SQL generation for predicate : (x)", "unknown-key-path"),
    (
      "warning: no NSValueTransformer with class name 'Colors' was found for attribute 'tint' on entity 'Song'",
      "missing-transformer"
    ),
    ("value for key 'root' was of unexpected class 'UIColor'", "unexpected-class"),
    (
      "'NSKeyedUnarchiveFromData' should not be used to for un-archiving and will be removed in a future release",
      "insecure-transformer"
    ),
    ("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__", "wrong-queue"),
    ("Failed to call designated initializer on NSManagedObject class 'Song'", "initializer"),
    ("Mutating a managed object 0x1 after it has been removed from its context.", "after-removal"),
    (
      "Persistent History (3) has to be truncated due to the following entities being removed: (Song)",
      "truncated-history"
    ),
    (
      "The current model reference and the next model reference cannot be equal.", "equal-stages"
    ),
    ("Cannot use staged migration with an unknown model version", "134504"),
    ("Cannot find the current model version: unknown", "swiftdata-unknown-version"),
    (
      "Could not cast value of type 'Swift.Optional<Any>' (0x1) to 'Swift.String'",
      "swiftdata-value"
    ),
    ("Unexpected type for CompositeAttribute: CGFloat", "swiftdata-value"),
    (
      #"fault: Could not materialize Objective-C class named "Array" from declared attribute value type"#,
      "swiftdata-array"
    ),
    (
      "This model instance was invalidated because its backing data could no longer be found the store.",
      "swiftdata-lost-model"
    ),
    ("failed to find a currently active container for Song", "swiftdata-no-container"),
    ("Could not create ModelContainer: boom", "swiftdata-container"),
    ("CoreData could not fulfill a fault for '0x1 <x-coredata://A/Song/p1>'", "133000"),
    ("optimistic locking failure for 0x1", "133020"),
    ("NSConstraintConflict (0x1) for constraint", "133021"),
    ("Multiple validation errors occurred.", "1560"), ("title is a required value.", "1570"),
    ("Dangling reference to an invalid object.", "1550"), ("Unsupported store type.", "134000"),
    (
      "CloudKit integration does not support ordered relationships. The following are marked ordered:",
      "cloudkit-model"
    ),
    ("NSUnderlyingException=Source and destination relationships are incompatible", "134190"),
    ("The operation couldn\u{2019}t be completed. (Cocoa error 134100.)", "134100"),
    ("NSCocoaErrorDomain (134030)", "134030"),
  ])
  func messagesAreFoundWhateverIsAroundThem(message: String, topic: String) {
    let noise = "2026-01-02 10:11:12.131 App[42:1] <private> loading\n"
    #expect(topics(message) == [topic])
    #expect(topics(noise + "App: " + message + " — \(noise)") == [topic])
    let escaped = message.replacing("'", with: "\\'").replacing("\"", with: "\\\"")
    #expect(topics("reason=\"" + escaped.uppercased() + "\"") == [topic])
  }

  @Test func everyPatternIsFound() {
    for topic in ExplanationIndex.groups.flatMap(\.topics) {
      for pattern in topic.patterns {
        #expect(topics(pattern.replacing("…", with: "x")).contains(topic.identifier), "\(pattern)")
      }
    }
  }

  @Test func wordsOfOthersAreNoMessages() {
    let text = """
      Error Domain=NSPOSIXErrorDomain Code=13 "Permission denied"; Code=1341000; NSSQLiteErrorDomain=110
      the file already exists; a table of contents
      """
    #expect(topics(text) == [])
  }

  @Test func messagesComeOnceWithLineAndCount() {
    let error =
      #"Error Domain=NSCocoaErrorDomain Code=134140 "Persistent store migration failed, missing mapping model.""#
    let log = ConsoleLog("one\ntwo\n\(error)\nfour\n\(error)\n")
    #expect(log.messages.map(\.identifier) == ["134140"])
    #expect(log.messages.map(\.line) == [3])
    #expect(log.messages.map(\.count) == [4])
    #expect(log.messages.map(\.text) == [error])
  }

  // MARK: Hashes

  private static func model() throws -> ModelVersions {
    try ModelVersions(
      #"<entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity><entity name="B"/>"#,
      """
      <entity name="A"><attribute name="x" optional="YES" attributeType="String"/>
        <attribute name="y" attributeType="String"/></entity><entity name="B"/>
      """,
      #"<entity name="A"><attribute name="y" attributeType="String"/></entity><entity name="B"/>"#)
  }

  /// The forms in which consoles and people print them.
  @Test(arguments: ["whole", "escaped", "cut", "end", "base64", "swift", "plist"])
  func hashesAreRecognizedInEveryForm(form: String) throws {
    let report = try Self.model().check()
    let hashes = try #require(report.model.versions.first).entityVersionHashesByName
    func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }
    let entries = hashes.sorted { $0.key < $1.key }.map { name, hash in
      let text = hex(hash)
      switch form {
      case "cut":
        return "\(name) = {length = 32, bytes = 0x\(text.prefix(8)) ... \(text.suffix(8)) };"
      case "end": return "\(name) = <\(text.prefix(8)) … >;"
      case "base64": return "\"\(name)\" = \"\(hash.base64EncodedString())\","
      case "swift": return "\"\(name)\": <\(text)>,"
      case "plist":
        return "<key>\(name)</key>\n\t<data>\n\t\(hash.base64EncodedString())\n\t</data>"
      default: return "\"\(name)\" = <\(text.prefix(8)) \(text.dropFirst(8))>;"
      }
    }.joined(separator: "\n")
    var text = "NSStoreModelVersionHashes =     {\n\(entries)\n}; NSStoreType = SQLite;"
    if form == "escaped" {
      text = text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
    let dumps = ConsoleLog(text).dumps
    #expect(dumps.map(\.owner) == ["store"])
    let found = try #require(dumps.first.map { DumpedVersion(dump: $0, report: report) })
    #expect(found.matches == ["App"])
    #expect(
      found.lines == [
        "the store's hashes of 2 entities: those of App", "the way: App ... App 3 lightweight",
        "first failing step: error: App -> App 2: A.y: is new and required, without a default value: the migration "
          + "fails as soon as one row exists (134110) [required-without-default]",
        "in one step, as Core Data opens it: lightweight",
      ])
  }

  private func dump(_ hashes: [(String, Data)], of owner: String) -> String {
    "\(owner) = {\n"
      + hashes.map { "\($0) = <\($1.map { String(format: "%02x", $0) }.joined())>;\n" }.joined()
      + "}\n"
  }

  @Test func whatDiffersIsToldByTheVersionThatHasIt() throws {
    let report = try Self.model().check()
    let versions = report.model.versions
    func hash(_ index: Int, _ name: String) -> Data {
      versions[index].entityVersionHashesByName[name]!
    }
    let text = dump(
      [("A", hash(0, "A")), ("B", hash(2, "B")), ("C", Data(count: 32))],
      of: "NSStoreModelVersionHashes")
    let found = try #require(
      ConsoleLog(text).dumps.first.map { DumpedVersion(dump: $0, report: report) })
    #expect(
      found.lines == [
        "the store's hashes of 3 entities: of no version; the nearest is App",
        "only in the dump: C",
        "the way: App ... App 3 lightweight",
        "first failing step: error: App -> App 2: A.y: is new and required, without a default value: the migration "
          + "fails as soon as one row exists (134110) [required-without-default]",
        "in one step, as Core Data opens it: lightweight",
      ])
    let edited = dump([("A", Data(repeating: 7, count: 32)), ("B", hash(2, "B"))], of: "hashes")
    let lines = try #require(
      ConsoleLog(edited).dumps.first.map { DumpedVersion(dump: $0, report: report) }
    ).lines
    #expect(
      lines.prefix(3) == [
        "hashes of 2 entities: of no version; the nearest is App 3", "changed: A",
        "A: as in no version here: it was edited after stores were written, or isn't of this app",
      ])
  }

  @Test func twoDictionariesAreHeldAgainstEachOther() throws {
    let (one, two) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
    let text =
      dump([("A", one), ("B", one)], of: "NSStoreModelVersionHashes")
      + dump([("A", two), ("C", one)], of: "model entityVersionHashesByName")
    let dumps = ConsoleLog(text).dumps
    #expect(dumps.map(\.owner) == ["store", "model"])
    #expect(
      dumps[0].differences(from: dumps[1]) == [
        "A differs", "B is only in the store", "C is only in the model",
      ])
    let explained = try Explained.all(in: ConsoleLog(text), from: "", reports: { [] })
    #expect(explained.map(\.topic.identifier) == ["version-hashes"])
  }

  /// What ends a store's metadata speaks of versions and models, too.
  @Test func theNearestWordTellsWhoseADictionaryIs() throws {
    let (one, two) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
    let metadata =
      "metadata = {\n" + dump([("A", one)], of: "NSStoreModelVersionHashes")
      + "NSStoreModelVersionHashesVersion = 3;\nNSStoreModelVersionIdentifiers = (\n\"1.0\");\n}\n"
    let ofModel = ConsoleLog(metadata + dump([("A", two)], of: "the model used")).dumps
    #expect(ofModel.map(\.owner) == ["store", "model"])
    let nameless = ConsoleLog(metadata + metadata.replacing("A = ", with: "B = ")).dumps
    #expect(
      nameless[0].differences(from: nameless[1])
        == ["A is only in the first", "B is only in the second"])
  }

  /// What `check` finds of what a message names.
  @Test func namesInMessagesAreLookedUpInTheModel() throws {
    let report = try Self.model().check()
    let text = """
      UserInfo={entity=A, attribute=y, reason=Validation error missing attribute values on mandatory destination attribute}
      """
    let explained = try Explained.all(in: ConsoleLog(text), from: nil, reports: { [report] })
    #expect(explained.map(\.topic.identifier) == ["missing-mandatory-value", "named-elements"])
    #expect(
      explained.last?.here == [
        "A.y: in App 2 ... App 3",
        "  error: App -> App 2: A.y: is new and required, without a default value: the migration fails as soon as one "
          + "row exists (134110) [required-without-default]",
      ])
  }
}
