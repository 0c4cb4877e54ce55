import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Which of the given mapping files run, and what is said of the others.
@Suite struct MappingChoiceTests {
  private static let entities = """
    <entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity>
    <entity name="B"><attribute name="x" optional="YES" attributeType="String"/></entity>
    """

  private func versions() throws -> ModelVersions {
    let added = "<attribute name=\"y\" optional=\"YES\" attributeType=\"String\"/></entity>"
    return try ModelVersions(
      Self.entities, Self.entities.replacing("</entity>", with: added))
  }

  @Test func twoFilesThatMapTheSameEntityAreAnError() throws {
    let versions = try versions()
    try versions.writeMapping(["A", "B"], file: "Map")
    try versions.writeMapping(["A", "B"], policy: "App.Policy", file: "Map copy")
    let errors = try versions.findings(mappings: "Mappings").filter { $0.hasPrefix("error") }
    #expect(errors.count == 1)
    #expect(errors.first?.contains("'Map' and 'Map copy' both map A to A") == true)
  }

  @Test func filesForDifferentEntitiesRunTogether() throws {
    let versions = try versions()
    try versions.writeMapping(["A"], file: "As")
    try versions.writeMapping(["B"], file: "Bs")
    let steps = try versions.check(mappings: "Mappings").steps
    #expect(steps.map(\.verdict.mappingNames) == [["As", "Bs"]])
  }

  @Test func strictFailsForWhatIsRemovedUnlessItIsAccepted() throws {
    let versions = try ModelVersions(Self.entities, "<entity name=\"A\"/>")
    #expect(try versions.check().exitStatus == .passed)
    var report = try versions.check()
    report.isStrict = true
    #expect(report.exitStatus == .failed)
    #expect(Set(report.findings.map(\.rule)) == [.removedEntity, .removedProperty])
  }
}
