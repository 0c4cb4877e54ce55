import Foundation
import Testing

@testable import Commands
@testable import Migration
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What `heavyweight bench` says in a terminal and on a page.
@Suite struct BenchReportTests {
  private static let sizes: [BenchSamples.Size] = [
    (1000, [0.1], 30 << 20), (10_000, [1], 60 << 20), (100_000, [20], 90 << 20),
  ]

  private func text(_ summary: BenchSummary) -> String {
    let text = BenchTextReport(summary: summary, style: TextStyle(isColoured: false)).text()
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("debug build") }.dropLast(3).joined(separator: "\n")
  }

  @Test func theTerminalShowsSizesPlotsStepsAndGates() {
    let result = BenchSamples.result(
      Self.sizes, counters: [.objects: 100_000, .rowsWritten: 2_000_000])
    #expect(
      text(BenchSamples.summary([result], gates: .init(exponent: 0.5))) == """
        Tags & co.  Tags.scenario.yaml, SQLite
          objects  median     p90     p99  objects/s     CPU  peak memory  written  peak disk
            1,000  100 ms  100 ms  100 ms     10,000  100 ms      30.0 MB   1.9 MB     5.0 MB
           10,000   1.0 s   1.0 s   1.0 s     10,000   1.0 s      60.0 MB   1.9 MB     5.0 MB
          100,000  20.0 s  20.0 s  20.0 s      5,000  20.0 s      90.0 MB   1.9 MB     5.0 MB
          time grows with objects^1.15, memory with objects^0.24

          median time, logarithmic                 peak memory, logarithmic
          20.0 s │                             ●   103.9 MB │        ·
                 │                          ····            │      ··                     ●
                 │                    ······                │     ·         ●
                 │              ·●····                      │   ··
                 │         ·····                            │  ·
                 │   ······                                 │●·
          100 ms │●··                               26.0 MB │
                 └──────────────────────────────            └──────────────────────────────
                  1,000                  100,000             1,000                  100,000

          100,000 objects, by step and pass  median     p90     p99  objects/s     CPU  peak memory  written  peak disk
          v1 -> v2                           with the next
          v2 -> v3                           20.0 s  20.0 s  20.0 s      5,000  15.0 s      90.0 MB   1.9 MB     4.0 MB
            read                              2.5 s   2.5 s   2.5 s     40,000
            instance creation                 2.5 s   2.5 s   2.5 s     40,000   5.0 s      45.0 MB        –     1.0 MB
            save                             10.0 s  10.0 s  10.0 s     10,000  10.0 s      90.0 MB   1.9 MB     4.0 MB
          counted: 100,000 objects made, 2,000,000 rows written
          ? time grows with objects^1.15, more than ^0.50, but not certainly: take more samples
        """)
  }

  @Test func verdictsAndCountersAreTold() {
    let slow = BenchSamples.result(
      [(1000, Array(repeating: 1.3, count: 12), 1 << 20)],
      counters: [.objects: 10, .statements: 12, .pagesWritten: 3])
    let old = BenchSamples.result(
      [(1000, Array(repeating: 1, count: 12), 1 << 20)],
      counters: [.objects: 10, .statements: 10, .pagesWritten: 4])
    let lines = text(BenchSamples.summary([slow], against: [old])).split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("5.0 MB  worse ×1.30 (1.30–1.30)") })
    #expect(
      lines.suffix(3) == [
        "  ✓ 1,000 objects: pages written: 3, 4 before (-25.00%)",
        "  ✗ 1,000 objects take 1.30 times as long as before",
        "  ✗ 1,000 objects: SQL statements run: 12, 10 before (+20.00%)",
      ])
  }

  /// Of a policy that fetches twice for each object, and finds all objects made before.
  private static func hooks(_ objects: Int) -> [HookWork] {
    var (begin, create) = (
      HookWork(entityMapping: "SongToSong", hook: .begin, calls: 1),
      HookWork(entityMapping: "SongToSong", hook: .createDestinationInstances, calls: objects)
    )
    begin.work.fetches = 1
    create.work.fetches = 2 * objects
    create.work.fetched = objects * (objects - 1) / 2
    create.work.inserts = objects
    let end = HookWork(entityMapping: "SongToSong", hook: .end, calls: 1)
    return [begin, create, end]
  }

  @Test func whatHooksDoForAnObjectIsShownAndGated() throws {
    let result = BenchSamples.result(
      [(10, [1], 1 << 20), (100, [20], 1 << 20)], hooks: Self.hooks)
    let gates = try ["fetches-per-object=2.05", "fetched-per-object=100", "faults-per-object=0"]
      .map { try #require(HookGate(argument: $0)) }
    let lines = text(BenchSamples.summary([result], gates: .init(hooks: gates)))
      .split(separator: "\n").map(String.init)
    let table = try #require(lines.firstIndex { $0.hasPrefix("  per source object") })
    #expect(
      lines[table...].joined(separator: "\n") == """
          per source object, by hook                        calls  fetches  objects fetched  faults  inserts  SQL statements
          v2 -> v3, SongToSong, begin                        0.01     0.01             0.00    0.00     0.00            0.00
          v2 -> v3, SongToSong, createDestinationInstances   1.00     2.00            49.50    0.00     1.00            0.00
          ✗ 10 objects: v2 -> v3 has 2.10 fetches per object, more than 2.05; most of them in SongToSong, \
        createDestinationInstances
          ? v2 -> v3, SongToSong, createDestinationInstances: objects fetched per object grow with size, from 4.50 \
        to 49.50
        """)
  }

  @Test(arguments: [
    "fetches", "fetches-per-object", "fetches-per-object=", "fetches-per-object=x",
    "fetches-per-object=-1", "fetches-per-object=inf", "songs-per-object=1", "fetches=1",
    "fetches-per-object=1=2", "",
  ])
  func wrongGatesOfHooksAreNone(_ text: String) {
    #expect(HookGate(argument: text) == nil)
  }

  @Test func tablesAreWrittenForPagesAndSpreadsheets() {
    let slow = BenchSamples.result([(1000, Array(repeating: 1.5, count: 12), 1 << 20)])
    let old = BenchSamples.result([(1000, Array(repeating: 1, count: 12), 1 << 20)])
    let table = BenchTable(summary: BenchSamples.summary([slow], against: [old]))
    #expect(
      table.markdown().hasPrefix(
        """
        ### Tags &amp; co.

        Tags.scenario.yaml, SQLite

        | objects | median | p90 | p99 | objects/s | CPU | peak memory | written | peak disk | against the baseline |
        | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        | 1,000 | 1.5 s | 1.5 s | 1.5 s | 666 | 1.5 s | 1.0 MB | 1.9 MB | 5.0 MB | worse ×1.50 (1.50–1.50) |

        - ✗ 1,000 objects take 1.50 times as long as before

        """))
    let lines = table.csv().components(separatedBy: "\r\n")
    #expect(lines.count == 3 && lines[2] == "")
    #expect(lines[0].hasPrefix("scenario,file,backend,objects,samples,median_seconds,"))
    #expect(
      lines[1]
        == "Tags & co.,Tags.scenario.yaml,sqlite,1000,12,1.5,1.5,1.5,666,1.5,1048576,2000000,5242880,"
        + "worse,1.5,1.5,1.5")
  }

  @Test func textOfScenariosDoesNothingInTables() {
    let hostile = BenchResult(
      scenario: "=HYPERLINK(\"x\", 1)\n| `<b>`", file: "a,b.scenario.yaml",
      sizes: BenchSamples.result([(10, [1], 1)]).sizes)
    let table = BenchTable(summary: BenchSamples.summary([hostile]))
    #expect(
      table.csv().contains(
        "\r\n\"'=HYPERLINK(\"\"x\"\", 1)\n| `<b>`\",\"a,b.scenario.yaml\",sqlite,10,"))
    #expect(!table.markdown().contains("<b>") && !table.markdown().contains("\n| \\`"))
  }
}
