import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Findings that somebody accepted.
@Suite struct SilencingTests {
  private func versions() throws -> ModelVersions {
    try ModelVersions(
      """
      <entity name="A"><attribute name="x" attributeType="Date"/>
        <attribute name="y" attributeType="Date"/></entity>
      """, #"<entity name="A"/>"#)
  }

  @Test func aSilencedFindingDoesNotCountAndKeepsItsReason() throws {
    let versions = try versions()
    try versions.folder.write(
      """
      accepted:
        - rule: removed-property
          step: App -> App 2
          entity: A
          property: x
          reason: Nobody needs it.
      """, to: SilenceFile.name)
    let report = try versions.check()
    #expect(report.findings.map(\.subject.property) == ["y"])
    #expect(report.silenced.map(\.finding.subject.property) == ["x"])
    #expect(report.silenced.map(\.reason) == ["Nobody needs it."])
  }

  @Test func whatIsLeftOutMayBeAnything() throws {
    let versions = try versions()
    try versions.folder.write(
      "accepted: [{ rule: removed-property, reason: We know. }]", to: SilenceFile.name)
    #expect(try versions.check().findings == [])
  }

  @Test func aSilencingThatSilencesNothingIsAFinding() throws {
    let versions = try versions()
    try versions.folder.write(
      """
      accepted:
        - { rule: removed-property, reason: We know. }
        - { rule: order-lost, entity: A, reason: Long gone. }
      """, to: SilenceFile.name)
    #expect(
      try versions.findings() == [
        "warning: .heavyweight-check.yaml:3: silences nothing: order-lost (A) [unused-silencing]"
      ])
  }

  /// With `--progressive` nothing is said of single steps to the current version, so what was accepted
  /// of them isn't unused.
  @Test func anEntryAboutOneStepIsNotUnusedWhereNoneIsLookedAt() throws {
    let versions = try ModelVersions(
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"String\"/></entity>",
      "<entity name=\"B\"/>",
      "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Date\"/></entity>")
    let report = try versions.check()
    let direct = report.findings.filter { $0.rule == .noDirectPath }.map(\.subject.version)
    try #require(direct == ["App"])
    try versions.folder.write(
      """
      accepted:
        - { rule: removed-entity, reason: We know. }
        - { rule: no-direct-path, version: App, reason: The app goes step by step. }
        - { rule: order-lost, reason: Long gone. }
      """, to: SilenceFile.name)
    let unused = { (isProgressive: Bool) in
      try versions.check(isProgressive: isProgressive).findings
        .filter { $0.rule == .unusedSilencing }.map(\.message)
    }
    #expect(try unused(false) == ["silences nothing: order-lost"])
    #expect(try unused(true) == ["silences nothing: order-lost"])
  }

  @Test func mistakesInTheFileAreNamedTogether() throws {
    let versions = try versions()
    try versions.folder.write(
      """
      accepted:
        - { rule: removed-propertie, reason: We know. }
        - { rule: order-lost, entiti: A }
      """, to: SilenceFile.name)
    let error = #expect(throws: Diagnostics.self) { try versions.check() }
    let messages = error?.all.map { "\($0.place?.line ?? 0): \($0.message)" }
    #expect(
      messages == [
        "2: there is no rule 'removed-propertie'; did you mean 'removed-property'?",
        "3: an accepted finding needs a 'reason'",
        "3: unknown key 'entiti' in an accepted finding; did you mean 'entity'?",
      ])
  }
}
