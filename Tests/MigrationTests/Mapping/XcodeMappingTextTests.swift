import TestSupport
import Testing

@testable import Migration
@testable import ObjectModel

/// What stands in `xcmapping.xml`, and how it is read.
@Suite struct XcodeMappingTextTests {
  private func file(_ fields: String, _ objects: String = "") throws -> XcodeMappingFile {
    let folder = try TemporaryFolder()
    try folder.write(
      MappingFileText.of(
        "A", from: "App", to: "App 2", in: "App", fields: fields, objects: objects),
      to: "Map.xcmappingmodel/xcmapping.xml")
    return try XcodeMappingFile.load(contentsOf: folder.url.appending(path: "Map.xcmappingmodel"))
  }

  private func attribute(_ name: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"string\">\(text)</attribute>"
  }

  @Test(arguments: [
    (#"number \u3c00 10"#, "number < 10"), (#"items.@count\u3e001"#, "items.@count>1"),
    (#"a = 1 \u2600\u2600 b = 2"#, "a = 1 && b = 2"), (#"x LIKE 'a\\\\b'"#, #"x LIKE 'a\\b'"#),
    ("a &lt; 1", "a < 1"), ("a <![CDATA[< 1 &]]>&amp; b = 2", "a < 1 && b = 2"),
    (#"name = "\u3dd800de""#, "name = \"\u{FFFD}00de\""),
    (#"name = "\u3dd8\u00de""#, "name = \"\u{1F600}\""),
  ])
  func theStoresOwnEscapesAreUndone(written: String, meant: String) throws {
    let mapping = try file(attribute("sourcefilterpredicatestring", written)).entityMappings[0]
    #expect(mapping.sourcePredicate == meant)
  }

  /// Every text comes through, whichever characters are escaped.
  @Test func anyTextSurvivesItsEscapes() throws {
    var random = SystemRandomNumberGenerator()
    let characters = Array("ab<>&\\\"'u3c00 é€😀")
    for _ in 0..<50 {
      let name = "x" + String((0..<12).map { _ in characters.randomElement(using: &random) ?? "a" })
      let escaped = name.utf16.map { unit -> String in
        switch unit {
        case 0x5C: return #"\\"#
        case 0x3C, 0x3E, 0x26, 0x80...:
          let digits = String(unit.byteSwapped, radix: 16)
          return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(decoding: [unit], as: UTF16.self)
        }
      }.joined()
      #expect(try file(attribute("name", escaped)).entityMappings[0].name == name, "\(escaped)")
    }
  }

  @Test func anEmptyClassNameIsNone() throws {
    #expect(
      try file(attribute("migrationpolicyclassname", "")).entityMappings[0].policyClassName == nil)
  }

  // MARK: Expressions

  private func models() throws -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
    (
      try ManagedObjectModel(entities: [
        ModelNotation.entity("A", properties: ["x": "string?", "b": "B? <-> a"]),
        ModelNotation.entity("B", properties: ["a": "A? <-> b"]),
      ]),
      try ManagedObjectModel(entities: [
        ModelNotation.entity("A", properties: ["x": "string?", "n": "int64?", "b": "B? <-> a"]),
        ModelNotation.entity("B", properties: ["a": "A? <-> b"]),
      ])
    )
  }

  /// The mapping of A and B, with a second one that makes a B of each A.
  private func mapping(_ objects: String, attributes: String = "", relationships: String = "")
    throws
    -> EntityMapping
  {
    let file = try file(
      """
      <relationship name="attributemappings" type="0/0" idrefs="\(attributes)"></relationship>
      <relationship name="relationshipmappings" type="0/0" idrefs="\(relationships)"></relationship>
      """, objects)
    var drafts = file.entityMappings
    drafts.append(EntityMappingDraft(source: "A", destination: "B", name: "BOfA"))
    let (source, destination) = try models()
    return try #require(
      MappingBuilder(source: source, destination: destination).mappingModel(drafts).entityMappings
        .first)
  }

  @Test(
    arguments: [
      (
        "$source", "BOfA",
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:" , "BOfA" , $source)"#
      ),
      (
        "$source", nil,
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:" , "BOfA" , $source)"#
      ),
      (
        "$source.b", "BOfA",
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:" , "BOfA" , $source.b)"#
      ),
      (
        nil, "BOfA",
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:" , "BOfA" , $source.b)"#
      ),
    ] as [(String?, String?, String)])
  func keyPathAndMappingNameMayStandAlone(path: String?, name: String?, meant: String) throws {
    let fields = [("sourcekeypath", path), ("sourcemappingname", name)].compactMap { key, value in
      value.map { attribute(key, $0) }
    }
    let mapping = try mapping(
      """
      <object type="XDDEVRELATIONSHIPMAPPING" id="z3">\(attribute("name", "b"))\(fields.joined())</object>
      """, relationships: "z3")
    #expect(mapping.relationshipMappings?.map { $0.valueExpression?.expressionFormat } == [meant])
  }

  private func archived(_ build: (KeyedArchiveWriter) -> KeyedArchiveWriter.Reference) -> String {
    let writer = KeyedArchiveWriter()
    return writer.data(root: build(writer)).base64EncodedString()
  }

  private func attributeMapping(_ id: String, _ name: String, _ data: String) -> String {
    """
    <object type="XDDEVATTRIBUTEMAPPING" id="\(id)">\(attribute("name", name))
    <attribute name="valueexpressiondata" type="binary">\(data)</attribute></object>
    """
  }

  @Test func anExpressionThatCannotBeReadSpoilsItsOwnPropertyAlone() throws {
    let unknown = archived { $0.add("NSNobodyKnowsExpression", "NSExpression", fields: [:]) }
    let mapping = try mapping(
      attributeMapping("z3", "n", unknown)
        + "<object type=\"XDDEVATTRIBUTEMAPPING\" id=\"z4\">\(attribute("name", "x"))</object>",
      attributes: "z3 z4")
    let properties = try #require(mapping.attributeMappings)
    #expect(properties.map(\.name) == ["n", "x"])
    #expect(
      properties[0].unreadable?.reason
        == "valueexpressiondata: this expression can't be decoded: don't know NSNobodyKnowsExpression"
    )
    #expect(properties[1].valueExpression?.expressionFormat == "$source.x")
  }

  @Test func theTypeOfACastMayBeArchivedAsAKeyPath() throws {
    let cast = archived { writer in
      let target = writer.add(
        "NSConstantValueExpression", "NSExpression",
        fields: [
          "NSExpressionType": .integer(0), "NSConstantValue": .reference(.null),
          "NSConstantValueClassName": .reference(writer.add("_NSPredicateUtilities")),
        ])
      let one = ObjectModel.ArchivedExpression.add(constant: writer.add(integer: 1), to: writer)
      let type = ObjectModel.ArchivedExpression.add(keyPath: "NSNumber", to: writer)
      return writer.add(
        "NSFunctionExpression", "NSExpression",
        fields: [
          "NSExpressionType": .integer(4), "NSOperand": .reference(target),
          "NSSelectorName": .reference(writer.add("castObject:toType:")),
          "NSArguments": .reference(writer.add(array: [one, type])),
        ])
    }
    let mapping = try mapping(attributeMapping("z3", "n", cast), attributes: "z3")
    #expect(
      try mapping.attributeMappings?[0].valueExpression?.value(for: .null, variables: [:])
        == .integer(1))
  }
}
