import Foundation
import TestSupport
import Testing

/// An app of a few versions with mapping models, for `heavyweight smoke`.
struct SmokeApp {
  /// An entity mapping as Xcode writes it.
  struct Mapped {
    let entity: String
    var attributes: [String] = []
    /// What each relationship mapping has beside its name.
    var relationships: KeyValuePairs<String, String> = [:]
    var policy: String?
  }

  struct Report: Decodable {
    struct Finding: Decodable {
      let kind: String
      let hop: String
      let entity: String?
      let property: String?
      let mapping: String?
      let message: String
      let seedRows: Int?
      let file: String?

      /// What it is and where, in one line.
      var text: String {
        let subject = [entity, property].compactMap(\.self).joined(separator: ".")
        return
          "\(kind), \(hop): \(subject.isEmpty ? mapping ?? "" : subject), rows \(seedRows ?? -1)"
      }
    }
    let findings: [Finding]
  }

  let folder: TemporaryFolder

  /// - Parameter versions: The entities of each version.
  init(_ versions: String...) throws {
    folder = try TemporaryFolder()
    for (index, entities) in versions.enumerated() {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(entities)</model>
        """, to: "App.xcdatamodeld/\(Self.name(index)).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(Self.name(versions.count - 1)).xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
  }

  private static func name(_ index: Int) -> String { index == 0 ? "App" : "App \(index + 1)" }

  /// Writes a mapping model of a step.
  /// - Parameter number: The version that it leads from.
  func map(_ entities: [Mapped], from number: Int = 1) throws {
    let (source, destination) = (Self.name(number - 1), Self.name(number))
    let objects = entities.enumerated().map { index, mapped in Self.xml(mapped, "z\(index + 1)00") }
    let ids = entities.indices.map { "z\($0 + 1)00" }.joined(separator: " ")
    try folder.write(
      """
      <?xml version="1.0"?>
      <database>
      \(MappingFileText.model("App", from: source, to: destination, mappings: ids))
      \(objects.joined(separator: "\n"))
      </database>
      """, to: "Map.xcmappingmodel/xcmapping.xml")
  }

  private static func xml(_ mapped: Mapped, _ id: String) -> String {
    let attributes = mapped.attributes.enumerated().map { number, name in
      object("XDDEVATTRIBUTEMAPPING", "\(id)a\(number)", name, "", id)
    }
    let relationships = mapped.relationships.enumerated().map { number, entry in
      object("XDDEVRELATIONSHIPMAPPING", "\(id)r\(number)", entry.key, entry.value, id)
    }
    let policy = mapped.policy.map {
      "<attribute name=\"migrationpolicyclassname\" type=\"string\">\($0)</attribute>"
    }
    func ids(_ kind: String, _ count: Int) -> String {
      (0..<count).map { "\(id)\(kind)\($0)" }.joined(separator: " ")
    }
    return """
      <object type="XDDEVENTITYMAPPING" id="\(id)">
      <attribute name="sourcename" type="string">\(mapped.entity)</attribute>
      <attribute name="destinationname" type="string">\(mapped.entity)</attribute>
      \(policy ?? "")
      <attribute name="mappingtypename" type="string">Undefined</attribute>
      <attribute name="mappingnumber" type="int16">1</attribute>
      <attribute name="autogenerateexpression" type="bool">1</attribute>
      <relationship name="attributemappings" type="0/0" idrefs="\(ids("a", attributes.count))"></relationship>
      <relationship name="relationshipmappings" type="0/0" idrefs="\(ids("r", relationships.count))"></relationship>
      </object>
      \((attributes + relationships).joined(separator: "\n"))
      """
  }

  private static func object(
    _ type: String, _ id: String, _ name: String, _ more: String, _ owner: String
  ) -> String {
    """
    <object type="\(type)" id="\(id)">
    <attribute name="name" type="string">\(name)</attribute>
    \(more)
    <relationship name="entitymapping" type="0/0" idrefs="\(owner)"></relationship>
    </object>
    """
  }

  /// A relationship mapping that Xcode makes by itself.
  static func generated(_ name: String, by mapping: String) -> String {
    """
    <attribute name="autogenerateexpression" type="bool">1</attribute>
    <attribute name="sourcekeypath" type="string">$source.\(name)</attribute>
    <attribute name="sourcemappingname" type="string">\(mapping)</attribute>
    """
  }

  func smoke(_ options: String...) throws -> Tool.Result {
    try Tool.run(["smoke", "App.xcdatamodeld"] + options, in: folder)
  }

  /// What is found, each in one line.
  func findings(_ options: String...) throws -> [String] {
    let result = try Tool.run(["smoke", "App.xcdatamodeld", "--json"] + options, in: folder)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(result.status == (report.findings.isEmpty ? 0 : 1), "\(result.errors)")
    return report.findings.map(\.text)
  }
}
