import Foundation
import TestSupport
import Testing

/// `heavyweight bench` as a whole: real samples, their files, and how it ends.
@Suite(.tags(.process), .tiered)
struct BenchCommandTests {
  private static let scenario = """
    scenario: A library grows
    models:
      v1:
        Book: { title: string, shelf: Shelf? <-> books }
        Shelf: { name: string, books: "[Book] <-> shelf" }
      v2:
        Book: { title: string, shelf: Shelf? <-> books, pages: int16 = 7 }
        Shelf: { name: string, books: "[Book] <-> shelf" }
    seed:
      Shelf: { .count: 4, name: { sequence: "Shelf {n}" } }
      Book: { .count: 36, title: { words: 1...3 }, shelf: { link: skewed, nil: 5% } }
    chain:
      - v1 -> v2: { .manager: { usesStoreSpecificMigrationManager: false } }
    expect: [everySourceMigrated: [Book, Shelf]]

    """

  private func folder(_ text: String = scenario) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Library.scenario.yaml")
    return folder
  }

  private static let quick = [
    "bench", "Library.scenario.yaml", "--objects", "40,1e2", "--samples", "2", "--warmup", "0",
  ]

  private func json(_ name: String, in folder: TemporaryFolder) throws -> [String: Any] {
    let data = try Data(contentsOf: folder.url.appending(path: name))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// The samples of a result file, the first size of the first scenario.
  private func samples(
    _ name: String, _ key: String = "scenarios", in folder: TemporaryFolder, result: Int = 0
  ) throws -> [[String: Any]] {
    let results = try #require(try json(name, in: folder)[key] as? [[String: Any]])
    let sizes = results[result]["sizes"] as? [[String: Any]]
    return try #require(sizes?.first?["samples"] as? [[String: Any]])
  }

  @Test func bothBackendsAreMeasured() throws {
    let folder = try folder()
    let result = try Tool.run(
      Self.quick + ["--backend", "memory,sqlite", "--json", "all.json", "--html", "page"],
      in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("A library grows  Library.scenario.yaml, in memory\n"))
    #expect(result.output.contains("A library grows  Library.scenario.yaml, SQLite\n"))
    let page = try String(
      contentsOf: folder.url.appending(path: "page/index.html"), encoding: .utf8)
    #expect(page.contains("<title>Measured · Heavyweight bench</title>"))
    let (memory, file) = (
      try samples("all.json", in: folder), try samples("all.json", in: folder, result: 1)
    )
    for sample in memory {
      #expect(sample["diskBytes"] as? Int == 0)
      #expect(sample["resultBytes"] as? Int == 0)
    }
    for sample in file {
      let bytes = try #require(sample["resultBytes"] as? Int)
      #expect(bytes > 10_000)
      #expect(try #require(sample["diskBytes"] as? Int) >= bytes)
      let steps = try #require(sample["hops"] as? [[String: Any]])
      let passes = try #require(steps[0]["passes"] as? [String: [String: Any]])
      let names = [
        "read", "instance creation", "relationship creation", "validation", "save", "sync",
      ]
      #expect(passes.keys.sorted() == names.sorted())
      #expect(try #require(passes["sync"]?["diskBytes"] as? Int) >= bytes)
      #expect(try #require(passes["instance creation"]?["peakBytes"] as? Int) > 1_000_000)
      #expect(steps[0]["objects"] as? Int == 40)
    }
  }

  /// Exact counters are of no use unless a build gives the same ones each time.
  @Test func oneBuildCountsTheSameTwice() throws {
    let folder = try folder()
    for name in ["a.json", "b.json"] {
      #expect(try Tool.run(Self.quick + ["--save", name], in: folder).status == 0)
    }
    let counts = try ["a.json", "b.json"].flatMap { name in
      try samples(name, in: folder).map { try #require($0["counters"] as? [String: Int]) }
    }
    #expect(counts.count == 4 && Set(counts).count == 1)
    #expect(counts[0]["objects"] == 40)
    #expect(try #require(counts[0]["rowsWritten"]) >= 40)
    #expect(try #require(counts[0]["pagesWritten"]) > 5)
    #expect(try #require(counts[0]["statements"]) > 40)
  }

  @Test func countersGateOnAnyMachineAndTimesDont() throws {
    let folder = try folder()
    #expect(try Tool.run(Self.quick + ["--save", "a.json"], in: folder).status == 0)
    let url = folder.url.appending(path: "a.json")
    let machine = try #require(try json("a.json", in: folder)["machine"] as? String)
    var text = try String(contentsOf: url, encoding: .utf8)
    text = text.replacing(machine, with: "1 × abacus, 0 GB")
    try Data(text.utf8).write(to: url)
    let same = try Tool.run(Self.quick + ["--baseline", "a.json"], in: folder)
    #expect(same.status == 0)
    #expect(same.errors.hasPrefix("a.json was measured on another machine (1 × abacus, 0 GB"))
    #expect(same.output.contains("  times not compared\n"))
    let refused = try Tool.run(
      Self.quick + ["--baseline", "a.json", "--max-ratio", "2"], in: folder)
    #expect(refused.status == 2)
    #expect(refused.errors.hasSuffix("leave out --max-ratio to compare counters\n"))
    let fewer = text.replacing(#/"statements" : \d+/#, with: "\"statements\" : 5")
    try Data(fewer.utf8).write(to: url)
    let more = try Tool.run(Self.quick + ["--baseline", "a.json"], in: folder)
    #expect(more.status == 1)
    #expect(more.output.contains("  ✗ 40 objects: SQL statements run: "))
  }

  @Test func anotherBuildIsMeasuredByTurns() throws {
    let folder = try folder()
    let tool = try Tool.executable().path
    let result = try Tool.run(
      Self.quick + ["--baseline-tool", tool, "--json", "all.json"], in: folder)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains(#/(inconclusive|same) ×\d/#))
    #expect(try samples("all.json", "baseline", in: folder).count == 2)
    let missing = try Tool.run(Self.quick + ["--baseline-tool", "nothing"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.hasPrefix("nothing: no program that can be run;"))
    let other = try Tool.run(Self.quick + ["--baseline-tool", "/bin/true"], in: folder)
    #expect(other.status == 2)
    #expect(other.errors.contains("/bin/true printed nothing: is it a build of heavyweight?"))
  }

  /// Before, the step ran inside SQLite; now a migration manager runs it, which takes more statements.
  @Test func anotherCheckoutIsMeasuredByTurns() throws {
    let folder = try folder()
    let before = Self.scenario.replacing(
      "{ .manager: { usesStoreSpecificMigrationManager: false } }", with: "{}"
    )
    .replacing("v1 -> v2: {}", with: "v1 -> v2")
    try folder.write(before, to: "before/Library.scenario.yaml")
    let result = try Tool.run(
      Self.quick + ["--baseline-folder", "before", "--json", "all.json"], in: folder)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("  ✗ 40 objects: SQL statements run: "))
    #expect(try samples("all.json", "baseline", in: folder).count == 2)
    let same = try Tool.run(Self.quick + ["--baseline-folder", "."], in: folder)
    #expect(same.status == 0, "\(same.output)\(same.errors)")
  }

  /// The app's files as they were are those of the commit, whatever lies in the folder now.
  @Test func aCommitIsMeasuredByTurns() throws {
    let folder = try folder()
    let before = Self.scenario.replacing(
      "{ .manager: { usesStoreSpecificMigrationManager: false } }", with: "{}"
    )
    .replacing("v1 -> v2: {}", with: "v1 -> v2")
    try folder.write(before, to: "Library.scenario.yaml")
    let commit = try Tool.run(
      script:
        "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git tag old",
      [], in: folder)
    #expect(commit.status == 0, "\(commit)")
    try folder.write(Self.scenario, to: "Library.scenario.yaml")
    try folder.write(Self.scenario, to: "New.scenario.yaml")
    let result = try Tool.run(
      Self.quick + ["--against", "old", "--json", "all.json"], in: folder)
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("  ✗ 40 objects: SQL statements run: "))
    #expect(try samples("all.json", "baseline", in: folder).count == 2)
    let missing = try Tool.run(
      ["bench", "New.scenario.yaml", "--objects", "40", "--against", "old"], in: folder)
    #expect(missing.status == 2)
    #expect(missing.errors.hasPrefix("New.scenario.yaml isn't in old: nothing to compare it with"))
    #expect(try Tool.run(Self.quick + ["--against", "nothing"], in: folder).status == 2)
  }

  @Test(arguments: [
    (
      "nothing", "nothing: no folder; --baseline-folder takes another checkout, as of this folder\n"
    ),
    (
      "empty",
      "Library.scenario.yaml isn't in empty: nothing to compare it with; measure the scenarios that are in "
        + "both\n"
    ),
  ])
  func aCheckoutWithoutTheScenarioIsRefused(_ name: String, _ message: String) throws {
    let folder = try folder()
    try folder.write("", to: "empty/README")
    let result = try Tool.run(Self.quick + ["--baseline-folder", name], in: folder)
    #expect(result.status == 2)
    #expect(result.errors == message)
    let absolute = folder.url.appending(path: "Library.scenario.yaml").path
    let elsewhere = try Tool.run(
      ["bench", absolute, "--objects", "40", "--baseline-folder", "empty"], in: folder)
    #expect(elsewhere.status == 2)
    #expect(
      elsewhere.errors.hasSuffix(
        ": --baseline-folder empty needs scenarios by paths below this folder\n"))
  }

  @Test func gatesEndWith1() throws {
    let result = try Tool.run(Self.quick + ["--max-memory", "1"], in: folder())
    #expect(result.status == 1)
    #expect(result.output.contains(#/✗ 100 objects take \d+ MB of memory, more than 1 MB/#))
  }

  @Test func whatHooksDoCanBeLimited() throws {
    let folder = try folder()
    let gate = ["--gate", "inserts-per-object=0.5", "--gate", "fetches-per-object=0"]
    let result = try Tool.run(Self.quick + gate + ["--json", "all.json"], in: folder)
    #expect(result.status == 1)
    let worst =
      "✗ 100 objects: v1 -> v2 has 1.00 inserts per object, more than 0.5; most of them in "
    #expect(result.output.contains(worst), "\(result.output)")
    #expect(!result.output.contains("fetches per object"))
    let hops = try #require(try samples("all.json", in: folder)[0]["hops"] as? [[String: Any]])
    let hooks = try #require(hops[0]["hooks"] as? [[String: Any]])
    #expect(hooks.map { $0["hook"] as? String }.contains("createDestinationInstances"))
    let wrong = try Tool.run(Self.quick + ["--gate", "songs-per-object=1"], in: folder)
    #expect(wrong.status == 2)
  }

  @Test func gatesThatNothingWasMeasuredForEndWith5() throws {
    let folder = try folder(
      Self.scenario.replacing(
        ": { .manager: { usesStoreSpecificMigrationManager: false } }", with: ""))
    let old = ["--objects", "50", "--samples", "1", "--save", "old.json"]
    _ = try Tool.run(["bench", "Library.scenario.yaml"] + old, in: folder)
    let gates = ["--gate", "fetches-per-object=0", "--baseline", "old.json"]
    let result = try Tool.run(Self.quick + gates, in: folder)
    #expect(result.status == 5)
    #expect(
      result.errors == """
        not checked: --gate: no hook ran
        not checked: nothing that was measured is in the baseline

        """)
    let memory = try Tool.run(
      Self.quick + ["--backend", "memory", "--max-disk", "1"], in: folder)
    #expect(memory.status == 5)
    #expect(memory.errors == "not checked: --max-disk: stores in memory take nothing on disk\n")
  }

  @Test func roomOnDiskCanBeLimited() throws {
    let folder = try folder()
    let result = try Tool.run(
      Self.quick + ["--max-disk", "0.01", "--markdown", "bench.md", "--csv", "bench.csv"],
      in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains(#/✗ 100 objects take \d+ KB on disk, more than 10 KB/#))
    let page = try String(contentsOf: folder.url.appending(path: "bench.md"), encoding: .utf8)
    #expect(page.hasPrefix("### A library grows\n") && page.contains("- ✗ 100 objects take"))
    let lines = try String(contentsOf: folder.url.appending(path: "bench.csv"), encoding: .utf8)
      .split(separator: "\r\n")
    #expect(lines.count == 3)
    #expect(lines[2].hasPrefix("A library grows,Library.scenario.yaml,sqlite,100,2,"))
    #expect(try Tool.run(Self.quick + ["--max-disk", "500"], in: folder).status == 0)
  }

  @Test func aFailingMigrationIsToldAsRunTellsIt() throws {
    let text = Self.scenario.replacing("pages: int16 = 7", with: "pages: int16")
    let folder = try folder(text)
    let result = try Tool.run(Self.quick, in: folder)
    #expect(result.status == 2)
    let run = try Tool.run(
      ["run", "Library.scenario.yaml", "--backend", "sqlite", "--objects", "40"], in: folder)
    let told = run.output.split(separator: "\n")
    #expect(told.contains { $0.contains("error: the chain") })
    for line in told.dropLast() where !line.contains(" ms") && !line.contains("made from") {
      #expect(result.errors.contains(line), "\(line) in:\n\(result.errors)")
    }
    #expect(!result.errors.contains("{"))
  }

  @Test func uniqueIdentifiersAndAddressesAreScaled() throws {
    let byRule = """
      scenario: Unique
      models:
        v1: { A: { key: uuid, place: uri, .unique: [key, place] } }
        v2: { A: { key: uuid, place: uri, n: int64 = 1, .unique: [key, place] } }
      seed: { A: { .count: 4, key: { uniform: null }, place: { sequence: "https://a.example/{n}" } } }
      chain: [v1 -> v2]
      expect: [everySourceMigrated: [A]]

      """
    let byHand = byRule.replacing(
      #/seed: .*/#,
      with:
        "seed: { A: [{ key: E621E1F8-C36C-495A-93FC-0C247A3E6E5F, place: 'https://a.example' }] }")
    for text in [byRule, byHand] {
      let result = try Tool.run(Self.quick, in: folder(text))
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test func aFolderWithoutScenariosIsNamed() throws {
    let result = try Tool.run(["bench", "."], in: TemporaryFolder())
    #expect(result.status == 3)
    #expect(result.errors.contains("nothing to measure: there is no *.scenario.yaml in .\n"))
  }

  @Test func onlyJSONGoesToStandardOutput() throws {
    for option in ["--markdown", "--csv", "--save", "--junit"] {
      let folder = try folder()
      let result = try Tool.run(Self.quick + [option, "-"], in: folder)
      #expect(result.status == 2)
      #expect(result.errors.hasPrefix("Error: \(option) takes a file"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: folder.url.appending(path: "-").path))
    }
  }

  @Test func scenariosThatExpectErrorsAreLeftOut() throws {
    let text = Self.scenario.replacing(
      "expect: [", with: "expect: [fails: { step: v1 -> v2, code: 1560 }, ")
    let result = try Tool.run(Self.quick, in: folder(text))
    #expect(result.status == 3)
    #expect(result.errors == "Library.scenario.yaml isn't measured: it expects an error\n")
  }

  @Test func ofAFolderWhatCanBeMeasuredIs() throws {
    let folder = try TemporaryFolder()
    let empty = Self.scenario.replacing(#/seed:\n(  .*\n)+/#, with: "")
    try folder.write(empty, to: "Scenarios/Empty.scenario.yaml")
    try folder.write(Self.scenario, to: "Scenarios/Library.scenario.yaml")
    try folder.write(
      Self.scenario + "skip: too slow\n", to: "Scenarios/Skipped.scenario.yaml")
    let arguments = ["bench", "--objects", "40", "--samples", "1", "--warmup", "0"]
    let result = try Tool.run(arguments, in: folder)
    #expect(result.status == 0)
    #expect(
      result.errors == """
        Scenarios/Empty.scenario.yaml isn't measured: it has no rows or no step
        Scenarios/Skipped.scenario.yaml isn't measured: it is skipped: too slow

        """)
    #expect(result.output.contains("A library grows  Scenarios/Library.scenario.yaml, SQLite\n"))
    try folder.write(
      Self.scenario.replacing("pages: int16 = 7", with: "pages: int16"),
      to: "Scenarios/Failing.scenario.yaml")
    let failing = try Tool.run(arguments, in: folder)
    #expect(failing.status == 2)
    #expect(failing.errors.contains("Scenarios/Failing.scenario.yaml: the migration fails:\n"))
    #expect(failing.output.contains("A library grows  Scenarios/Library.scenario.yaml, SQLite\n"))
    let one = try Tool.run(arguments + ["Scenarios/Empty.scenario.yaml"], in: folder)
    #expect(one.status == 2)
    #expect(one.errors.contains("nothing to measure: it has no rows or no step; give it a seed"))
  }

  @Test(arguments: [
    (["--objects", "1k,ten"], "--objects takes sizes from 1 to 100M"),
    (["--backend", "mysql"], "--backend takes sqlite, memory, or both"),
    (
      ["--baseline", "a", "--baseline-tool", "b"],
      "Give either --baseline or --baseline-tool and --baseline-folder."
    ),
    (
      ["--max-ratio", "2"],
      "--max-ratio needs a --baseline, --baseline-tool, --baseline-folder or --against"
    ),
    (["--objects", "5", "--max-exponent", "1"], "--max-exponent needs two sizes"),
    (["--samples", "0"], "--samples takes 1 to 1000"),
  ])
  func wrongArgumentsEndWith2(arguments: [String], message: String) throws {
    let result = try Tool.run(["bench", "Library.scenario.yaml"] + arguments, in: folder())
    #expect(result.status == 2)
    #expect(result.errors.hasPrefix("Error: \(message)"), "\(result.errors)")
  }

  @Test(arguments: [
    (
      ["--timeout", "1ms"],
      "Library.scenario.yaml: a migration took longer than 1.0 ms, and was ended; "
        + "give it more with --timeout, or measure fewer --objects\n"
    ),
    (
      ["--memory", "1M"],
      "Library.scenario.yaml: a migration took more memory than 1.0 MB, and was ended; "
        + "give it more with --memory, or measure fewer --objects\n"
    ),
  ])
  func aMigrationThatTakesMoreThanItMayIsEnded(limit: [String], message: String) throws {
    let result = try Tool.run(
      ["bench", "Library.scenario.yaml", "--objects", "40", "--samples", "1", "--warmup", "0"]
        + limit, in: folder())
    #expect(result.status == 2)
    #expect(result.errors == message)
  }

  @Test func placesForReportsAreLookedAtFirst() throws {
    let folder = try folder()
    let result = try Tool.run(Self.quick + ["--save", "."], in: folder)
    #expect(result.status == 7)
    #expect(result.output == "")
    #expect(result.errors == ".: error: can't write the report: this is a folder\n")
  }
}
