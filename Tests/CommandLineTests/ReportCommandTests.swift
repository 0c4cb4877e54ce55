import Foundation
import TestSupport
import Testing

/// Reports as `heavyweight run` writes them.
@Suite(.tags(.process), .tiered)
struct ReportCommandTests {
  private static let quick = ["run", "--backend", "memory", "--in-process"]

  private func folder(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Scenarios/Library.scenario.yaml")
    return folder
  }

  @Test func severalReportsAreWrittenTogether() throws {
    let folder = try folder(LibraryScenario.failing)
    let result = try Tool.run(
      script: """
        GITHUB_STEP_SUMMARY=summary.md GITHUB_WORKSPACE="$PWD" exec "$0" "$@"
        """,
      [
        try Tool.executable().path, "run", "--json", "out/r.json", "--junit", "out/r.xml", "--html",
        "out/page", "--github",
      ], in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("✗ A library grows"))
    #expect(
      result.output.contains("\n::error file=Scenarios/Library.scenario.yaml,line=8,col=20,title="))
    #expect(try folder.names(in: "out") == ["page", "r.json", "r.xml"])
    #expect(try folder.names(in: "out/page") == ["index.html"])
    let summary = try String(
      contentsOf: folder.url.appending(path: "summary.md"), encoding: .utf8)
    #expect(summary.hasPrefix("## ❌ 2 of 2 runs failed\n"))
  }

  @Test(arguments: [[], ["--in-process"]])
  func theReportForMachinesTellsOfOpeningAgain(_ options: [String]) throws {
    let folder = try folder(LibraryScenario.passing)
    let result = try Tool.run(["run", "--json", "-"] + options, in: folder)
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let runs = try #require(report["runs"] as? [[String: Any]])
    for run in runs {
      let reopening = run["reopening"] as? [String: Any]
      if run["backend"] as? String == "memory" {
        #expect(reopening == nil)
      } else {
        #expect(reopening?["unchanged"] as? Bool == true)
        #expect(reopening?["version"] as? String == "v2")
        #expect(reopening?["objects"] as? Int == 1)
      }
    }
  }

  @Test func aReportForAMachineHasStandardOutputForItself() throws {
    let result = try Tool.run(Self.quick + ["--junit", "-"], in: folder(LibraryScenario.passing))
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("<?xml"))
    #expect(!result.output.contains("✓"))
  }

  @Test func wrongScenariosAreReportedToo() throws {
    let folder = try folder(LibraryScenario.failing.replacing("title: One", with: "titel: One"))
    let result = try Tool.run(
      ["run", "--junit", "r.xml", "--html", "page", "--github"], in: folder)
    #expect(result.status == 2)
    #expect(result.output.hasPrefix("::error file=Scenarios/Library.scenario.yaml,line=5,col=18,"))
    let xml = try String(contentsOf: folder.url.appending(path: "r.xml"), encoding: .utf8)
    #expect(xml.contains("errors=\"1\"") && xml.contains("did you mean &#39;title&#39;?"))
    let page = try String(
      contentsOf: folder.url.appending(path: "page/index.html"), encoding: .utf8)
    #expect(page.contains("1 scenario can&#39;t be run"))
  }

  @Test(arguments: [
    (["--in-process", "--timeout", "5"], "leave out --jobs, --timeout and --memory"),
    (["--in-process", "--jobs", "2"], "leave out --jobs, --timeout and --memory"),
    (["--update", "--objects", "4"], "leave out --objects"),
    (["--backend", "memory", "--keep", "kept"], "--backend leaves them out"),
  ])
  func optionsThatGoNotTogetherAreRefused(_ options: [String], _ reason: String) throws {
    let result = try Tool.run(["run"] + options, in: folder(LibraryScenario.passing))
    #expect(result.status == 2)
    #expect(result.errors.contains(reason), "\(result.errors)")
  }

  @Test func aShardThatIsNoneIsAMistakeInTheCall() throws {
    let result = try Tool.run(
      script: "TEST_TOTAL_SHARDS=2 TEST_SHARD_INDEX=5 exec \"$0\" run",
      [Tool.executable().path], in: folder(LibraryScenario.passing))
    #expect(result.status == 2)
    #expect(result.errors.contains("'5' isn't a number from 0 to TEST_TOTAL_SHARDS ('2') less 1"))
  }

  /// The command to repeat it is one for a debugger, too.
  @Test func whatFailsInTheToolsOwnProcessIsRepeatedThere() throws {
    let result = try Tool.run(
      ["run", "--backend", "memory", "--in-process"], in: folder(LibraryScenario.failing))
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "again     heavyweight run Scenarios/Library.scenario.yaml --backend memory --in-process\n"),
      "\(result.output)")
  }

  @Test func reportsThatContradictEachOtherAreRefused() throws {
    let folder = try folder(LibraryScenario.passing)
    for (arguments, text) in [
      (["--json", "-", "--junit", "-"], "would both write to standard output"),
      (["--json", "-", "--github"], "--json - and --github would both write to standard output."),
      (["--json", "a", "--junit", "./a"], "--json and --junit name the same file."),
    ] {
      let result = try Tool.run(["run"] + arguments, in: folder)
      #expect(result.status == 2)
      #expect(result.errors.contains(text), "\(result.errors)")
    }
  }

  @Test func aPlaceWithoutPermissionIsRefusedBeforeAnythingRuns() throws {
    let folder = try folder(LibraryScenario.passing)
    let result = try Tool.run(["run", "--json", "Scenarios"], in: folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors.hasPrefix(
        "Error: Scenarios: this is a folder; --json takes a file, or nothing at the end of the command.\n"
      ))
    let below = "Scenarios/Library.scenario.yaml/page"
    let page = try Tool.run(["run", "--html", below], in: folder)
    #expect(page.status == 7)
    #expect(page.errors.hasPrefix("\(below): error: can't write the report: "))
  }

  @Test func aFullDiskLeavesTheOldReportAndNothingHalfWritten() throws {
    let folder = try folder(LibraryScenario.passing)
    #expect(try Tool.run(Self.quick + ["--html", "out"], in: folder).status == 0)
    let old = try Data(contentsOf: folder.url.appending(path: "out/index.html"))
    // No file may grow over a kilobyte, which the page does.
    let result = try Tool.run(
      script: "ulimit -f 1; exec \"$0\" \"$@\"",
      [try Tool.executable().path] + Self.quick + ["--html", "out", "--junit", "out/r.xml"],
      in: folder)
    #expect(result.status == 7)
    #expect(result.errors.contains("out/index.html: error: can't write the report: File too large"))
    #expect(result.output.contains("1 passed"))
    #expect(try folder.names(in: "out") == ["index.html", "r.xml"])
    #expect(try Data(contentsOf: folder.url.appending(path: "out/index.html")) == old)
  }

  /// A disk of its own, too small for the page.
  @Test func aDiskThatFillsUpIsNamedAndKeepsWhatWasThere() throws {
    let folder = try folder(LibraryScenario.passing)
    let result = try SmallDisk.run(
      of: "12k",
      """
      "$0" run --quiet --html before >/dev/null
      head -c 1000 before/index.html >disk/index.html; cp disk/index.html old
      "$0" "$@"; echo "status $?"; ls -A disk | sort; cmp disk/index.html old && echo old
      """,
      Self.quick + ["--html", "disk", "--junit", "disk/r.xml"], in: folder)
    #expect(result.output.hasSuffix("status 7\nindex.html\nr.xml\nold\n"), "\(result.output)")
    #expect(
      result.errors
        == "disk/index.html: error: can't write the report: No space left on device\n")
  }

  /// Neither a signal nor a crash of the process that plays the run.
  @Test func aFullDiskForTemporaryFilesIsNamed() throws {
    let folder = try folder(LibraryScenario.passing)
    let result = try SmallDisk.run(
      of: "8k",
      """
      export TMPDIR="$PWD/disk" XDG_CACHE_HOME="$PWD/cache"; head -c 8k /dev/zero >disk/full
      "$0" run --backend sqlite; echo "status $?"; ls -A disk
      """, [], in: folder)
    #expect(result.output.contains("found     disk full: No space left on device"))
    #expect(result.output.hasSuffix("status 8\nfull\n"), "\(result.output)")
  }

  @Test func aFailedRunCountsMoreThanAFullDisk() throws {
    let full = try Tool.run(
      Self.quick + ["--json", "/dev/full"], in: folder(LibraryScenario.failing))
    #expect(full.status == 1)
    #expect(full.errors == "/dev/full: error: can't write the report: No space left on device\n")
    let output = try Tool.run(
      script: "exec \"$0\" \"$@\" > /dev/full", [try Tool.executable().path] + Self.quick,
      in: folder(LibraryScenario.passing))
    #expect(output.status == 7)
    #expect(output.errors.hasPrefix("standard output: error: can't write the report: No space"))
  }

  @Test func progressAndColoursAreForTerminals() throws {
    let folder = try folder(LibraryScenario.passing)
    let terminal = """
      import os, pty, sys
      os.environ["TERM"] = "xterm"
      sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
      """
    let arguments = ["-c", terminal, try Tool.executable().path] + Self.quick
    let coloured = try Tool.run(
      script: "unset NO_COLOR; exec python3 \"$0\" \"$@\"", arguments, in: folder)
    if coloured.status == 127 { try Test.cancel("needs python3") }
    #expect(coloured.status == 0, "\(coloured)")
    #expect(coloured.output.contains("\u{1B}[K1/1 A library grows (memory)"))
    #expect(coloured.output.contains("\u{1B}[32m1 passed\u{1B}[0m"))
    let plain = try Tool.run(
      script: "NO_COLOR=1 exec python3 \"$0\" \"$@\"", arguments, in: folder)
    #expect(!plain.output.contains("\u{1B}[32m") && plain.output.contains("1 passed"))
    let piped = try Tool.run(Self.quick, in: folder)
    #expect(!piped.output.contains("\u{1B}") && piped.errors == "")
  }
}
