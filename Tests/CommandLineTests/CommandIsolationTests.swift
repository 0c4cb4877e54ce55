import Foundation
import TestSupport
import Testing

/// What a policy can do to the process it runs in fails the command, which tells it, and leaves nothing.
@Suite(.tags(.process), .tiered)
struct CommandIsolationTests {
  private static let policy = """
    import CoreData

    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        print("\\u{1B}[31mhello", sInstance.value(forKey: "name") ?? "")
        switch sInstance.value(forKey: "name") as? String {
        case "trap": fatalError("no such thing")
        case "loop": while sInstance.isInserted == false {}
        case "exit": exit(0)
        default: break
        }
      }
    }

    """

  private static func scenario(_ name: String) -> String {
    """
    scenario: A policy meets \(name)
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
    policies: { module: App, sources: Policy.swift }
    seed: { Event: [{ id: first, name: fine }, { id: second, name: \(name) }] }
    chain:
      - v1 -> v2:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
    expect:
      - count: { Event: 2 }

    """
  }

  /// A scenario, and a store of its first version.
  private func place(_ name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(Self.scenario(name), to: "A.scenario.yaml")
    try folder.write(
      """
      scenario: A store
      models: { v1: { Event: { name: string } } }
      seed: { Event: [{ name: fine }, { name: \(name) }] }
      chain: []
      expect:
        - count: { Event: 2 }

      """, to: "Store.scenario.yaml")
    let run = try Tool.run(
      ["run", "Store.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    #expect(run.status == 0, "\(run.output)")
    return folder
  }

  private func migrate(
    _ folder: TemporaryFolder, _ options: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    return try Tool.run(
      [
        "migrate", "kept/Store.v1.run/store.sqlite", "--scenario", "A.scenario.yaml", "-o",
        "result/new.sqlite",
      ] + options, in: folder)
  }

  private func names(_ path: String, _ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: path).path)
      .sorted()
  }

  @Test func aTrapEndsAMigrationAndIsTold() throws {
    let folder = try place("trap")
    let run = try Tool.run(
      ["run", "A.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    #expect(run.status == 1)
    #expect(try names("kept/A.v1.run", folder) == ["store.sqlite"])
    let result = try migrate(folder)
    #expect(result.status == 1)
    for text in [
      "is of version v1", "crash: createDestinationInstances of EventToEvent, for Event/p2",
      "Fatal error: no such thing", "step: v1 -> v2",
      "the migration failed; nothing was written",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
    #expect(!result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"))
    #expect(result.errors.contains("␛[31mhello trap"))
    #expect(try names("result", folder) == [])

    struct Report: Decodable {
      struct Failure: Decodable {
        let domain: String
        let code: Int
        let step: String
        let entityMapping: String
        let object: String
      }
      let failure: Failure
      let versions: [String]
      let exitStatus: Int
    }
    let json = try migrate(folder, "--json")
    let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
    #expect(report.failure.entityMapping == "EventToEvent" && report.failure.object == "Event/p2")
    #expect(report.failure.domain == "HeavyweightProcess" && report.failure.code == 1)
    #expect(report.versions == ["v1"] && report.exitStatus == 1 && json.status == 1)
  }

  @Test func whoEndsTheProcessHasNoResult() throws {
    let folder = try place("exit")
    let result = try migrate(folder)
    #expect(result.status == 1)
    #expect(result.output.contains("found: the process ended with status 0"))
    #expect(try names("result", folder) == [])
  }

  /// The process that runs the policy ends first, which is no crash of the policy.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func anInterruptedMigrationTellsOfNoCrashAndLeavesNothing(_ number: Int32) throws {
    let folder = try place("loop")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    let script = """
      trap - INT HUP TERM
      for i in 1 2 3 4 5; do
        "$0" "$@" >out.$i 2>err.$i & call=$!
        for look in $(seq 600); do
          ls -A result | grep -q 'migrationdestination_[0-9A-F]\\{8\\}$' && break
          sleep 0.1
        done
        sleep 0.2
        kill -\(number) $call; wait $call; echo "status $?"
        cat out.$i err.$i; ls -A result
      done
      """
    // Bash ignores SIGINT in what it starts in the background, unless it has jobs.
    let result = try Tool.run(
      script: "set -m\n" + script,
      [
        try Tool.executable().path, "migrate", "kept/Store.v1.run/store.sqlite", "--scenario",
        "A.scenario.yaml", "-o", "result/new.sqlite",
      ], in: folder)
    #expect(
      result.output == String(repeating: "status \(128 + number)\n", count: 5), "\(result.errors)")
  }

  @Test func aLoopIsEndedWhenItsTimeIsOver() throws {
    let folder = try place("loop")
    let result = try migrate(folder, "--timeout", "2s")
    #expect(result.status == 1)
    #expect(result.output.contains("timeout: createDestinationInstances of EventToEvent"))
    #expect(result.output.contains("to end within 2.0 s (--timeout)"))
    #expect(try names("result", folder) == [])
  }

  @Test func whatAPolicyPrintsIsNoPartOfTheReport() throws {
    let folder = try place("fine")
    let result = try migrate(folder, "--json")
    #expect(result.status == 0)
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    }
    #expect(result.errors.contains("␛[31mhello fine"))
    #expect(try names("result", folder) == ["new.sqlite"])
  }

  @Test func aBenchmarkTellsWhatEndedItsMigration() throws {
    let folder = try place("trap")
    let result = try Tool.run(
      ["bench", "A.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0"],
      in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("crash: createDestinationInstances of EventToEvent"))
  }
}
