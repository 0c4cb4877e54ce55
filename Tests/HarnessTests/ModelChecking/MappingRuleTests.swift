import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import ObjectModel
@testable import PolicyCompiler
@testable import Predicates
@testable import Scenarios
@testable import Terminal

/// What is odd about mapping models.
@Suite struct MappingRuleTests {
  private static let old = #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#
  private static let new = """
    <entity name="A"><attribute name="x" attributeType="Date"/><attribute name="y" optional="YES"
      attributeType="String"/></entity>
    """
  private static let other = #"<entity name="B"/>"#

  /// Two versions and a mapping model, as Xcode writes it, from the first to the second.
  private func versions(
    _ old: String = old + other, _ new: String = new + other, mapping entities: [String],
    policy: String = "", file: String = "Map"
  ) throws -> ModelVersions {
    let versions = try ModelVersions(old, new)
    try versions.writeMapping(entities, policy: policy, file: file)
    return versions
  }

  @Test func aMappingThatDoesNothingElseCouldBeInferred() throws {
    let versions = try versions(mapping: ["A", "B"])
    #expect(try versions.check(mappings: "Mappings").steps.map(\.verdict.name) == ["mapped"])
    #expect(
      try versions.findings(mappings: "Mappings") == [
        "note: Map.xcmappingmodel: App -> App 2: this mapping model does nothing that an inferred "
          + "one wouldn't [mapping-inferable]"
      ])
    #expect(
      try self.versions(mapping: ["A", "B"], policy: "App.Policy").findings(mappings: "Mappings")
        == [])
  }

  @Test func anEntityThatNoMappingTakesIsNamed() throws {
    #expect(
      try versions(mapping: ["A"]).findings(mappings: "Mappings") == [
        "warning: App -> App 2: B: is in no entity mapping of this step: its objects are lost without "
          + "an error [mapping-leaves-out-entity]"
      ])
  }

  @Test func aMappingWhoseEntitiesAreGoneIsOutdated() throws {
    let versions = try versions(Self.other, Self.other, mapping: ["A"])
    let findings = try versions.findings(mappings: "Mappings")
    #expect(
      findings.first
        == "error: Map.xcmappingmodel: App -> App 2: no longer fits: entity mapping 'AToA': "
        + "the source model has no entity 'A' [mapping-outdated]")
  }

  @Test func aMappingForAnotherModelFitsNoStep() throws {
    let versions = try versions(mapping: ["A", "B"])
    try versions.writeMapping(["A"], file: "Foreign", model: "Kit")
    #expect(
      try versions.findings(mappings: "Mappings").first
        == "warning: Foreign.xcmappingmodel: fits no step: it is for the model 'Kit', which isn't there "
        + "[mapping-fits-no-step]")
  }

  @Test func severalMappingsForOneStepAreNamed() throws {
    let versions = try versions(mapping: ["A"])
    try versions.writeMapping(["B"], file: "Map 2")
    #expect(
      try versions.check(mappings: "Mappings").steps[0].verdict.mappingNames == ["Map", "Map 2"])
    #expect(
      try versions.findings(mappings: "Mappings").contains(
        "error: App -> App 2: Map, Map 2 fit: by itself, Core Data uses only one of them "
          + "[several-mappings]"))
  }

  @Test func filesForOneStepThatDoTheSameAreNoContradiction() throws {
    let versions = try versions(mapping: ["A", "B"])
    try versions.writeMapping(["A", "B"], file: "Map 2")
    #expect(try versions.check(mappings: "Mappings").steps[0].verdict.mappingNames == ["Map"])
    #expect(
      try versions.findings(mappings: "Mappings").contains(
        "note: Map 2.xcmappingmodel: App -> App 2: does the same as Map: whichever Core Data takes, the result is "
          + "the same [mapping-twice]"))
    // With another entity mapping the results differ.
    try versions.writeMapping(["A"], file: "Map 2")
    #expect(
      try versions.check(mappings: "Mappings").steps[0].verdict.error?.code
        == .migrationMissingMappingModel)
  }

  /// Of a step in one go Core Data takes one mapping model.
  @Test func aDirectWayTakesOneOfSeveral() throws {
    let versions = try versions(mapping: ["A"], policy: "App.Policy")
    try versions.writeMapping(["B"], file: "Map 2")
    let report = try versions.check(mappings: "Mappings")
    #expect(report.steps[0].verdict.mappingNames == ["Map", "Map 2"])
    #expect(report.direct[0].verdict.mappingNames == ["Map"])
  }

  @Test func aFileElsewhereInTheRepositoryIsFoundAndNamed() throws {
    let versions = try ModelVersions(Self.old + Self.other, Self.new + Self.other)
    let root = try TemporaryFolder()
    try root.write("", to: ".git/HEAD")
    for (folder, file) in [("Maps", "Map"), ("Pods/Kit", "Vendored")] {
      try root.write(
        MappingFileText.of("A", from: "App", to: "App 2", in: "App"),
        to: "\(folder)/\(file).xcmappingmodel/xcmapping.xml")
    }
    try FileManager.default.createDirectory(
      at: root.url.appending(path: "Sources"), withIntermediateDirectories: true)
    let model = root.url.appending(path: "Sources/App.xcdatamodeld")
    try FileManager.default.moveItem(at: versions.url, to: model)
    func report() throws -> ModelCheckReport {
      try CheckCommand.parse([model.path]).report(on: [model.path])
    }
    let found = try report()
    #expect(found.steps[0].verdict.mappingNames == ["Map"])
    #expect(
      found.findings.filter { $0.rule == .mappingElsewhere }.map(\.subject.file) == [
        "Map.xcmappingmodel"
      ])
    // One beside the model is meant instead.
    try root.write(
      MappingFileText.of("A", from: "App", to: "App 2", in: "App"),
      to: "Sources/Own.xcmappingmodel/xcmapping.xml")
    #expect(try report().steps[0].verdict.mappingNames == ["Own"])
    #expect(try !report().findings.contains { $0.rule == .mappingElsewhere })
  }

  @Test(arguments: [
    ("0", "its value is the constant 0, which isn't a Date: the first object"),
    ("$source.gone", "it asks for the key 'gone', which no source A has: the first object"),
    (
      "$source.text",
      "$source.text gives an NSString, which isn't a Date: the first object that has one"
    ),
    (
      "$source.many.text",
      "$source.many.text gives an NSSet, which isn't a Date: the first object that has one"
    ),
    (
      "$source.other",
      "$source.other gives an object, which isn't a Date: the first object that has one"
    ),
    ("$source.x", ""), ("CAST($source.text, 'NSDate')", ""),
    (
      "$source.other.text.length",
      "$source.other.text.length gives an NSNumber, which isn't a Date: the first object that has one"
    ),
  ])
  func valuesThatNoAttributeTakesAreNamed(expression: String, problem: String) throws {
    let writer = KeyedArchiveWriter()
    let root = try #require(PredicateArchiver().add(expression: expression, to: writer))
    let source = """
      <entity name="A"><attribute name="x" attributeType="Date"/>
        <attribute name="text" optional="YES" attributeType="String"/>
        <relationship name="other" optional="YES" maxCount="1" deletionRule="Nullify"
          destinationEntity="A" inverseName="many" inverseEntity="A"/>
        <relationship name="many" optional="YES" toMany="YES" deletionRule="Nullify"
          destinationEntity="A" inverseName="other" inverseEntity="A"/></entity>
      """
    let versions = try ModelVersions(source, Self.new)
    try versions.folder.write(
      MappingFileText.of(
        "A", from: "App", to: "App 2", in: "App",
        fields: "<relationship name='attributemappings' idrefs='z3'></relationship>",
        objects: """
          <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">x</attribute>
          <attribute name="valueexpressiondata">\(writer.data(root: root).base64EncodedString())</attribute></object>
          """), to: "Map.xcmappingmodel/xcmapping.xml")
    let findings = try versions.check().findings.filter { $0.rule == .mappingValueImpossible }
    #expect(findings.map(\.subject.property) == (problem.isEmpty ? [] : ["x"]))
    #expect(findings.map(\.message) == (problem.isEmpty ? [] : [problem + " ends the migration"]))
  }

  @Test(arguments: ["AToA", "AToAPolicy", "AToAMigrationPolicy"])
  func aPolicyThatXcodeLostIsNamed(name: String) throws {
    let versions = try versions(mapping: ["A", "B"])
    try versions.folder.write(
      "final class \(name): NSEntityMigrationPolicy {}", to: "Sources/P.swift")
    try versions.folder.write(
      "final class Other: NSEntityMigrationPolicy {}", to: "Sources/Other.swift")
    #expect(
      try versions.findings(mappings: "Mappings").contains(
        "warning: Map.xcmappingmodel: App -> App 2: AToA has no policy, and no mapping model names \(name) of "
          + "P.swift [policy-dropped]"))
    try versions.writeMapping(["A", "B"], policy: "App.\(name)", file: "Map")
    #expect(
      try !versions.check(mappings: "Mappings").findings.contains { $0.rule == .policyDropped })
  }

  @Test func aMappingThatFitsElsewhereTooIsNamed() throws {
    let versions = try ModelVersions(
      Self.old + Self.other, Self.new + Self.other, Self.new + Self.other + #"<entity name="C"/>"#)
    try versions.writeMapping(["A", "B"], policy: "App.Policy", file: "Map")
    #expect(try versions.check(mappings: "Mappings").direct[0].verdict.mappingNames == ["Map"])
    #expect(
      try versions.findings(mappings: "Mappings") == [
        "warning: Map.xcmappingmodel: App -> App 2: fits App -> App 3 as well: Core Data would use "
          + "it there [mapping-fits-several]"
      ])
  }

  @Test func mappingsThatOneStepSkipsAreNamed() throws {
    let versions = try ModelVersions(
      Self.old, Self.new,
      Self.new.replacing("attributeType=\"Date\"", with: "optional='YES' attributeType='Date'"))
    try versions.writeMapping(["A"], policy: "App.Policy", file: "Map")
    #expect(
      try versions.findings(mappings: "Mappings") == [
        "warning: App: the way to App 3 in one step is inferred: Map doesn't run "
          + "[direct-skips-mapping]"
      ])
  }
}

