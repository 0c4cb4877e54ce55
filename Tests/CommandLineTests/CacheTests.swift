import Foundation
import TestSupport
import Testing

/// What is kept from call to call makes calls shorter, and nothing else.
@Suite(.tags(.process), .tiered)
struct CacheTests {
  /// Three steps; the middle one has a policy that leaves a trace in the data.
  private static let scenario = """
    scenario: A chain
    models:
      v1: { Event: { name: string, stamp: string? } }
      v2: { Event: { name: string, stamp: string?, note: string? } }
      v3: { Event: { name: string, stamp: string?, note: string?, size: int16? } }
      v4: { Event: { name: string, stamp: string?, note: string?, size: int32? } }
    policies: { module: App, sources: Policy.swift }
    seed: { Event: [{ id: one, name: One }, { id: two, name: Two }] }
    chain:
      - v1 -> v2
      - v2 -> v3:
          EventToEvent: { source: Event, destination: Event, policy: App.AppPolicy }
      - v3 -> v4
    expect:
      - count: { Event: 2 }
      - steps: [v1 -> v2: inferred, v2 -> v3: custom, v3 -> v4: inferred]
      - at: v2
        expect: [{ count: { Event: 2 } }]
      - object: Event one
        from: Event one
        has: { stamp: custom }
      - calls: { App.AppPolicy.begin: 1 }

    """

