import Foundation
import TestSupport
import Testing

enum SandboxPresence {
  static let isThere: Bool = {
    guard let folder = try? TemporaryFolder(),
      let tried = try? Tool.run(["run", "--sandbox", "none"], in: folder)
    else { return true }
    return !tried.errors.contains("can't be confined")
  }()
}

/// In `--sandbox` a policy reaches nothing but the folders that are its own, and harmless ones are none the
/// wiser.
@Suite(
  .enabled(if: SandboxPresence.isThere, "this system has no Landlock or no seccomp"),
  .tags(.process), .tiered)
struct SandboxTests {
  private static let scenario = """
    scenario: A policy
    models:
      v1: { Event: { name: string } }
      v2: { Event: { name: string, length: int64? } }
    policies: { module: App, sources: Policy.swift }
    seed: { Event: [{ id: first, name: fine }, { id: second, name: other }] }
    chain:
      - v1 -> v2:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
    expect:
      - count: { Event: 2 }

    """

  private func place(_ policy: (String) -> String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(policy(folder.url.path), to: "Policy.swift")
    try folder.write(Self.scenario, to: "A.scenario.yaml")
    return folder
  }

  private static func harmless(_ folder: String) -> String {
    """
    import CoreData

    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let results = manager.destinationInstances(
          forEntityMappingName: mapping.name, sourceInstances: [sInstance])
        results.first?.setValue((sInstance.value(forKey: "name") as? String)?.count, forKey: "length")
      }
    }

    """
  }

  @Test func aHostilePolicyReachesNothing() throws {
    let folder = try place { HostilePolicy.source(outside: $0) }
    for name in ["secret", "victim", "A.scenario.yaml.bak"] {
      try folder.write("customer", to: name)
    }
    let before = try contents(folder)
    let run = try Tool.run(
      script: "export SECRET_TOKEN=x; \"$0\" \"$@\"",
      [
        try Tool.executable().path, "run", "A.scenario.yaml", "--sandbox", "--verbose", "--json",
        "-",
      ], in: folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("its own folders are there"), "\(run.output)")
    #expect(!run.output.contains("REACHED"), "\(run.output)")
    #expect(try contents(folder) == before)
    #expect(try !processes().contains { $0.contains("98765") })
  }

  /// Without the sandbox the same policy does all that: what the test above sees is the sandbox's doing.
  @Test func withoutItAPolicyDoesWhatItsAuthorCould() throws {
    let folder = try place {
      HostilePolicy.source(outside: $0).replacing("sleep 98765", with: "true")
    }
    for name in ["secret", "victim"] { try folder.write("customer", to: name) }
    let run = try Tool.run(
      ["run", "A.scenario.yaml", "--backend", "memory", "--json", "-"], in: folder)
    for what in [
      "a new file", "the content of \(folder.url.path)/secret", "a link out", "the network",
      "a program that writes",
    ] {
      #expect(run.output.contains("REACHED \(what)"), "\(what) in \(run.output)")
    }
  }

  private func contents(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().map { name in
      let file = folder.url.appending(path: name)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
      return try "\(name) \(mode ?? "") \(Data(contentsOf: file))"
    }
  }

  private func processes() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }.map {
      // One that has ended meanwhile has none.
      (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8)) ?? ""
    }
  }

  @Test func aHarmlessPolicyPassesOnBothBackends() throws {
    let folder = try place(Self.harmless)
    let run = try Tool.run(["run", "A.scenario.yaml", "--sandbox", "--keep", "kept"], in: folder)
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("memory") && run.output.contains("sqlite"))
  }

  /// What is compiled outside must be what is looked for inside, whatever the paths look like.
  @Test func policiesMayBeInAnotherFolder() throws {
    let folder = try place(Self.harmless)
    try folder.write(
      Self.scenario.replacing("sources: Policy.swift", with: "sources: ../Policy.swift"),
      to: "Scenarios/B.scenario.yaml")
    let run = try Tool.run(["run", "Scenarios", "--sandbox"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func everyCommandThatPlaysCanBeConfined() throws {
    let folder = try place(Self.harmless)
    try folder.write(
      Self.scenario.replacing(#/policies:.*\n/#, with: "")
        .replacing(#/chain:(.|\n)*expect/#, with: "chain: []\nexpect"), to: "Store.scenario.yaml")
    let seeded = try Tool.run(
      ["run", "Store.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    #expect(seeded.status == 0, "\(seeded.output)")
    let store = "kept/Store.v1.run/store.sqlite"
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    let migrate = ["migrate", store, "--scenario", "A.scenario.yaml", "-o"]
    let plain = try Tool.run(migrate + ["result/plain.sqlite"], in: folder)
    let confined = try Tool.run(migrate + ["result/confined.sqlite", "--sandbox"], in: folder)
    #expect(plain.status == 0 && confined.status == 0, "\(confined.output)\(confined.errors)")
    #expect(confined.output.contains("confined.sqlite is of version v2"))
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "result").path
      ).sorted() == ["confined.sqlite", "plain.sqlite"])
    let same = try Tool.run(["diff", "result/plain.sqlite", "result/confined.sqlite"], in: folder)
    #expect(same.status == 0, "\(same.output)")
    let again = try Tool.run(migrate + ["result/confined.sqlite", "--sandbox"], in: folder)
    #expect(again.status == 2 && again.errors.contains("already exists"), "\(again.errors)")
    let crash = try Tool.run(
      ["crash", "A.scenario.yaml", "--at", "every", "20", "--faults", "kill,eio", "--sandbox"],
      in: folder)
    #expect(crash.status == 0, "\(crash.output)\(crash.errors)")
    let bench = try Tool.run(
      [
        "bench", "A.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
        "--sandbox",
      ], in: folder)
    #expect(bench.status == 0, "\(bench.errors)")
  }

  @Test func aMigrationThatFailsInTheSandboxLeavesNothing() throws {
    let folder = try place {
      Self.harmless($0).replacing("results.first?", with: "fatalError(\"no\"); results.first?")
    }
    try folder.write(
      Self.scenario.replacing(#/policies:.*\n/#, with: "")
        .replacing(#/chain:(.|\n)*expect/#, with: "chain: []\nexpect"), to: "Store.scenario.yaml")
    _ = try Tool.run(
      ["run", "Store.scenario.yaml", "--backend", "sqlite", "--keep", "kept"], in: folder)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "result"), withIntermediateDirectories: true)
    let failed = try Tool.run(
      [
        "migrate", "kept/Store.v1.run/store.sqlite", "--scenario", "A.scenario.yaml", "-o",
        "result/new.sqlite", "--sandbox",
      ], in: folder)
    #expect(failed.status == 1, "\(failed.output)\(failed.errors)")
    #expect(failed.output.contains("Fatal error: no"), "\(failed.output)")
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "result").path
      ) == [])
  }

  @Test func whatCantBeConfinedIsRefused() throws {
    let folder = try place(Self.harmless)
    let run = try Tool.run(["run", "A.scenario.yaml", "--sandbox", "--in-process"], in: folder)
    #expect(run.status == 2 && run.errors.contains("leave out --sandbox"))
  }
}
