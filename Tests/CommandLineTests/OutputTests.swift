import Foundation
import TestSupport
import Testing

/// What commands do when nobody can read what they print.
@Suite(.tags(.process), .tiered)
struct OutputTests {
  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book" representedClassName="Book" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
      </entity>
    </model>

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    try folder.write(Self.model, to: "Library.xcdatamodel/contents")
    return folder
  }

  private func run(
    _ redirection: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> (status: Int32, errors: String) {
    let result = try Tool.run(
      script: "exec \"$0\" \"$@\" \(redirection)", [try Tool.executable().path] + arguments,
      in: folder)
    return (result.status, result.errors)
  }

  @Test(arguments: [
    ["explain", "1570"], ["check", "Library.xcdatamodel"], ["lock", "Library.xcdatamodel"],
    ["init", "Library.xcdatamodel", "First"], ["predicate", "a == 1"],
    ["run", "Library.scenario.yaml"],
  ])
  func aFullDiskBehindTheReportIsAnErrorAndNoCrash(_ arguments: [String]) throws {
    let result = try run("> /dev/full", arguments, in: folder())
    #expect(result.status == 7)
    #expect(
      result.errors.contains(
        "standard output: error: can't write the report: No space left on device\n"))
  }

  @Test func storesAreInspectedMigratedAndComparedOnAFullDisk() throws {
    let folder = try folder()
    let stores = try run("", ["run", "Library.scenario.yaml", "--keep", "kept"], in: folder)
    #expect(stores.status == 0, "\(stores.errors)")
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let store = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    for arguments in [
      ["inspect", store], ["diff", store, store],
      ["migrate", store, "--scenario", "Library.scenario.yaml", "-o", "new.sqlite"],
    ] {
      let result = try run("> /dev/full", arguments, in: folder)
      #expect(result.status == 7, "\(arguments[0]): \(result.errors)")
    }
    #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "new.sqlite").path))
  }

  @Test(arguments: [
    ["inspect", "missing.sqlite"], ["explain", "missing-modul"], ["run", "missing"],
  ])
  func complaintsThatNobodyCanReadDoNotCrash(_ arguments: [String]) throws {
    #expect(try run("2>&-", arguments, in: folder()).status == 2)
    #expect(try run("2>/dev/full", arguments, in: folder()).status == 2)
  }
}
