import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What a store that CloudKit mirrors can't have.
@Suite struct CloudKitRulesTests {
  private static func model(
    attribute: String = #"optional="YES" attributeType="String""#,
    relationship: String = #"optional="YES""#,
    rule: String = "Nullify", inverse: String = #"inverseName="a""#, more: String = "",
    after: String = ""
  ) -> String {
    """
    <entity name="A"><attribute name="x" \(attribute)/><relationship name="bs" \(relationship) toMany="YES"
      deletionRule="\(rule)" destinationEntity="B" \(inverse)/>\(more)</entity>
    <entity name="B"><relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A"
      \(inverse.isEmpty ? "" : #"inverseName="bs""#)/></entity>
    <entity name="C"/>
    <configuration name="Cloud"><memberEntity name="A"/><memberEntity name="B"/></configuration>
    <configuration name="Local"><memberEntity name="C"/></configuration>\(after)
    """
  }

  private func findings(_ versions: ModelVersions, _ arguments: [String]) throws -> [String] {
    try CheckCommand.parse([versions.url.path] + arguments).report(on: [versions.url.path]).findings
      .filter { $0.rule.rawValue.hasPrefix("cloudkit-") }
      .map { $0.line(TextStyle(isColoured: false)) }
  }

  @Test(arguments: [
    (
      model(attribute: #"attributeType="String""#),
      "error: App: A.x: is required and has no default value: CloudKit may bring objects without it (134060) "
        + "[cloudkit-required]"
    ),
    (
      model(relationship: ""),
      "error: App: A.bs: is required: CloudKit may bring the object before what it leads to (134060) [cloudkit-required]"
    ),
    (
      model(rule: "Deny"),
      "error: App: A.bs: has the delete rule Deny, which CloudKit doesn't keep (134060) [cloudkit-deny]"
    ),
    (
      model(relationship: #"optional="YES" ordered="YES""#),
      "error: App: A.bs: is ordered, which CloudKit doesn't keep (134060) [cloudkit-ordered]"
    ),
    (
      model(attribute: #"optional="YES""#),
      "error: App: A.x: has no type that CloudKit takes (134060) [cloudkit-type]"
    ),
    (
      model(
        more:
          #"<uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>"#
      ),
      "error: App: A.x: a uniqueness constraint names it: CloudKit has none (134060) [cloudkit-constraint]"
    ),
  ])
  func eachRuleIsKept(elements: String, finding: String) throws {
    let versions = try ModelVersions(elements)
    #expect(try findings(versions, ["--cloudkit"]) == [finding])
    #expect(try findings(versions, ["--cloudkit", "Cloud"]) == [finding])
    #expect(try findings(versions, ["--cloudkit", "Local"]) == [])
    #expect(try findings(versions, []) == [])
  }

  @Test func inversesAreAskedFor() throws {
    let versions = try ModelVersions(Self.model(inverse: ""))
    #expect(
      try findings(versions, ["--cloudkit"])
        == ["A.bs", "B.a"].map {
          "error: App: \($0): has no inverse, which CloudKit asks for (134060) [cloudkit-inverse]"
        })
  }

  @Test func aModelThatCloudKitTakesHasNoFindings() throws {
    #expect(try findings(ModelVersions(Self.model()), ["--cloudkit"]) == [])
    let defaulted = Self.model(attribute: #"attributeType="String" defaultValueString="""#)
    #expect(try findings(ModelVersions(defaulted), ["--cloudkit"]) == [])
    let whole = Self.model(attribute: #"attributeType="Integer 16" defaultValueString="0""#)
    #expect(try findings(ModelVersions(whole), ["--cloudkit"]) == [])
  }

  /// Versions that no app opens any more don't count.
  @Test func onlyTheCurrentVersionIsLookedAt() throws {
    let versions = try ModelVersions(Self.model(rule: "Deny"), Self.model())
    #expect(try findings(versions, ["--cloudkit"]) == [])
  }

  /// What Xcode's check box writes, of all entities or of a configuration's.
  @Test func theModelFileMarksWhatIsMirrored() throws {
    let marked =
      #"<configuration name="More" usedWithCloudKit="YES"><memberEntity name="A"/><memberEntity name="B"/></configuration>"#
    #expect(try findings(ModelVersions(Self.model(rule: "Deny", after: marked)), []).count == 1)
    let other = marked.replacing(
      #"<memberEntity name="A"/><memberEntity name="B"/>"#, with: #"<memberEntity name="C"/>"#)
    #expect(try findings(ModelVersions(Self.model(rule: "Deny", after: other)), []) == [])
    let unmarked = marked.replacing("YES", with: "NO")
    #expect(try findings(ModelVersions(Self.model(rule: "Deny", after: unmarked)), []) == [])
    let versions = try ModelVersions("")
    try versions.folder.write(
      #"<model usedWithCloudKit="true">\#(Self.model(rule: "Deny"))</model>"#,
      to: "App.xcdatamodeld/App.xcdatamodel/contents")
    #expect(try findings(versions, []).count == 1)
  }

  /// Each model's mark is of its own entities.
  @Test func modelsThatAreMergedKeepTheirMarks() throws {
    let folder = try TemporaryFolder()
    let entity = #"<entity name="N"><attribute name="x" attributeType="String"/></entity>"#
    for (name, mark) in [("Cloud", #" usedWithCloudKit="YES""#), ("Local", "")] {
      try folder.write(
        "<model\(mark)>\(entity.replacing("\"N\"", with: "\"\(name)\""))</model>",
        to: "\(name).xcdatamodeld/\(name).xcdatamodel/contents")
    }
    let report = try CheckCommand.parse([folder.url.path]).report(on: [folder.url.path])
    #expect(
      report.findings.filter { $0.rule.rawValue.hasPrefix("cloudkit-") }
        .map { $0.line(TextStyle(isColoured: false)) } == [
          "error: Cloud + Local: Cloud.x: is required and has no default value: CloudKit may bring objects without it "
            + "(134060) [cloudkit-required]"
        ])
  }

  /// Apple's page: entities in a configuration must not have relationships to those in another.
  @Test func relationshipsStayInTheConfiguration() throws {
    let parted = Self.model().replacing(
      #"<configuration name="Cloud"><memberEntity name="A"/><memberEntity name="B"/></configuration>"#,
      with: #"<configuration name="Cloud"><memberEntity name="A"/></configuration>"#)
    let versions = try ModelVersions(parted)
    #expect(
      try findings(versions, ["--cloudkit", "Cloud"]) == [
        "error: App: A.bs: leads to B, which isn't in the configuration that CloudKit mirrors (134060) "
          + "[cloudkit-configuration]"
      ])
    #expect(try findings(versions, ["--cloudkit"]) == [])
  }

  /// Objects of an entity in the configuration have what its superentity has, wherever that is.
  @Test func whatIsInheritedCounts() throws {
    let versions = try ModelVersions(
      """
      <entity name="Base" isAbstract="YES"><attribute name="x" attributeType="String"/></entity>
      <entity name="A" parentEntity="Base"/><entity name="B" parentEntity="Base"/>
      <configuration name="Cloud"><memberEntity name="A"/><memberEntity name="B"/></configuration>
      """)
    #expect(
      try findings(versions, ["--cloudkit", "Cloud"]) == [
        "error: App: Base.x: is required and has no default value: CloudKit may bring objects without it (134060) "
          + "[cloudkit-required]"
      ])
  }

  @Test func aConfigurationThatIsNotThereIsAMistake() throws {
    let versions = try ModelVersions(Self.model())
    #expect {
      _ = try findings(versions, ["--cloudkit", "Clout"])
    } throws: { error in
      "\(error)" == "--cloudkit: error: App has no configuration 'Clout'; did you mean 'Cloud'?"
    }
  }

  @Test func namesOfMethodsAreNoNamesOfProperties() throws {
    let versions = try ModelVersions(
      #"<entity name="A"><attribute name="description" optional="YES" attributeType="String"/></entity>"#
    )
    #expect(
      try versions.findings() == [
        "warning: App: A.description: is named like a method of every managed object: Xcode may refuse to compile the "
          + "model [reserved-name]"
      ])
  }
}
