import Foundation
import TestSupport
import Testing

/// No report takes the place of a file that is none.
@Suite(.tags(.process), .tiered)
struct OverwrittenFilesTests {
  /// A folder with a scenario, a store that it made, and a copy of that store that somebody needs.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    let made = try Tool.run(
      ["run", "Library.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try #require(made.status == 0, "\(made)")
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let store = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    for copy in ["old.sqlite", "victim.sqlite"] {
      try FileManager.default.copyItem(
        at: folder.url.appending(path: store), to: folder.url.appending(path: copy))
    }
    return folder
  }

  private func data(_ path: String, in folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: folder.url.appending(path: path))
  }

  private static let scenario = "Library.scenario.yaml"
  private static let junit = "JUnit report of this tool"
  private static let bench = [
    "bench", scenario, "--objects", "40", "--samples", "1", "--warmup", "0",
  ]
  private static let migrate = [
    "migrate", "old.sqlite", "--scenario", scenario, "-o", "out/new.sqlite",
  ]

  @Test(arguments: [
    (["run", scenario, "--junit", "victim.sqlite"], junit, "--junit"),
    (["inspect", "old.sqlite", "--junit", "victim.sqlite"], junit, "--junit"),
    (["diff", "old.sqlite", "old.sqlite", "--junit", "victim.sqlite"], junit, "--junit"),
    (bench + ["--save", "victim.sqlite"], "report of this tool in JSON", "--save"),
    (bench + ["--markdown", "victim.sqlite"], "table of this tool in Markdown", "--markdown"),
    (bench + ["--csv", "victim.sqlite"], "table of this tool in CSV", "--csv"),
  ])
  func aFileThatIsNoReportStays(
    _ arguments: [String], _ form: String, _ option: String
  ) throws {
    let folder = try folder()
    let (before, names) = (try data("victim.sqlite", in: folder), try folder.names())
    let result = try Tool.run(arguments, in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors
        == "victim.sqlite: error: this file is there and holds no \(form), so \(option) doesn't overwrite it; name another file\n"
    )
    #expect(try data("victim.sqlite", in: folder) == before)
    #expect(try folder.names() == names)
  }

  @Test func aPageOfSomebodyElseStays() throws {
    let folder = try folder()
    try folder.write("<!doctype html>\n<html><body>Mine</body></html>\n", to: "site/index.html")
    let before = try data("site/index.html", in: folder)
    for arguments in [["run", Self.scenario], ["inspect", "old.sqlite"], Self.bench] {
      let result = try Tool.run(arguments + ["--html", "site"], in: folder)
      #expect(result.status == 2)
      #expect(
        result.errors
          == "site/index.html: error: this file is there and holds no page of this tool, so --html doesn't overwrite it; name another file\n"
      )
      #expect(try data("site/index.html", in: folder) == before)
    }
  }

  @Test func aLinkToAStoreIsNoWayAround() throws {
    let folder = try folder()
    let before = try data("victim.sqlite", in: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "link.xml").path, withDestinationPath: "victim.sqlite")
    let result = try Tool.run(["inspect", "old.sqlite", "--junit", "link.xml"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "link.xml: error: this file is there and holds no JUnit report of this tool, so --junit doesn't overwrite it; name another file\n"
    )
    #expect(try data("victim.sqlite", in: folder) == before)
  }

  /// Each kind of report by the same command again, and over an empty file.
  @Test func anEarlierReportAndAnEmptyFileAreReplaced() throws {
    let folder = try folder()
    try folder.write("", to: "r.xml")
    let forms = ["--json", "r.json", "--junit", "r.xml", "--html", "page"]
    for _ in 1...2 {
      for command in [["run", Self.scenario], ["inspect", "old.sqlite"]] {
        let result = try Tool.run(command + forms, in: folder)
        #expect(result.status == 0, "\(result)")
      }
      let tables = ["--save", "s.json", "--markdown", "b.md", "--csv", "b.csv", "--html", "page"]
      let result = try Tool.run(Self.bench + tables, in: folder)
      #expect(result.status == 0, "\(result)")
      let shard = ["run", Self.scenario, "--shard", "1/1", "--json", "shard.json"]
      #expect(try Tool.run(shard, in: folder).status == 0)
      let joined = try Tool.run(["report", "shard.json"] + forms, in: folder)
      #expect(joined.status == 0, "\(joined)")
    }
  }

  @Test(arguments: ["--json", "--junit"], ["", "-wal"])
  func aReportDoesNotReplaceTheResultOfAMigration(_ option: String, _ end: String) throws {
    let folder = try folder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "out"), withIntermediateDirectories: true)
    // The same folder by another name.
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appending(path: "link").path, withDestinationPath: "out")
    let report = "link/new.sqlite\(end)"
    let result = try Tool.run(Self.migrate + [option, report], in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors
        == "\(report): error: --output and \(option) name the same file, which the report would overwrite; name another file for it\n"
    )
    #expect(try folder.names(in: "out") == [])
  }

  @Test func twoReportsDoNotShareAFile() throws {
    let folder = try folder()
    let result = try Tool.run(
      ["inspect", "old.sqlite", "--json", "r", "--junit", "./r"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "./r: error: --json and --junit name the same file, which the report would overwrite; name another file for it\n"
    )
  }

  @Test func aReportDoesNotReplaceWhatTheCommandReads() throws {
    let folder = try folder()
    let before = try data("old.sqlite", in: folder)
    let result = try Tool.run(Self.migrate + ["--junit", "old.sqlite"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors
        == "old.sqlite: error: the store and --junit name the same file, which the report would overwrite; name another file for it\n"
    )
    #expect(try data("old.sqlite", in: folder) == before)
  }
}
