import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Mapping files that aren't there as a whole, or that lie beside the model.
@Suite struct AbsentMappingTests {
  private let versions: ModelVersions

  init() throws {
    versions = try ModelVersions(
      "<entity name='A'><attribute name='x' attributeType='String' optional='YES'/></entity>",
      "<entity name='A'><attribute name='x' attributeType='String' optional='YES'/>"
        + "<attribute name='y' attributeType='String' optional='YES'/></entity>")
  }

  /// A mapping file for the only step.
  private func write(_ name: String, more: String = "", ids: String = "z2") throws {
    try versions.folder.write(
      MappingFileText.of(
        "A", from: "App", to: "App 2", in: "App", objects: more, mappings: ids),
      to: "\(name).xcmappingmodel/xcmapping.xml")
  }

  @Test func aFileBesideTheModelIsFound() throws {
    try write("Maps/Good")
    #expect(try versions.check().steps[0].verdict.mappingNames == ["Good"])
  }

  @Test func filesInAFolderThatArePointersOrEmptyArePassedOver() throws {
    try write("Maps/Good")
    try versions.folder.write("", to: "Maps/Absent.xcmappingmodel/README")
    try versions.folder.write(
      "version https://git-lfs.github.com/spec/v1\n",
      to: "Maps/Pointer.xcmappingmodel/xcmapping.xml")
    let report = try versions.check(mappings: "Maps")
    #expect(report.steps[0].verdict.mappingNames == ["Good"])
    let notes = report.findings.filter { $0.rule == .mappingUnreadable }.map(\.message)
    #expect(notes.contains { $0.contains("Maps/Absent.xcmappingmodel") })
    #expect(
      notes.contains { $0.contains("Maps/Pointer.xcmappingmodel") && $0.contains("git lfs pull") })
  }

  @Test(arguments: ["Absent.xcmappingmodel", "Pointer.xcmappingmodel"])
  func aFileThatIsNamedMustBeThere(_ name: String) throws {
    try versions.folder.write("", to: "Absent.xcmappingmodel/README")
    try versions.folder.write(
      "version https://git-lfs.github.com/spec/v1\n", to: "Pointer.xcmappingmodel/xcmapping.xml")
    let error = #expect(throws: MappingFileError.self) { try versions.check(mappings: name) }
    #expect(error?.isAbsence == true)
  }

  @Test func anEmptyEntityMappingDoesNothing() throws {
    try write(
      "Maps/Good",
      more: """
        <object type="XDDEVENTITYMAPPING" id="z3">
        <attribute name="mappingnumber" type="int16">2</attribute>
        </object>
        """, ids: "z2 z3")
    let report = try versions.check(mappings: "Maps")
    #expect(report.steps[0].verdict.mappingNames == ["Good"])
    #expect(report.findings.contains { $0.rule == .passedOver })
  }

  @Test func aFoundFileOfAnotherModelIsNotMeant() throws {
    try write("Maps/Good")
    try versions.folder.write(
      MappingFileText.of("A", from: "B", to: "B 2", in: "B"),
      to: "Maps/Foreign.xcmappingmodel/xcmapping.xml")
    // Without that model, it may be this one under an earlier name.
    #expect(
      try versions.findings().filter { $0.contains("Foreign") } == [
        "warning: Foreign.xcmappingmodel: fits no step: it is for the model 'B', which isn't there "
          + "[mapping-fits-no-step]"
      ])
    try versions.folder.write("<model/>", to: "B.xcdatamodeld/B.xcdatamodel/contents")
    #expect(try !versions.findings().contains { $0.contains("Foreign") })
    #expect(try versions.findings(mappings: "Maps").contains { $0.contains("Foreign") })
  }

  @Test func theStepThatABrokenFileNamesIsToldToGoWithoutIt() throws {
    try write("Maps/Broken", ids: "z9")
    let found = try versions.check().findings.first { $0.rule == .mappingUnreadable }
    #expect(found?.subject.step == VersionPair("App", "App 2"))
    #expect(
      found?.message.hasSuffix(
        "passed over; App -> App 2 is taken to be lightweight without it") == true)
  }

  @Test func aMigrationFindsFilesBesideTheModelAndSaysSo() async throws {
    try write("Maps/Good")
    let plan = try await ModelRouteFinder(MigrationFiles(models: versions.url))
    #expect(plan.mappings.mappings.map(\.name) == ["Good"])
    #expect(plan.notes == ["mapping files found beside the model: Good"])
  }

  @Test(arguments: [("@objc(Named) ", "AppPolicies"), ("", nil)] as [(String, String?)])
  func aPolicyNamedWithoutItsModuleIsFoundByItsObjectiveCName(
    _ attribute: String, module: String?
  ) throws {
    let text = "import CoreData\n\(attribute)class Named: NSEntityMigrationPolicy {}"
    try versions.folder.write(text, to: "Maps/Named.swift")
    let found = try StepPolicies(
      of: ["Named"], given: [], module: nil, below: versions.folder.url)
    #expect(found.sources.map(\.lastPathComponent) == ["Named.swift"])
    #expect(found.module == module)
    #expect(found.missing.isEmpty)
  }

  @Test(.tags(.compiles), .tiered) func aPolicyThatDoesNotCompileIsMissedOnlyWhereItIsNeeded()
    async throws
  {
    func mapping(_ number: Int, _ policy: String) -> String {
      """
      <object type="XDDEVENTITYMAPPING" id="z\(number)">
      <attribute name="name" type="string">\(policy)</attribute>
      <attribute name="sourcename" type="string">A</attribute>
      <attribute name="destinationname" type="string">A</attribute>
      <attribute name="mappingnumber" type="int16">\(number)</attribute>
      <attribute name="migrationpolicyclassname" type="string">App.\(policy)</attribute>
      </object>
      """
    }
    try write(
      "Maps/Good", more: mapping(3, "Sound") + mapping(4, "Faulty") + mapping(5, "Absent"),
      ids: "z3 z4 z5")
    let begin = "import CoreData\nclass"
    try versions.folder.write("\(begin) Sound: NSEntityMigrationPolicy {}", to: "Maps/Sound.swift")
    try versions.folder.write(
      "\(begin) Faulty: NSEntityMigrationPolicy { let it = Missing() }", to: "Maps/Faulty.swift")
    let cache = versions.folder.url.appending(path: "cache")
    let plan = try await ModelRouteFinder(
      MigrationFiles(models: versions.url), compiler: PolicyCompiler(cacheDirectory: cache))
    #expect(try plan.policies.makePolicy(named: "App.Sound") != nil)
    #expect(try plan.policies.makePolicy(named: "App.Absent") == nil)
    let error = #expect(throws: PolicyCompilationError.self) {
      try plan.policies.makePolicy(named: "App.Faulty")
    }
    let told = try #require(error)
    #expect(told.description.contains("cannot find 'Missing' in scope"))
    #expect((told as NSError).domain == "HeavyweightPolicies")
  }

  @Test func aMigrationAsksForTheTargetWhereNothingSaysWhichVersionIsCurrent() async throws {
    try FileManager.default.removeItem(at: versions.url.appending(path: ".xccurrentversion"))
    await #expect(throws: Diagnostics.self) {
      try await ModelRouteFinder(MigrationFiles(models: versions.url))
    }
    let plan = try await ModelRouteFinder(MigrationFiles(models: versions.url), to: "App 2")
    #expect(plan.target.name == "App 2")
    #expect(try versions.check().current == "App 2")
  }
}
