import Foundation
import TestSupport
import Testing

/// Mapping files beside a model that can't be read: on the step that needs one nothing else may run.
@Suite(.tags(.process), .tiered)
struct FilesBesideTheModelTests {
  private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenarios/BesideTheModel")

  /// A folder with the sample's model, and a scenario whose step takes what is beside it.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Self.samples.appending(path: "Beside.xcdatamodeld"),
      to: folder.url.appending(path: "Beside.xcdatamodeld"))
    try folder.write(
      """
      scenario: Beside
      models: { xcode: Beside.xcdatamodeld, versions: [Beside, Beside 2] }
      seed: { Song: [{ name: Waltz }] }
      chain: [Beside -> Beside 2]
      expect: [{ count: { Song: 1 } }]

      """, to: "Beside.scenario.yaml")
    return folder
  }

  @Test func aBrokenFileForTheStepIsAnError() throws {
    let folder = try folder()
    let mapping = try String(
      contentsOf: Self.samples.appending(path: "Songs.xcmappingmodel/xcmapping.xml"),
      encoding: .utf8)
    try folder.write(
      mapping.replacing("</database>", with: ""), to: "Songs.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(["run", "Beside.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains("Songs.xcmappingmodel"), "\(result.errors)")
  }

  /// Xcode can't make it either, and the step may be its own.
  @Test(arguments: ["", "<xcmapping/>"])
  func aBrokenFileThatMayBeForTheStepIsAnError(_ text: String) throws {
    let folder = try folder()
    try folder.write(text, to: "Songs.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(["run", "Beside.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(result.status == 2, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains("Songs.xcmappingmodel"), "\(result.errors)")
  }

  /// Of another app, or a fixture of its tests.
  @Test(arguments: ["Fixtures/Broken.cdm", "Fixtures/Broken.xcmappingmodel/xcmapping.xml"])
  func aBrokenFileInAFolderBelowIsNoted(_ path: String) throws {
    let folder = try folder()
    try folder.write("", to: path)
    let result = try Tool.run(["run", "Beside.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test func aFileOfNoKnownStepIsNoted() throws {
    let folder = try folder()
    try folder.write(
      "version https://git-lfs.github.com/spec/v1\n", to: "Songs.xcmappingmodel/xcmapping.xml")
    let result = try Tool.run(["run", "Beside.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("note: mapping file ignored, whichever step it is for: "),
      "\(result.output)")
    #expect(result.output.contains("git lfs pull"), "\(result.output)")
  }

  /// The file fits a step on the way of the stages, and not the whole.
  @Test func aFileForAStepWithinAStageIsUnknown() throws {
    let folder = try folder()
    try FileManager.default.copyItem(
      at: Self.samples.appending(path: "Songs.xcmappingmodel"),
      to: folder.url.appending(path: "Songs.xcmappingmodel"))
    try folder.write(
      """
      scenario: Staged
      models: { xcode: Beside.xcdatamodeld, versions: [Beside, Beside 2] }
      seed: { Song: [{ name: Waltz }] }
      chain: [{ Beside -> Beside 2: { .stages: [Beside -> Beside 2] } }]
      expect: [{ count: { Song: 1 } }]

      """, to: "Staged.scenario.yaml")
    let result = try Tool.run(["run", "Staged.scenario.yaml", "--backend", "memory"], in: folder)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(
      result.output.contains(
        "the mapping model 'Songs' fits this step within a stage, and was passed over"),
      "\(result.output)")
  }
}
