import Foundation
import TestSupport
import Testing

/// `heavyweight report`: saved reports of shards, of earlier runs, of `bench` and of `check` on one page.
@Suite(.tags(.process), .tiered)
struct HistoryCommandTests {
  /// Runs the tool as CI does for a commit.
  private func run(
    _ arguments: [String], commit: String, in folder: TemporaryFolder
  ) throws -> Tool.Result {
    try Tool.run(
      script: "GITHUB_SHA=\(commit) exec \"$0\" \"$@\"",
      [try Tool.executable().path] + arguments, in: folder)
  }

  private func report(in folder: TemporaryFolder) throws -> [String: Any] {
    let result = try Tool.run(["report", "reports", "--html", "history", "--json"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    return try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
  }

  private func page(in folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url.appending(path: "history/index.html"), encoding: .utf8)
  }

  @Test func shardsOfACommitAreOneColumnAndRunsOfSeveralAHistory() throws {
    let folder = try TemporaryFolder()
    let quick = ["run", "--backend", "memory", "--in-process"]
    try folder.write(LibraryScenario.passing, to: "Scenarios/A.scenario.yaml")
    try folder.write(
      LibraryScenario.passing.replacing("A library", with: "Another library"),
      to: "Scenarios/B.scenario.yaml")
    for (commit, status) in [("aaaaaaaaaa", Int32(0)), ("bbbbbbbbbb", 1)] {
      var found: [Int32] = []
      for shard in 1...2 {
        let name = "reports/\(commit)-\(shard).json"
        found.append(
          try run(quick + ["--shard", "\(shard)/2", "--json", name], commit: commit, in: folder)
            .status)
      }
      #expect(found.max() == status)
      try folder.write(LibraryScenario.failing, to: "Scenarios/A.scenario.yaml")
    }
    let history = try report(in: folder)
    let columns = try #require(history["columns"] as? [[String: Any]])
    #expect(columns.map { $0["commit"] as? String } == ["aaaaaaaaaa", "bbbbbbbbbb"])
    #expect(columns.map { $0["name"] as? String } == ["aaaaaaaaa", "bbbbbbbbb"])
    let scenarios = try #require(history["scenarios"] as? [[String: Any]])
    #expect(
      scenarios.map { $0["path"] as? String } == [
        "Scenarios/A.scenario.yaml", "Scenarios/B.scenario.yaml",
      ])
    let entries = scenarios.map { $0["entries"] as? [[String: Any]] ?? [] }
    #expect(entries.map { $0.map { $0["column"] as? Int } } == [[0, 1], [0, 1]])
    #expect(entries.map { $0.map { $0["failed"] as? Int } } == [[0, 1], [0, 0]])
    #expect(entries[0][1]["problem"] as? String == "expectation: count of Book: 1")
    let page = try page(in: folder)
    for text in [
      "1 of 2 scenarios fails", "<strong class=\"no\">1 of 1 failed</strong>",
      "expectation: count of Book: 1", "Another library grows", "<code>bbbbbbbbb</code>",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  /// What passed once says nothing of a commit whose runs left it out.
  @Test func aScenarioThatIsNoLongerPlayedIsNotGreen() throws {
    let folder = try TemporaryFolder()
    let quick = ["run", "--backend", "memory", "--in-process"]
    let other = LibraryScenario.passing.replacing("A library", with: "Another library")
    try folder.write(LibraryScenario.passing, to: "Scenarios/A.scenario.yaml")
    try folder.write(other, to: "Scenarios/B.scenario.yaml")
    try folder.write(other, to: "Scenarios/C.scenario.yaml")
    func play(_ commit: String) throws {
      let result = try run(
        quick + ["--json", "reports/\(commit).json"], commit: commit, in: folder)
      #expect(result.status == 0, "\(result.errors)")
    }
    try play("aaaaaaaaaa")
    try FileManager.default.removeItem(at: folder.url.appending(path: "Scenarios/B.scenario.yaml"))
    try folder.write(
      "skip: waits for the server\n" + other, to: "Scenarios/C.scenario.yaml")
    try play("bbbbbbbbbb")
    // Measurements of a later commit say nothing about scenarios.
    let bench = try run(
      [
        "bench", "Scenarios/A.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
        "--json", "reports/bench.json",
      ], commit: "cccccccccc", in: folder)
    #expect(bench.status == 0, "\(bench.errors)")

    let history = try report(in: folder)
    #expect(history["newestRuns"] as? Int == 1)
    let scenarios = try #require(history["scenarios"] as? [[String: Any]])
    #expect(scenarios.map { $0["state"] as? String } == ["passed", "notPlayed", "notPlayed"])
    #expect(scenarios.map { $0["skipped"] as? String } == [nil, nil, "waits for the server"])
    let page = try page(in: folder)
    for text in [
      "<body class=\"bad\">", "!</span> 2 of 3 scenarios are no longer played",
      "<strong class=\"gone\">no longer played</strong><br><small>last in <code>aaaaaaaaa</code>, where it passed",
      "skipped: waits for the server",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    let told = try Tool.run(["report", "reports", "--html", "history"], in: folder)
    #expect(
      told.output.hasPrefix(
        "no longer played, last in aaaaaaaaa: Scenarios/B.scenario.yaml\n"), "\(told.output)")
  }

  /// Of two scenarios in a file one can't hide the other's failure.
  @Test func scenariosOfOneFileHaveARowEach() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      LibraryScenario.failing + "\n---\n"
        + LibraryScenario.passing.replacing("A library", with: "Another library"),
      to: "Scenarios/Two.scenario.yaml")
    let result = try run(
      ["run", "--backend", "memory", "--in-process", "--json", "reports/run.json"],
      commit: "aaaaaaaaaa", in: folder)
    #expect(result.status == 1)
    let scenarios = try #require(try report(in: folder)["scenarios"] as? [[String: Any]])
    #expect(
      scenarios.map { $0["path"] as? String } == [
        "Scenarios/Two.scenario.yaml#1", "Scenarios/Two.scenario.yaml#2",
      ])
    #expect(scenarios.map { $0["state"] as? String } == ["failed", "passed"])
    #expect(try page(in: folder).contains("1 of 2 scenarios fails"))
  }

  @Test func timesAndMemoryAreToldByCommit() throws {
    let folder = try TemporaryFolder()
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    let bench = [
      "bench", "Library.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
    ]
    for commit in ["aaaaaaaaaa", "bbbbbbbbbb"] {
      let result = try run(
        bench + ["--json", "reports/\(commit).json"], commit: commit, in: folder)
      #expect(result.status == 0, "\(result.errors)")
    }
    let history = try report(in: folder)
    let measured = try #require(history["measurements"] as? [[String: Any]])
    #expect(measured.map { $0["objects"] as? Int } == [10])
    let entries = try #require(measured.first?["entries"] as? [[String: Any]])
    #expect(entries.map { $0["column"] as? Int } == [0, 1])
    for entry in entries {
      #expect(try #require(entry["medianSeconds"] as? Double) > 0)
      #expect(try #require(entry["peakBytes"] as? Int) > 1_000_000)
    }
    let page = try page(in: folder)
    for text in ["Time and memory", "10 objects, sqlite", " MB</small>"] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func theChainIsDrawnWithWhatCheckFound() throws {
    let folder = try TemporaryFolder()
    func model(_ attribute: String) -> String {
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book" syncable="YES">
          <attribute name="title" optional="YES" attributeType="String"/>\(attribute)
        </entity>
      </model>
      """
    }
    let pages = "<attribute name=\"pages\" optional=\"YES\" attributeType=\"TYPE\"/>"
    for (name, type) in [("App", "Integer 16"), ("App 2", "Date"), ("App 3", "")] {
      try folder.write(
        model(type.isEmpty ? "" : pages.replacing("TYPE", with: type)),
        to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 3.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    let check = try Tool.run(
      ["check", "App.xcdatamodeld", "--json", "reports/check.json"], in: folder)
    #expect(check.status == 1)
    let history = try report(in: folder)
    let checks = try #require(history["checks"] as? [[String: Any]])
    #expect(checks.map { $0["model"] as? String } == ["App.xcdatamodeld"])
    #expect(checks.map { $0["hops"] as? Int } == [2])
    let errors = try #require(checks.first?["errors"] as? Int)
    #expect(errors > 0)
    let page = try page(in: folder)
    for text in [
      "The steps between the versions. App to App 2: impossible (134140); App 2 to App 3: lightweight.",
      "✗</span> No runs, \(errors) error", "<g class=\"step broken\">", "<text class=\"note\"",
      "App 3 (current)", "Findings of check",
      "App -&gt; App 2: Book.pages <code>hop-impossible</code>",
    ] {
      #expect(page.contains(text), "\(text)")
    }
  }

  @Test func whatIsNoReportIsToldAndNoReportAtAllIsAnError() throws {
    let folder = try TemporaryFolder()
    try folder.write("{\"name\": \"package\"}", to: "reports/package.json")
    let nothing = try Tool.run(["report", "reports", "--html", "history"], in: folder)
    #expect(nothing.status == 3)
    #expect(nothing.errors.contains("there is no report in reports"))
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    _ = try Tool.run(
      ["run", "Library.scenario.yaml", "--backend", "memory", "--json", "reports/run.json"],
      in: folder)
    let result = try Tool.run(["report", "reports", "--html", "history"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.hasSuffix(
        """
        /reports/package.json
        1 report (1 of run) of 1 commit: history/index.html

        """))
    #expect(result.output.hasPrefix("skipped, since it isn't a report: /"))
  }
}
