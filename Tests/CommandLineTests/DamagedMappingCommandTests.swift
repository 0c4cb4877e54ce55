import Foundation
import TestSupport
import Testing

/// Every command that loads mapping models, with every kind of damage: the file is named, the exit
/// status is 2, and nothing is written.
@Suite(.tags(.process), .tiered)
struct DamagedMappingCommandTests {
  /// Something wrong with a mapping model.
  struct Damage: CustomStringConvertible, Sendable {
    let description: String
    var file = "Maps/Map.xcmappingmodel/xcmapping.xml"
    /// The end of a path that has to be in the message.
    var culprit = "Map.xcmappingmodel"
    let make: @Sendable (TemporaryFolder) throws -> Void
  }

  private static func xml(_ description: String, _ text: String) -> Damage {
    let damage = Damage(description: description) { _ in }
    return Damage(description: description) { try $0.write(text, to: damage.file) }
  }

  private static func mapping(_ description: String, _ fields: String) -> Damage {
    xml(description, database(fields))
  }

  /// A mapping model with one entity mapping, which has these fields.
  private static func database(_ fields: String, refs: String = "e") -> String {
    """
    <database>
      <object type="XDDEVMAPPINGMODEL" id="m">
        <attribute name="sourcemodelpath" type="string">App.xcdatamodeld/App.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">App.xcdatamodeld/App 2.xcdatamodel</attribute>
        <relationship name="entitymappings" idrefs="\(refs)"/>
      </object>
      <object type="XDDEVENTITYMAPPING" id="e">
        <attribute name="sourcename" type="string">A</attribute>
        <attribute name="destinationname" type="string">A</attribute>
        \(fields)
      </object>
    </database>
    """
  }

  private static let number = "<attribute name=\"mappingnumber\" type=\"int16\">1</attribute>"

  private static func expression(_ base64: String) -> String {
    number + "<attribute name=\"sourceexpressiondata\" type=\"binary\">\(base64)</attribute>"
  }

  static let damages = [
    Damage(description: "no mapping model in the folder", culprit: "Maps") {
      try $0.write("x", to: "Maps/notes.txt")
    },
    Damage(description: "no such folder", culprit: "Maps") { _ in },
    xml("an empty file", ""),
    xml("XML that is cut off", "<database><object type='XDDEVMAPPINGMODEL' id='m'>"),
    xml("no mapping model", "<database/>"),
    Damage(description: "names that aren't UTF-8") {
      let bytes = Array("<database><object ty".utf8) + [0xE5] + Array("='x'/></database>".utf8)
      try $0.write(Data(bytes), to: "Maps/Map.xcmappingmodel/xcmapping.xml")
    },
    xml("a dangling reference", database(number, refs: "e f")),
    mapping("no number", ""),
    mapping(
      "an absurd number",
      "<attribute name=\"mappingnumber\" type=\"int16\">99999999999999999999</attribute>"),
    mapping("an expression that isn't base64", expression("%%%")),
    mapping("an expression that is no archive", expression("AAAA")),
    mapping(
      "a relationship to nowhere",
      number + "<relationship name=\"attributemappings\" idrefs=\"q\"/>"),
    mapping(
      "a predicate that can't be parsed",
      number + "<attribute name=\"sourcefilterpredicatestring\" type=\"string\">x ==</attribute>"),
    Damage(description: "a compiled one that is text", culprit: "Map.cdm") {
      try $0.write("text", to: "Maps/Map.cdm")
    },
    Damage(description: "a compiled one that is a folder", culprit: "Map.cdm") {
      try FileManager.default.createDirectory(
        at: $0.url.appending(path: "Maps/Map.cdm"), withIntermediateDirectories: true)
    },
    Damage(description: "an archive of something else", culprit: "Map.cdm") {
      try $0.write(
        NSKeyedArchiver.archivedData(
          withRootObject: ["a"] as NSArray, requiringSecureCoding: false), to: "Maps/Map.cdm")
    },
  ]

  enum Command: String, CaseIterable {
    case check, lockCheck, migrate

    var arguments: [String] {
      let rest = ["App.xcdatamodeld", "--mappings", "Maps"]
      return switch self {
      case .check: ["check"] + rest
      case .lockCheck: ["lock", "--check"] + rest
      case .migrate: ["migrate", "old.sqlite", "-o", "new.sqlite", "--models"] + rest
      }
    }
  }

  @Test(arguments: Command.allCases)
  func namesTheFileAndWritesNothing(_ command: Command) throws {
    for damage in Self.damages {
      let folder = try folder(damage)
      let before = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
      let result = try Tool.run(command.arguments, in: folder)
      let shown = "\(command) with \(damage): \(result)"
      #expect(result.status == 2, "\(shown)")
      #expect(result.errors.contains(damage.culprit), "\(shown)")
      #expect(!result.errors.contains("Fatal error"), "\(shown)")
      #expect(result.output == "", "\(shown)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted() == before,
        "\(shown)")
    }
  }

  private func folder(_ damage: Damage) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try damage.make(folder)
    for (name, type) in [("App", "Date"), ("App 2", "String")] {
      try folder.write(
        "<model><entity name='A'><attribute name='x' attributeType='\(type)'/></entity></model>",
        to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string></dict></plist>",
      to: "App.xcdatamodeld/.xccurrentversion")
    try folder.write(
      #"{"format": 1, "model": "App", "current": "App", "versions": []}"#,
      to: "App.xcdatamodeld.lock.json")
    try folder.write("no store at all", to: "old.sqlite")
    return folder
  }
}