  private static let policy = """
    import CoreData
    class AppPolicy: NSEntityMigrationPolicy {
      override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws { dInstance.setValue("custom", forKey: "stamp") }
    }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario, to: "A.scenario.yaml")
    try folder.write(Self.scenario.replacing("A chain", with: "Another"), to: "B.scenario.yaml")
    try folder.write(Self.policy, to: "Policy.swift")
    return folder
  }

  /// Runs, and gives the report without times and the day.
  private func report(
    _ arguments: [String], in folder: TemporaryFolder
  ) throws -> (status: Int32, text: String) {
    let result = try Tool.run(["run", ".", "--json", "-"] + arguments, in: folder)
    let text = result.output.replacing(#/"(seconds|date)" : [^,\n]+/#, with: "")
    return (result.status, text + result.errors)
  }

  private func entries(in folder: TemporaryFolder) throws -> [URL] {
    let stores = folder.url.appending(path: "cache/stores")
    if !FileManager.default.fileExists(atPath: stores.path) { return [] }
    return try FileManager.default.contentsOfDirectory(
      at: stores, includingPropertiesForKeys: nil)
  }

  @Test func reportsAreTheSameWithAndWithoutCache() throws {
    let folder = try folder()
    let without = try report(["--no-cache"], in: folder)
    let filling = try report(["--cache", "cache"], in: folder)
    let using = try report(["--cache", "cache"], in: folder)
    #expect(without.status == 0, "\(without.text)")
    #expect(without.text == filling.text)
    #expect(without.text == using.text)
    // The store after the step before the policy's, which both scenarios share.
    #expect(try entries(in: folder).count == 1)
  }

  /// A failure that shows at the end is the same when the beginning came from the cache.
  @Test func failuresAreTheSame() throws {
    let folder = try folder()
    for (old, new) in [
      ("stamp: custom", "stamp: other"), ("- count: { Event: 2 }", "- count: { Event: 3 }"),
    ] {
      let text = Self.scenario.replacing(old, with: new)
      try folder.write(text, to: "A.scenario.yaml")
      _ = try report(["--cache", "cache"], in: folder)
      let using = try report(["--cache", "cache"], in: folder)
      #expect(using.status == 1)
      #expect(try using.text == report(["--no-cache"], in: folder).text)
    }
  }

  @Test func theUnionOfShardsIsTheWholeWithOneCacheForAll() throws {
    let folder = try folder()
    for number in 1...5 {
      try folder.write(
        Self.scenario.replacing("A chain", with: "Number \(number)"),
        to: "C\(number).scenario.yaml")
    }
    func titles(_ arguments: [String]) throws -> [String] {
      let output = try Tool.run(["run", "."] + arguments, in: folder).output
      return output.split(separator: "\n").filter { $0.hasPrefix("✓ ") }.map(String.init)
        .map { String($0.dropFirst(2).prefix { $0 != "." }).trimmingCharacters(in: .whitespaces) }
    }
    let whole = try titles(["--no-cache"])
    let shards = try (1...3).map { try titles(["--shard", "\($0)/3", "--cache", "cache"]) }
    #expect(whole.count == 7)
    #expect(shards.flatMap(\.self).count == 7)
    #expect(Set(shards.flatMap(\.self)) == Set(whole))
  }

  @Test func whatAStoreDependsOnMakesAnotherEntry() throws {
    let folder = try folder()
    try FileManager.default.removeItem(at: folder.url.appending(path: "B.scenario.yaml"))
    _ = try report(["--cache", "cache"], in: folder)
    #expect(try entries(in: folder).count == 1)
    // Another policy: the result follows.
    try folder.write(Self.policy.replacing("\"custom\"", with: "\"new\""), to: "Policy.swift")
    let changed = try report(["--cache", "cache"], in: folder)
    #expect(changed.status == 1)
    #expect(changed.text.contains("\\\"new\\\""))
    // Another row: another seed.
    let before = try entries(in: folder).count
    try folder.write(
      Self.scenario.replacing("name: Two", with: "name: Three"), to: "A.scenario.yaml")
    _ = try report(["--cache", "cache"], in: folder)
    #expect(try entries(in: folder).count == before + 1)
  }

  @Test func damagedEntriesAreMadeAnew() throws {
    let folder = try folder()
    let whole = try report(["--cache", "cache"], in: folder)
    let names = Set(try entries(in: folder).map(\.lastPathComponent))
    let damages: [(URL) throws -> Void] = [
      { try Data("no store".utf8).write(to: $0.appending(path: "store.sqlite")) },
      { try FileManager.default.removeItem(at: $0.appending(path: "entry.plist")) },
      { entry in
        let store = entry.appending(path: "store.sqlite")
        var bytes = try Data(contentsOf: store)
        bytes[bytes.count - 100] ^= 0xFF
        try bytes.write(to: store)
      },
    ]
    for damage in damages {
      for entry in try entries(in: folder) { try damage(entry) }
      let again = try report(["--cache", "cache"], in: folder)
      #expect(again.text == whole.text)
    }
    #expect(Set(try entries(in: folder).map(\.lastPathComponent)) == names)
    for entry in try entries(in: folder) {
      let store = try Data(contentsOf: entry.appending(path: "store.sqlite"))
      #expect(store.starts(with: Data("SQLite format 3".utf8)))
    }
  }

  @Test func theCacheStaysSmall() throws {
    let folder = try folder()
    _ = try report(["--cache", "cache", "--cache-size", "1"], in: folder)
    #expect(try entries(in: folder).isEmpty)
    _ = try report(["--cache", "cache", "--cache-size", "1G"], in: folder)
    #expect(try entries(in: folder).count == 1)
  }

  /// They are small; what changes leaves them behind.
  @Test func policiesThatNobodyUsesGo() throws {
    let folder = try folder()
    _ = try report(["--cache", "cache"], in: folder)
    try folder.write("", to: "cache/policies/old/libPolicies.so")
    let policies = folder.url.appending(path: "cache/policies")
    for place in ["policies/old", "policies-looked-at"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -40 * 24 * 3600)],
        ofItemAtPath: folder.url.appending(path: "cache/" + place).path)
    }
    let used = try FileManager.default.contentsOfDirectory(atPath: policies.path)
      .filter { $0 != "old" }
    _ = try report(["--cache", "cache"], in: folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: policies.path) == used)
    #expect(used.count == 1)
  }

  @Test func callsAtTheSameTimeShareOneCache() throws {
    let folder = try folder()
    let calls = try (1...3).map { number in
      try Tool.start(
        ["run", ".", "--cache", "cache", "--json", "report\(number).json"], in: folder)
    }
    for call in calls {
      call.waitUntilExit()
      #expect(call.terminationStatus == 0)
    }
    let left = try entries(in: folder).map(\.lastPathComponent)
    #expect(left.count == 1)
    #expect(!left.contains { $0.hasPrefix(".") })
  }

  @Test func aFolderThatCannotBeWrittenIsAMistake() throws {
    let folder = try folder()
    try folder.write("a file", to: "taken")
    let result = try Tool.run(["run", ".", "--cache", "taken"], in: folder)
    #expect(result.status == 2)
    #expect(result.errors.contains("taken"))
    let both = try Tool.run(["run", ".", "--cache", "a", "--no-cache"], in: folder)
    #expect(both.status == 2)
  }

  /// A policy may depend on anything: the environment, a file, the day. Nothing after it is taken from the cache.
  @Test func aPolicyRunsAgain() throws {
    let folder = try folder()
    try FileManager.default.removeItem(at: folder.url.appending(path: "B.scenario.yaml"))
    try folder.write(
      Self.policy.replacing(
        "\"custom\"", with: "ProcessInfo.processInfo.environment[\"STAMP\"] ?? \"custom\""),
      to: "Policy.swift")
    let first = try report(["--cache", "cache"], in: folder)
    #expect(first.status == 0, "\(first.text)")
    let changed = try Tool.run(
      script: "STAMP=other exec \"$0\" \"$@\"",
      [Tool.executable().path, "run", ".", "--cache", "cache"], in: folder)
    #expect(changed.status == 1)
    #expect(changed.output.contains("\"other\""))
  }

  /// A derived attribute of a seed has the scenario's time.
  @Test func theTimeIsPartOfTheSeed() throws {
    let folder = try TemporaryFolder()
    for year in [2011, 2012] {
      try folder.write(
        """
        scenario: A stamp
        models:
          v1: { Event: { name: string, stamp: "date? derived(now())" } }
          v2: { Event: { name: string, stamp: "date? derived(now())", note: string? } }
          v3: { Event: { name: string, stamp: "date? derived(now())", note: string?, size: int16? } }
        backends: [sqlite]
        seed: { .now: \(year)-06-01, Event: [{ id: one, name: One }] }
        chain:
          - v1 -> v2
          - v2 -> v3
        expect:
          - object: Event one
            has: { stamp: \(year)-06-01 }

        """, to: "A.scenario.yaml")
      let result = try report(["--cache", "cache"], in: folder)
      #expect(result.status == 0, "\(result.text)")
    }
  }
}
