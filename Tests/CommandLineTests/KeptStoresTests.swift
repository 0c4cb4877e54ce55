import Foundation
import TestSupport
import Testing

/// Where `run --keep` leaves the stores.
@Suite(.tags(.process), .tiered)
struct KeptStoresTests {
  @Test func scenariosOfOneNameInSeveralFoldersKeepAStoreEach() throws {
    let folder = try TemporaryFolder()
    let parts = (1...8).map { "Part \($0)" }
    for part in parts {
      try folder.write(
        LibraryScenario.passing, to: "Scenarios/\(part)/Library.scenario.yaml")
    }
    let result = try Tool.run(["run", "--keep", "kept", "--jobs", "4"], in: folder)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("8 scenarios, 16 runs: 16 passed"))
    for part in parts {
      let store = "kept/Scenarios/\(part)/Library.v1.run/store.sqlite"
      #expect(result.output.contains((store as NSString).deletingLastPathComponent))
      #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: store).path))
    }
  }

  @Test func scenariosFromElsewhereAreKeptByTheirWholePaths() throws {
    let (here, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
    let file = try elsewhere.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    let result = try Tool.run(["run", file.path, "--keep", "kept"], in: here)
    #expect(result.status == 0, "\(result.output)")
    let path = elsewhere.url.standardizedFileURL.path
    #expect(
      FileManager.default.fileExists(
        atPath: here.url.appending(path: "kept/-\(path)/Library.v1.run/store.sqlite").path))
  }

  @Test func runsThatWouldShareAFolderAreRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yml")
    let result = try Tool.run(["run", ".", "--keep", "kept"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "can't keep the stores from v1 in 'Library.v1.run': those of ./Library.scenario.yaml from v1 "
          + "have the same place"), "\(result.errors)")
  }
}
