import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Damaged models and mapping models: named with file and place, and nothing is written.
@Suite(.tags(.random), .tiered) struct DamagedModelTests {
  private static let entities = """
    <entity name="A"><attribute name="x" attributeType="Date"/><relationship name="b"
      maxCount="1" optional="YES" deletionRule="Nullify" destinationEntity="B" inverseName="a"/></entity>
    <entity name="B"><relationship name="a" maxCount="1" optional="YES" deletionRule="Nullify"
      destinationEntity="A" inverseName="b"/></entity>
    """

  @Test(
    "Each kind of damage in a model file is named",
    arguments: [
      (
        "<entity name='A'><relationship name='b' destinationEntity='C'/></entity>",
        "relationship 'A.b' leads to the entity 'C'"
      ),
      (
        "<entity name='A'><relationship name='b' destinationEntity='A' inverseName='c'/></entity>",
        "names the inverse 'c', but 'A' has no such relationship"
      ),
      ("<entity name='A' parentEntity='B'/>", "entity 'A' has the parent 'B'"),
      (
        "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>",
        "its own ancestor"
      ),
      ("<entity name='A'/><entity name='A'/>", "two entities are named 'A'"),
      (
        "<entity name='A'><attribute name='x' attributeType='Date'/>"
          + "<attribute name='x' attributeType='Date'/></entity>",
        "two properties named 'x'"
      ),
      ("<entity name='A'><attribute name='x' attributeType='Text'/></entity>", "'Text' can't be"),
      (
        "<entity name='A'><relationship name='b' destinationEntity='A' minCount='x'/></entity>",
        "'x' can't be the minCount"
      ),
      (
        "<entity name='A'><attribute name='x' attributeType='Date' "
          + "defaultDateTimeInterval='soon'/></entity>",
        "'soon' can't be the defaultDateTimeInterval"
      ),
      ("<entity name='A'>", "not well-formed XML"),
      ("&undefined;", "not well-formed XML"),
    ])
  func damageIsNamed(elements: String, message: String) throws {
    let versions = try ModelVersions("", elements)
    let error = #expect(throws: ModelFileError.self) { try versions.check() }
    #expect(error?.file.hasSuffix("App 2.xcdatamodel/contents") == true)
    #expect(error?.line == 1)
    #expect(error?.column != nil)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func entitiesThatExpandWithoutEndAreRefused() throws {
    let folder = try TemporaryFolder()
    let definitions = (1...9).map { level in
      "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
    }
    try folder.write(
      """
      <!DOCTYPE model [<!ENTITY e0 "lol">\(definitions.joined())]>
      <model userDefinedModelVersionIdentifier="&e9;"><entity name="A"/></model>
      """, to: "App.xcdatamodel/contents")
    #expect(throws: ModelFileError.self) {
      try VersionedModel.load(contentsOf: folder.url.appending(path: "App.xcdatamodel"))
    }
  }

  /// Whatever bit is wrong: a model or an error, and no crash.
  @Test(arguments: UInt64(1)...8)
  func aDamagedCompiledModelIsReadOrRefused(seed: UInt64) throws {
    let versions = try ModelVersions(Self.entities)
    let model = try #require(try VersionedModel.load(contentsOf: versions.url).currentVersion)
    let whole = ModelArchive.encodeCompiledModel(model)
    var random = RandomSource(seed: seed)
    for _ in 0..<60 {
      let path = try versions.folder.write(
        damaged(whole, &random), to: "App.mom")
      do { _ = try VersionedModel.load(contentsOf: path) } catch is ModelFileError {
      } catch {
        Issue.record("seed \(seed): an error without a file: \(error)")
      }
    }
  }

  @Test(arguments: UInt64(1)...8)
  func aDamagedCompiledMappingModelIsReadOrRefused(seed: UInt64) throws {
    let whole = CompiledMappings.copying(["A", "B"])
    let folder = try TemporaryFolder()
    var random = RandomSource(seed: seed)
    for _ in 0..<60 {
      let path = try folder.write(damaged(whole, &random), to: "Map.cdm")
      do { _ = try MappingFile.load(contentsOf: path) } catch is MappingFileError {
      } catch {
        Issue.record("seed \(seed): an error without a file: \(error)")
      }
    }
  }

  /// Some bits flipped, or the end cut off.
  private func damaged(_ data: Data, _ random: inout RandomSource) -> Data {
    var bytes = Array(data)
    if Int.random(in: 0..<4, using: &random) == 0 {
      return Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
    }
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    return Data(bytes)
  }

  @Test func otherThingsThanMappingModelsAreNamed() throws {
    let folder = try TemporaryFolder()
    func problem(_ path: String) -> String? {
      let error = #expect(throws: MappingFileError.self) {
        try MappingFile.load(contentsOf: folder.url.appending(path: path))
      }
      return error?.description.replacing(folder.url.path + "/", with: "")
    }
    try folder.write("text", to: "Text.cdm")
    try folder.write(
      NSKeyedArchiver.archivedData(withRootObject: ["a"] as NSArray, requiringSecureCoding: false),
      to: "Array.cdm")
    #expect(
      problem("Text.cdm")
        == "Text.cdm: error: not a compiled mapping model: not a binary property list: it doesn't "
        + "begin with 'bplist00'")
    #expect(
      problem("Array.cdm")
        == "Array.cdm: error: the archive holds no object, not a mapping model")
    #expect(problem("None.cdm") == "None.cdm: error: there is no such file or folder")
  }

  @Test func aCompiledMappingModelFitsByItsHashes() throws {
    let versions = try ModelVersions(
      Self.entities, Self.entities + #"<entity name="C"/>"#)
    let model = try VersionedModel.load(contentsOf: versions.url)
    try versions.folder.write(
      CompiledMappings.copying(["A", "B"], from: model.versions[0], to: model.versions[1]),
      to: "Mappings/Map.cdm")
    #expect(
      try versions.check(mappings: "Mappings").steps.map(\.verdict.mappingNames) == [["Map"]])

    let changed = try ModelVersions(
      Self.entities.replacing("Date", with: "String"), Self.entities + #"<entity name="C"/>"#)
    let other = try VersionedModel.load(contentsOf: changed.url)
    try versions.folder.write(
      CompiledMappings.copying(["A", "B"], from: other.versions[0], to: other.versions[1]),
      to: "Mappings/Map.cdm")
    #expect(
      try versions.findings(mappings: "Mappings").first
        == "warning: Map.cdm: fits no step; nearest is App -> App 2, where AToA: source entity 'A' "
        + "was changed [mapping-fits-no-step]")
  }
}

