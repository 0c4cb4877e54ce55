import Foundation
import TestSupport
import Testing

/// Every command that loads a model, with every kind of damage: the file is named, the exit status
/// says so, and nothing is written.
@Suite(.tags(.process), .tiered)
struct DamagedModelCommandTests {
  /// Something wrong with a model, and the file that has to be named.
  struct Damage: CustomStringConvertible, Sendable {
    let description: String
    /// The model's path.
    var model = "App.xcdatamodeld"
    /// The end of a path that has to be in the message.
    let culprit: String
    /// Whether it matters only to who asks for the current version.
    var isAboutCurrentVersion = false
    let make: @Sendable (TemporaryFolder) throws -> Void
  }

  private static let contents = "App.xcdatamodeld/App.xcdatamodel/contents"

  private static func xml(_ description: String, _ text: String) -> Damage {
    Damage(description: description, culprit: contents) { try $0.write(text, to: contents) }
  }

  private static func model(_ description: String, _ elements: String) -> Damage {
    xml(description, "<model>\(elements)</model>")
  }

  private static let lawlessEntities = (1...9).map { level in
    "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
  }.joined()

  static let texts = [
    xml("an empty file", ""),
    xml("no XML", "bplist00 and so on"),
    xml("XML that is cut off", "<model><entity name='Book'>"),
    Damage(description: "names that aren't UTF-8", culprit: contents) {
      let bytes = Array("<model><entity nam".utf8) + [0xE5] + Array("='A'/></model>".utf8)
      try $0.write(Data(bytes), to: contents)
    },
    xml(
      "entities that expand without end",
      "<!DOCTYPE model [<!ENTITY e0 'lol'>\(lawlessEntities)]><model name='&e9;'/>"),
    xml("another root", "<database/>"),
    model(
      "a dangling destination",
      "<entity name='A'><relationship name='b' destinationEntity='B'/></entity>"),
    model(
      "a circle of parents",
      "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>"),
    model("an entity that is its own parent", "<entity name='A' parentEntity='A'/>"),
    model("two entities of one name", "<entity name='A'/><entity name='A'/>"),
    model("an entity without name", "<entity/>"),
    model(
      "an unknown type", "<entity name='A'><attribute name='x' attributeType='Text'/></entity>"),
    model(
      "an absurd count",
      "<entity name='A'><relationship name='a' destinationEntity='A' minCount='99999999999999'/></entity>"
    ),
    model(
      "a number without end",
      "<entity name='A'><attribute name='x' attributeType='Date' "
        + "defaultDateTimeInterval='\(String(repeating: "9", count: 400))'/></entity>"),
    model(
      "very deep elements",
      String(repeating: "<entity name='A'>", count: 100_000)
        + String(repeating: "</entity>", count: 100_000)),
  ]

  static let files = [
    Damage(description: "no such model", culprit: "App.xcdatamodeld") { _ in },
    Damage(description: "a file in place of the folder", culprit: "App.xcdatamodeld") {
      try $0.write("<model/>", to: "App.xcdatamodeld")
    },
    Damage(description: "an empty folder", culprit: "App.xcdatamodeld") {
      try makeFolder("App.xcdatamodeld", in: $0)
    },
    Damage(
      description: "a version without contents", culprit: "App.xcdatamodeld/App.xcdatamodel"
    ) { try makeFolder("App.xcdatamodeld/App.xcdatamodel", in: $0) },
    Damage(description: "a folder in place of contents", culprit: contents) {
      try makeFolder(contents, in: $0)
    },
    Damage(
      description: "Xcode 3's format", culprit: "App.xcdatamodeld/App.xcdatamodel"
    ) { try $0.write("bplist00", to: "App.xcdatamodeld/App.xcdatamodel/elements") },
    Damage(
      description: "a .xccurrentversion that is no property list",
      culprit: "App.xcdatamodeld/.xccurrentversion", isAboutCurrentVersion: true
    ) {
      try writeTwoVersions(in: $0)
      try $0.write("App 2", to: "App.xcdatamodeld/.xccurrentversion")
    },
    Damage(
      description: "a .xccurrentversion that is no property list, beside a single version",
      culprit: "App.xcdatamodeld/.xccurrentversion", isAboutCurrentVersion: true
    ) {
      try $0.write("<model><entity name='App'/></model>", to: contents)
      try $0.write("App", to: "App.xcdatamodeld/.xccurrentversion")
    },
    Damage(description: "no archive", model: "App.mom", culprit: "App.mom") {
      try $0.write("<model/>", to: "App.mom")
    },
    Damage(description: "an archive of something else", model: "App.mom", culprit: "App.mom") {
      try $0.write(
        NSKeyedArchiver.archivedData(
          withRootObject: ["a"] as NSArray, requiringSecureCoding: false), to: "App.mom")
    },
    Damage(description: "an archive that is cut off", model: "App.mom", culprit: "App.mom") {
      let whole = try NSKeyedArchiver.archivedData(
        withRootObject: ["a"] as NSArray, requiringSecureCoding: false)
      try $0.write(whole.dropLast(20), to: "App.mom")
    },
    Damage(description: "no compiled version", model: "App.momd", culprit: "App.momd") {
      try $0.write("x", to: "App.momd/App.omo")
    },
    Damage(description: "a folder without model", model: "Empty", culprit: "Empty") {
      try makeFolder("Empty", in: $0)
    },
  ]

