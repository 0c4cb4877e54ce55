import Foundation
import TestSupport
import Testing

/// Which scenarios a call runs, in what order it tells of them, and when it ends.
@Suite(.tags(.process), .tiered)
struct RunOptionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, title: String, expecting count: Int = 1, rows: Int = 0) throws
  {
    let more = rows > 0 ? "  Song: { .count: \(rows), title: { sequence: 's{n}' } }\n" : ""
    try folder.write(
      """
      scenario: \(title)
      tags: [songs]
      models:
        v1: { Tag: { name: string }, Song: { title: string } }
        v2: { Tag: { name: string, note: string? }, Song: { title: string } }
      seed:
        Tag: [{ name: food }]
      \(more)chain: [v1 -> v2]
      expect:
        - count: { Tag: \(count) }

      """, to: "\(name).scenario.yaml")
  }

  private func run(_ arguments: String...) throws -> Tool.Result {
    try Tool.run(["run", "."] + arguments, in: folder)
  }

  @Test func aMistakeInOneFileKeepsNoOtherFromRunningIfAsked() throws {
    try write("a", title: "A good one")
    try folder.write("scenario: x\nmodels: {}\nexpct: []\n", to: "b.scenario.yaml")
    let usual = try run()
    #expect(usual.status == 2)
    #expect(usual.output == "")
    let going = try run("--keep-going")
    #expect(going.status == 2)
    #expect(going.output.contains("✓ A good one  ./a.scenario.yaml"))
    #expect(going.output.contains("✗ ./b.scenario.yaml can't be run"))
    #expect(going.output.contains("1 scenario, 2 runs: 2 passed, 1 not runnable, in"))
    #expect(going.errors.contains("b.scenario.yaml:3:1: error: unknown key 'expct'"))
  }

  @Test func noScenarioBeginsAfterAFailureIfAsked() throws {
    try write("a", title: "First")
    try write("b", title: "Second", expecting: 2)
    try write("c", title: "Third")
    try write("d", title: "Fourth", expecting: 2)
    let result = try run("--fail-fast", "--jobs", "1")
    #expect(result.status == 1)
    #expect(result.output.contains("✓ First"))
    #expect(result.output.contains("✗ Second"))
    #expect(!result.output.contains("Third"))
    #expect(result.output.contains("2 scenarios, 4 runs: 2 passed, 2 failed, in"))
    #expect(
      result.output.hasSuffix(
        """
        left out 2: by --fail-fast

        failed:
          ✗ Second
              heavyweight run ./b.scenario.yaml

        """), "\(result.output)")
  }

  /// What failed is known to later calls in the folder until it passes, also where they play something else meanwhile.
  @Test func whatFailedLastIsRunAgain() throws {
    try write("a", title: "First")
    try write("b", title: "Second", expecting: 2)
    try write("c", title: "Third", expecting: 2)
    #expect(try run("--last-failed").status == 4)
    let red = try run("--json", "red.json")
    #expect(
      red.output.hasSuffix(
        """
        failed:
          ✗ Second
              heavyweight run ./b.scenario.yaml
          ✗ Third
              heavyweight run ./c.scenario.yaml
        all that failed, again: heavyweight run --last-failed

        """), "\(red.output)")
    try write("b", title: "Second")
    let again = try run("--last-failed")
    #expect(again.status == 1)
    #expect(again.output.contains("✓ Second") && again.output.contains("✗ Third"))
    #expect(
      again.output.contains("left out 1: by --last-failed\n") && !again.output.contains("First"))
    #expect(try run("--filter", "first").status == 0)
    // Where it was isn't asked again.
    #expect(try Tool.run(["run", "--last-failed"], in: folder).output.contains("✗ Third"))
    let last = try run("--last-failed")
    #expect(last.output.contains("1 scenario, 2 runs: 0 passed, 2 failed"), "\(last)")
    // Nor where its file has another name.
    try write("d", title: "Third", expecting: 2)
    try FileManager.default.removeItem(at: folder.url.appending(path: "c.scenario.yaml"))
    let renamed = try run("--last-failed")
    #expect(renamed.output.contains("1 scenario, 2 runs: 0 passed, 2 failed"), "\(renamed)")
    #expect(renamed.errors.contains("c.scenario.yaml is gone: what failed in it is looked for"))
    try write("d", title: "Third")
    #expect(try run("--last-failed").status == 0)
    let none = try run("--last-failed")
    #expect(none.status == 4)
    #expect(none.errors.contains("left out 3: by --last-failed"), "\(none.errors)")
    // A report knows it, too, on another machine.
    let reported = try run("--last-failed", "--earlier", "red.json")
    #expect(reported.output.contains("2 scenarios, 4 runs: 4 passed"), "\(reported)")
  }

  @Test func whatFailedIsRunAgainWhereItStandsNow() throws {
    func text(_ titles: [String], v1: String = "v1") -> String {
      let scenarios = titles.map {
        "---\nscenario: \($0)\nchain: [\(v1) -> v2]\nexpect: [count: { Tag: \($0 == "Bad" ? 2 : 1) }]\n"
      }
      return "models: { \(v1): { Tag: {} }, v2: { Tag: { n: int16? } } }\nseed: { Tag: [{}] }\n"
        + scenarios.joined()
    }
    try folder.write(text(["Good", "Bad"]), to: "a.scenario.yaml")
    #expect(try run().status == 1)
    try folder.write(text(["New", "Good", "Bad"]), to: "a.scenario.yaml")
    #expect(try run("--last-failed").output.contains("✗ Bad   ./a.scenario.yaml#3\n"))
    try folder.write(text(["Good", "Bad"], v1: "v0"), to: "a.scenario.yaml")
    #expect(try run("--last-failed").output.contains("✗ Bad  ./a.scenario.yaml#2\n"))
    try folder.write(text(["Good", "Mended"], v1: "v0"), to: "a.scenario.yaml")
    #expect(try run("--last-failed").output.contains("✓ Mended  ./a.scenario.yaml#2\n"))
    #expect(try run("--last-failed").status == 4)
  }

  @Test func whatIsNoEarlierReportIsRefused() throws {
    try write("a", title: "First")
    try folder.write("{}", to: "other.json")
    let other = try run("--last-failed", "--earlier", "other.json")
    #expect(other.status == 2)
    #expect(other.errors.hasPrefix("other.json: error: no report of 'run --json': "), "\(other)")
    #expect(try run("--last-failed", "--earlier", "nothing.json").status == 2)
    for (options, reason) in [
      (["--earlier", "other.json"], "--earlier is for --shard and --last-failed."),
      (["--last-failed", "--no-cache"], "--no-cache keeps nothing of the last calls"),
      (["--repeat", "0"], "--repeat must be at least 1."),
      (["--repeat", "2", "--list"], "leave out --list, --update and --watch."),
    ] {
      let result = try Tool.run(["run", "."] + options, in: folder)
      #expect(result.status == 2 && result.errors.contains(reason), "\(result)")
    }
  }

  /// A failure now and then ends the repetitions, and is told.
  @Test func runsAreRepeatedUntilOneFails() throws {
    try write("a", title: "First")
    let green = try run("--repeat", "3")
    #expect(green.status == 0)
    #expect(green.errors == "played 3 of 3 times: the last is told\n")
    #expect(green.output.matches(of: #/✓ First/#).count == 1)
    #expect(green.output.contains("1 scenario, 2 runs: 2 passed"))
    try write("b", title: "Second", expecting: 2)
    let red = try run("--repeat", "3")
    #expect(red.status == 1)
    #expect(red.errors == "played 1 of 3 times: the last is told\n")
    #expect(red.output.contains("✗ Second"))
  }

  /// 210 runs that pass, and one that doesn't.
  @Test func manyRunsAreToldInAPage() throws {
    for index in 1...105 { try write("s\(index)", title: "Number \(index)") }
    let green = try run()
    #expect(green.status == 0)
    #expect(green.output.split(separator: "\n").count <= 3, "\(green.output)")
    #expect(green.output.contains("105 scenarios, 210 runs: 210 passed"))
    try write("s50", title: "Number 50", expecting: 2)
    let red = try run()
    #expect(red.output.hasPrefix("✗ Number 50 "))
    #expect(red.output.split(separator: "\n").count < 30, "\(red.output)")
    #expect(try run("--verbose", "--backend", "memory").output.contains("✓ Number 7 "))
  }

  @Test func onlyFailuresAreToldQuietly() throws {
    try write("a", title: "First")
    try write("b", title: "Second", expecting: 2)
    let result = try run("--quiet")
    #expect(result.status == 1)
    #expect(!result.output.contains("First"))
    #expect(result.output.contains("✗ Second"))
    #expect(result.output.contains("2 scenarios, 4 runs: 2 passed, 2 failed, in"))
  }

  @Test func scenariosAreListed() throws {
    try write("a", title: "First")
    try write("longer", title: "Second")
    let list = try run("--list")
    #expect(list.status == 0)
    #expect(list.output == "./a.scenario.yaml       First\n./longer.scenario.yaml  Second\n")
    let both = try run("--list", "--json", "list.json")
    #expect(both.output == list.output)
    let none = try run("--list", "--filter", "nowhere")
    #expect(none.status == 4)
    #expect(none.errors.hasPrefix("nothing to list: the options leave none of "), "\(none)")
    let json = try run("--list", "--json", "-", "--filter", "/^second$/", "--backend", "memory")
    #expect(
      json.output == """
        [
          {
            "address" : "./longer.scenario.yaml",
            "backends" : [
              "memory"
            ],
            "covers" : [

            ],
            "path" : "./longer.scenario.yaml",
            "starts" : [
              "v1"
            ],
            "tags" : [
              "songs"
            ],
            "title" : "Second"
          }
        ]

        """)
  }

  @Test func anOptionThatNothingMeetsIsNamedBesideOthers() throws {
    try write("a", title: "First")
    let result = try run("--start", "v1", "--start", "v9", "--tag", "songs", "--tag", "sonsg")
    #expect(result.status == 0)
    #expect(result.errors == "no scenario matches --tag sonsg\nno scenario matches --start v9\n")
  }

  @Test func aFolderWithoutScenariosIsNamedBesideOthers() throws {
    try write("a", title: "First")
    try folder.write("", to: "New/notes.txt")
    let result = try Tool.run(["run", "a.scenario.yaml", "New"], in: folder)
    #expect(result.status == 0)
    #expect(result.errors == "there is no *.scenario.yaml in New\n")
  }

  @Test func filtersMayBeRegularExpressions() throws {
    try write("a", title: "First")
    try write("b", title: "Second")
    try write("c", title: "Third")
    let list = try run("--list", "--filter", "/^(first|THIRD)$/")
    #expect(list.output == "./a.scenario.yaml  First\n./c.scenario.yaml  Third\n")
    #expect(try run("--list", "--filter", "/c.scen").output == "./c.scenario.yaml  Third\n")
    let wrong = try run("--filter", "/(/")
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("The regular expression /(/ can't be read: expected ')'"))
  }

  @Test func resultsComeAsTheyAreThereAlsoThroughAPipe() throws {
    try write("a", title: "First")
    try write("b", title: "Second", rows: 20_000)
    let result = try Tool.run(
      script: """
        "$0" run . --jobs 1 | while read -r line; do
          case "$line" in *First*) first=$EPOCHREALTIME;; *Second*) second=$EPOCHREALTIME;; esac
          if [ -n "$first" ] && [ -n "$second" ]; then echo "$first $second"; break; fi
        done
        """, [try Tool.executable().path], in: folder)
    let times = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(times.count == 2, "\(result.output)\(result.errors)")
    // At once both lines would be a few microseconds apart.
    #expect(times[1] - times[0] > 0.05)
  }

  @Test func whatAChangedFileBelongsToIsRunAgain() throws {
    try write("a", title: "First")
    try write("b", title: "Second")
    let result = try Tool.run(
      script: """
        "$0" run . --watch > output 2> errors & tool=$!
        await() { for _ in $(seq 600); do grep -q "$1" output errors && return; sleep 0.1; done; }
        await Control-C
        cp output before
        : > errors
        sed -i 's/Tag: 1 }/Tag: 2 }/' b.scenario.yaml
        await Control-C
        kill $tool
        wait $tool 2> /dev/null
        cat before; echo ----; tail -c +$(($(wc -c < before) + 1)) output
        """, [try Tool.executable().path], in: folder)
    let parts = result.output.components(separatedBy: "----\n")
    try #require(parts.count == 2, "\(result)")
    #expect(parts[0].contains("2 scenarios, 4 runs: 4 passed"))
    #expect(!parts[1].contains("First"))
    #expect(parts[1].contains("✗ Second"))
    #expect(parts[1].contains("1 scenario, 2 runs: 0 passed, 2 failed"))
  }
}
