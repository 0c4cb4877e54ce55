import Foundation
import TestSupport
import Testing

/// What a policy can do to the process it runs in fails its own run, and no other.
@Suite(.tags(.process), .tiered)
struct IsolationTests {
  private static let policy = """
    import CoreData

    class AppPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        switch sInstance.value(forKey: "name") as? String {
        case "trap":
          print("about to trap")
          let words = ["one"]
          print(words[sInstance.entity.attributesByName.count])
        case "unknown key": print(sInstance.value(forKey: "naem") as! String)
        case "wrong type": print(sInstance.objectID as Any as! String)
        case "loop": while sInstance.isInserted == false {}
        case "eat":
          var all: [[UInt8]] = []
          while true { all.append(Array(repeating: 1, count: 8_000_000)) }
        case "signal 4": raise(SIGILL)
        case "signal 11": kill(getpid(), SIGSEGV)
        case "signal 7": pthread_kill(pthread_self(), SIGBUS)
        case "signal 15": raise(SIGTERM)
        case "exit": exit(0)
        case "_exit": _exit(0)
        case "spoil": Spoiler.begin(manager)
        case "hold":
          let pipe = FileHandle(forWritingAtPath: ProcessInfo.processInfo.environment["HOLD_PIPE"]!)
          pipe?.write(Data("x".utf8))
          while sInstance.isInserted == false {}
        default: break
        }
      }
    }

    /// Changes the result when its process ends, after the run has looked at it.
    enum Spoiler {
      nonisolated(unsafe) static var path = ""

      static func begin(_ manager: NSMigrationManager) {
        let store = manager.destinationContext.persistentStoreCoordinator?.persistentStores.first
        path = store?.url?.deletingLastPathComponent().appendingPathComponent("store.sqlite").path ?? ""
        atexit {
          let file = FileHandle(forWritingAtPath: Spoiler.path)
          file?.seekToEndOfFile()
          file?.write(Data("x".utf8))
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

  /// Runs a scenario whose second row does something to the policy, and one that does nothing.
  private func run(
    _ name: String, _ arguments: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(Self.scenario(name), to: "A.scenario.yaml")
    try folder.write(Self.scenario("nothing"), to: "B.scenario.yaml")
    return try Tool.run(["run", "."] + arguments, in: folder)
  }

  @Test func aTrapFailsItsRunAndTheOthersGoOn() throws {
    let result = try run("trap", "--backend", "memory")
    #expect(result.status == 1)
    for text in [
      "crash: createDestinationInstances of EventToEvent, for Event second (Event/p2)",
      "found     Fatal error: Index out of range", "Policy.swift:13", "printed: about to trap",
      "at        v1 -> v2", "✓ A policy meets nothing",
      "2 scenarios, 2 runs: 1 passed, 1 failed",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  /// Swift's handlers print a backtrace, and let a process go on that sent the signal itself.
  @Test(
    arguments: [
      ("signal 4", "SIGILL"), ("signal 11", "SIGSEGV"), ("signal 7", "SIGBUS"),
      ("signal 15", "SIGTERM"),
    ])
  func aSignalOfItsOwnEndsTheProcess(_ name: String, _ signal: String) throws {
    let result = try run(name, "--backend", "memory")
    #expect(result.status == 1)
    #expect(result.output.contains("found     the process was ended by \(signal)"), "\(result)")
    #expect(result.output.contains("2 scenarios, 2 runs: 1 passed, 1 failed"))
  }

  @Test func anExceptionBeforeATrapIsTold() throws {
    let result = try run("unknown key", "--backend", "memory", "--github")
    #expect(result.status == 1)
    for text in [
      "crash: createDestinationInstances of EventToEvent, for Event second (Event/p2)",
      "an exception was raised earlier, which would end an app at once: NSCocoaErrorDomain 134060: "
        + "[<NSManagedObject> valueForUndefinedKey:]: the entity Event is not key value coding-compliant for the key "
        + "\"naem\".",
      "code      ./Policy.swift:14, createDestinationInstances of EventToEvent, for Event second (Event/p2)",
      "::error file=Policy.swift,line=14,title=A policy meets unknown key%3A crash::",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  @Test func aCastToTheWrongTypeNamesItsLine() throws {
    let result = try run("wrong type", "--backend", "memory")
    #expect(result.status == 1)
    for text in [
      "found     Could not cast value of type",
      "code      ./Policy.swift:15, createDestinationInstances of EventToEvent, for Event second (Event/p2)",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  @Test func aLoopIsEndedWhenItsTimeIsOver() throws {
    let result = try run("loop", "--backend", "sqlite", "--timeout", "2s")
    #expect(result.status == 1)
    for text in [
      "timeout: createDestinationInstances of EventToEvent, for Event second (Event/p2)",
      "expected  to end within 2.0 s (--timeout)", "found     it was still running, and was ended",
      "again     heavyweight run ./A.scenario.yaml --backend sqlite --timeout 2s",
      "✓ A policy meets nothing",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  @Test func whoEatsMemoryIsEnded() throws {
    let result = try run("eat", "--backend", "memory", "--memory", "300M")
    #expect(result.status == 1)
    for text in [
      "memory: createDestinationInstances of EventToEvent, for Event second (Event/p2)",
      "expected  to stay within 300.0 MB (--memory)",
      "again     heavyweight run ./A.scenario.yaml --backend memory --memory 300M",
      "✓ A policy meets nothing",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  @Test(arguments: ["exit", "_exit"])
  func whoEndsTheProcessQuietlyFailsToo(function: String) throws {
    let result = try run(function, "--backend", "memory")
    #expect(result.status == 1)
    #expect(result.output.contains("found     the process ended with status 0"), "\(result.output)")
  }

  /// Every result is opened once more, by a process that had no part in it.
  @Test func aStoreThatIsAnotherOneWhenItIsOpenedAgainFailsTheRun() throws {
    let result = try run("spoil", "--backend", "sqlite")
    #expect(result.status == 1)
    for text in [
      "opened again: the store, opened again by another process",
      "expected  files that don't change",
      "found     store.sqlite changed after the run had closed the store",
      "the app's next start finds this store, of version v2", "✓ A policy meets nothing",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
  }

  /// A loop doesn't outlive whoever could have ended it.
  @Test func aWorkerWhoseParentIsKilledEndsToo() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(Self.scenario("hold"), to: "A.scenario.yaml")
    // Reading ends when the last process that has the pipe open for writing is gone.
    let result = try Tool.run(
      script: """
        mkfifo pipe; export HOLD_PIPE="$PWD/pipe"
        "$0" run . --backend memory >/dev/null 2>&1 &
        exec 3<>pipe; timeout 200 head -c 1 <&3; exec 4<pipe 3<&-; kill -9 $!; cat <&4; echo over
        """, [Tool.executable().path], in: folder)
    #expect(result.output == "xover\n")
  }

  /// Whatever a policy leaves in memory, the next run must not meet it.
  @Test func policiesNeverShareAProcess() throws {
    let folder = try TemporaryFolder()
    let counting =
      Self.policy.replacing(
        "    switch sInstance",
        with: "    Counter.count += 1\n    precondition(Counter.count <= 2)\n    switch sInstance"
      ) + "\nenum Counter { nonisolated(unsafe) static var count = 0 }\n"
    try folder.write(counting, to: "Policy.swift")
    for name in ["A", "B", "C"] {
      try folder.write(Self.scenario("fine"), to: "\(name).scenario.yaml")
    }
    let result = try Tool.run(["run", ".", "--jobs", "1"], in: folder)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("3 scenarios, 6 runs: 6 passed"))
  }

  @Test func theOrderOfTheReportDoesNotDependOnTheNumberOfJobs() throws {
    let folder = try TemporaryFolder()
    for number in 1...9 {
      let text = Self.scenario("nothing").replacing(
        "policy: App.AppPolicy", with: "type: transform"
      )
      .replacing("policies: { module: App, sources: Policy.swift }\n", with: "")
      .replacing("meets", with: "\(number) meets")
      try folder.write(text, to: "S\(number).scenario.yaml")
    }
    let reports = try ["1", "4"].map { jobs in
      try titles(Tool.run(["run", ".", "--jobs", jobs], in: folder).output)
    }
    let here = try titles(Tool.run(["run", ".", "--in-process"], in: folder).output)
    #expect(reports[0].count == 9)
    #expect(reports[0] == reports[1])
    #expect(reports[0] == here)
    let shards = try (1...4).map { shard in
      try titles(Tool.run(["run", ".", "--shard", "\(shard)/4"], in: folder).output)
    }
    #expect(shards.flatMap(\.self).sorted() == reports[0].sorted())
  }

  @Test(arguments: ["exit", "_exit"])
  func whoExitsInTheToolsOwnProcessHasNotPassed(function: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.policy, to: "Policy.swift")
    try folder.write(Self.scenario(function), to: "Exit.scenario.yaml")
    let result = try Tool.run(["run", "Exit.scenario.yaml", "--in-process"], in: folder)
    #expect(result.status == 1)
    #expect(
      result.errors
        == "code of the scenario called \(function) while it was run in this process; run it without --in-process, "
        + "or let it throw an error\n")
  }

  @Test func aProcessThatCannotBeStartedIsToldPlainly() throws {
    let folder = try TemporaryFolder()
    let text = Self.scenario("nothing").replacing("policy: App.AppPolicy", with: "type: transform")
      .replacing("policies: { module: App, sources: Policy.swift }\n", with: "")
    try folder.write(text, to: "A.scenario.yaml")
    let result = try Tool.run(
      script: "HEAVYWEIGHT_EXECUTABLE=/nowhere/tool exec \"$0\" run .", [Tool.executable().path],
      in: folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "found     can't start another process of this tool, /nowhere/tool: No such file or directory\n"
      ),
      "\(result.output)")
  }

  private func titles(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("✓ ") }.map(String.init)
  }
}