extension ModelVersions {
  /// Writes a mapping model that copies entities from version `App` to `App 2`, or makes new ones.
  func writeMapping(
    _ entities: [String], policy: String = "", file: String, model: String = "App",
    adding added: Set<String> = []
  ) throws {
    let mappings = entities.enumerated().map { index, name in
      """
      <object type="XDDEVENTITYMAPPING" id="e\(index)">
        \(added.contains(name) ? "" : "<attribute name=\"sourcename\">\(name)</attribute>")
        <attribute name="destinationname" type="string">\(name)</attribute>
        <attribute name="mappingnumber" type="int16">\(index + 1)</attribute>
        <attribute name="migrationpolicyclassname" type="string">\(policy)</attribute>
        <relationship name="attributemappings" type="0/0" destination="XDDEVATTRIBUTEMAPPING"
          idrefs="\(name == "A" ? "x" : "")"/>
      </object>
      """
    }
    let ids = entities.indices.map { "e\($0)" }.joined(separator: " ")
    try folder.write(
      """
      <database>
        \(MappingFileText.model(model, from: "App", to: "App 2", mappings: ids))
        <object type="XDDEVATTRIBUTEMAPPING" id="x">
          <attribute name="name" type="string">x</attribute>
        </object>
        \(mappings.joined(separator: "\n"))
      </database>
      """, to: "Mappings/\(file).xcmappingmodel/xcmapping.xml")
  }
}