/// Mapping models in the form in which Xcode compiles them.
enum CompiledMappings {
  /// A mapping model that copies all objects of entities, and the attribute `x` of `A`.
  static func copying(
    _ entities: [String], from source: ManagedObjectModel? = nil,
    to destination: ManagedObjectModel? = nil
  ) -> Data {
    let writer = KeyedArchiveWriter()
    let mappings = entities.map { name -> KeyedArchiveWriter.Reference in
      let value = keyPath("x", of: "source", in: writer)
      let attribute = writer.add(
        "NSPropertyMapping",
        fields: [
          "NSDestinationPropertyName": .reference(writer.add("x")),
          "NSValueExpression": .reference(value), "NSPropertyTransforms": .reference(.null),
          "NSUserInfo": .reference(.null),
        ])
      func hash(_ model: ManagedObjectModel?) -> KeyedArchiveWriter.Reference {
        (model?.entity(named: name)?.versionHash).map { writer.add(data: $0) } ?? .null
      }
      return writer.add(
        "NSEntityMapping",
        fields: [
          "NSMappingName": .reference(writer.add("\(name)To\(name)")),
          "NSMappingType": .integer(4),
          "NSSourceEntityName": .reference(writer.add(name)),
          "NSSourceEntityVersionHash": .reference(hash(source)),
          "NSDestinationEntityName": .reference(writer.add(name)),
          "NSDestinationEntityVersionHash": .reference(hash(destination)),
          "NSAttributeMappings": .reference(writer.add(array: name == "A" ? [attribute] : [])),
          "NSRelationshipMappings": .reference(writer.add(array: [])),
        ])
    }
    return writer.data(
      root: writer.add(
        "NSMappingModel", fields: ["NSEntityMappings": .reference(writer.add(array: mappings))]))
  }

  /// `$variable.key`, as archives have it.
  private static func keyPath(
    _ key: String, of variable: String, in writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    let operand = writer.add(
      "NSVariableExpression", "NSExpression",
      fields: ["NSExpressionType": .integer(2), "NSVariable": .reference(writer.add(variable))])
    let path = writer.add(
      "NSKeyPathSpecifierExpression", "NSExpression",
      fields: ["NSExpressionType": .integer(10), "NSKeyPath": .reference(writer.add(key))])
    return writer.add(
      "NSKeyPathExpression", "NSFunctionExpression", "NSExpression",
      fields: [
        "NSExpressionType": .integer(4), "NSOperand": .reference(operand),
        "NSSelectorName": .reference(writer.add("valueForKeyPath:")),
        "NSArguments": .reference(writer.add(array: [path], mutable: true)),
      ])
  }
}
