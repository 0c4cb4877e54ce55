import Foundation
import TestSupport
import Testing

/// Shards that are processes of their own, as on many machines, and the one verdict on them.
@Suite(.tags(.process), .tiered) struct ManyMachinesTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    // One that is divided by its starts, and some that aren't.
    try folder.write(
      """
      scenario: Every start
      models:
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 0 } }
        v3: { Book: { title: string, pages: int16 = 0, day: date? } }
        v4: { Book: { title: string, pages: int16 = 0, day: date?, place: string? } }
      seed: { Book: [{ title: One }] }
      start: [v1, v2, v3]
      chain: [v1 -> v2, v2 -> v3, v3 -> v4]
      expect:
        - count: { Book: 1 }

      """, to: "Scenarios/Every.scenario.yaml")
    for name in ["A", "B"] {
      try folder.write(LibraryScenario.passing, to: "Scenarios/\(name).scenario.yaml")
    }
    return folder
  }

  private static let shard =
    #""$0" run --backend memory --shard $n/4 --json shards/$n.json --quiet >/dev/null"#

  @Test func aKilledShardIsMissedAndARepeatedOneCounts() throws {
    let folder = try folder()
    let result = try Tool.run(
      script: """
        for n in 1 2 3 4; do
          \(Self.shard) 2>&1 &
          if [ $n = 3 ]; then kill -KILL $!; fi
        done
        wait; ls shards
        "$0" report shards --quiet; echo "status $?"
        for n in 3 1; do \(Self.shard); done
        "$0" report shards --json all.json; echo "status $?"
        """, [Tool.executable().path], in: folder)
    let text = result.output.replacing(#/\d[\d.]* (m?s|µs)\b/#, with: "TIME")
    #expect(
      text == """
        1.json
        2.json
        4.json
        ✗ shard 3/4 can't be run
            shard 3/4: error: its report is missing: nothing is known of its scenarios; see whether its job wrote one

        3 scenarios, 4 runs: 4 passed, 1 not runnable, in TIME
        status 2
        ✓ A library grows  Scenarios/A.scenario.yaml
          ✓ v1 -> v2  inferred  1 -> 1 object  memory TIME
        ✓ A library grows  Scenarios/B.scenario.yaml
          ✓ v1 -> v2  inferred  1 -> 1 object  memory TIME
        ✓ Every start      Scenarios/Every.scenario.yaml
          ✓ from v1  v1 -> v2  inferred  1 -> 1 object  memory TIME
                     v2 -> v3  inferred  1 -> 1 object
                     v3 -> v4  inferred  1 -> 1 object
          ✓ from v2  v2 -> v3  inferred  1 -> 1 object  memory TIME
                     v3 -> v4  inferred  1 -> 1 object
          ✓ from v3  v3 -> v4  inferred  1 -> 1 object  memory TIME

        3 scenarios, 5 runs: 5 passed, in TIME
        status 0

        """, "\(result)")
    // Dealt by another report, the shards aren't those of the others.
    let runs = [("A", "v1", 1), ("Every", "v3", 90)].map {
      """
      { "address": "Scenarios/\($0.0).scenario.yaml", "start": "\($0.1)", "passed": true, "seconds": \($0.2) }
      """
    }
    try folder.write(
      "{ \"runs\": [\(runs.joined(separator: ", "))], \"notRunnable\": [] }", to: "earlier.json")
    let other = try Tool.run(
      script: """
        "$0" run --backend memory --shard 2/4 --earlier earlier.json --json shards/2.json --quiet >/dev/null
        "$0" report shards
        """, [Tool.executable().path], in: folder)
    #expect(other.status == 2)
    #expect(
      other.errors.contains("scenarios, models or policies, or dealt by another --earlier"),
      "\(other)")
  }
}