  private static func makeFolder(_ path: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: path), withIntermediateDirectories: true)
  }

  private static func writeTwoVersions(in folder: TemporaryFolder) throws {
    for name in ["App", "App 2"] {
      try folder.write(
        "<model><entity name='\(name.replacing(" ", with: ""))'/></model>",
        to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
  }

  // MARK: Commands

  /// The arguments of each command that loads models, given the model's path.
  enum Command: String, CaseIterable {
    case check, lock, lockCheck, diff, migrate, inspect, run

    func arguments(_ model: String) -> [String] {
      switch self {
      case .check: ["check", model]
      case .lock: ["lock", model]
      case .lockCheck: ["lock", model, "--check"]
      case .diff: ["diff", "old.sqlite", "old.sqlite", "--models", model]
      case .migrate: ["migrate", "old.sqlite", "--models", model, "-o", "new.sqlite"]
      case .inspect: ["inspect", "old.sqlite", "--models", model]
      case .run: ["run", "App.scenario.yaml", "--in-process"]
      }
    }

    /// Whether the command asks which version is current.
    var needsCurrentVersion: Bool { [.check, .lock, .lockCheck, .migrate].contains(self) }
  }

  /// A store, a scenario and a manifest beside the damaged model.
  private func folder(_ damage: Damage, store: Data) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try damage.make(folder)
    try folder.write(store, to: "old.sqlite")
    try folder.write(
      """
      scenario: Damage
      models: \(damage.model)
      seed: {}
      chain: [App -> App 2]
      expect: [{ count: { A: 0 } }]

      """, to: "App.scenario.yaml")
    try folder.write(
      #"{"format": 1, "model": "App", "current": "App", "versions": []}"#,
      to: "\(damage.model).lock.json")
    return folder
  }

  /// A store of any model: what is wrong with the models given is told first.
  private func store() throws -> Data {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      scenario: Seed
      models: { v1: { A: { title: string? } } }
      seed: { A: [{ title: One }] }
      expect: [{ count: { A: 1 } }]

      """, to: "Seed.scenario.yaml")
    let made = try Tool.run(["run", "Seed.scenario.yaml", "--keep", "Kept"], in: folder)
    try #require(made.status == 0, "\(made.errors)")
    return try Data(contentsOf: folder.url.appending(path: "Kept/Seed.v1.run/store.sqlite"))
  }

  @Test(arguments: Command.allCases)
  func namesTheFileAndWritesNothing(_ command: Command) throws {
    let store = try store()
    for damage in Self.texts + Self.files {
      if damage.isAboutCurrentVersion && !command.needsCurrentVersion { continue }
      let folder = try folder(damage, store: store)
      let before = try Self.content(of: folder)
      let result = try Tool.run(command.arguments(damage.model), in: folder)
      let shown = "\(command) with \(damage): \(result)"
      // A scenario's missing file has a status of its own.
      let isMissing = command == .run && damage.description == "no such model"
      #expect(result.status == (isMissing ? 6 : 2), "\(shown)")
      #expect(result.errors.contains(damage.culprit), "\(shown)")
      #expect(!result.errors.contains("Fatal error"), "\(shown)")
      #expect(result.output == "" || command == .run, "\(shown)")
      #expect(try Self.content(of: folder) == before, "\(shown)")
    }
  }

  /// All files with their content.
  private static func content(of folder: TemporaryFolder) throws -> [String: Data] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    return Dictionary(
      uniqueKeysWithValues: paths.map { path in
        (path, (try? Data(contentsOf: folder.url.appending(path: path))) ?? Data())
      })
  }
}
