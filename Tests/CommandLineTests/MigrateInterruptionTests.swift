import Foundation
import TestSupport
import Testing

/// What is left when a migration is cut off.
@Suite(.tags(.process), .tiered)
struct MigrateInterruptionTests {
  /// A folder with a store of many books, and a chain that takes its time.
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let books = (1...1500).map { "{ title: Book \($0) }" }.joined(separator: ", ")
    let models = """
        v1: { Book: { title: string } }
        v2: { Book: { title: string, pages: int16 = 7 } }
        v3: { Book: { title: string, pages: int16 = 7, shelf: string? } }
      """
    try folder.write(
      "scenario: Seed\nmodels:\n\(models)\nseed: { Book: [\(books)] }\nexpect: [{ count: { Book: 1500 } }]\n",
      to: "Seed.scenario.yaml")
    let made = try Tool.run(
      ["run", "Seed.scenario.yaml", "--backend", "sqlite", "--keep", "Kept"], in: folder)
    try #require(made.status == 0)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Kept/Seed.v1.run/store.sqlite"),
      to: folder.url.appending(path: "old.sqlite"))
    try folder.write(
      """
      scenario: Chain
      models:
      \(models)
      chain:
        - v1 -> v2: { BookToBook: { source: Book, destination: Book } }
        - v2 -> v3: { BookToBook: { source: Book, destination: Book } }

      """, to: "Chain.scenario.yaml")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Out"), withIntermediateDirectories: true)
    return folder
  }

  private static let arguments = [
    "migrate", "old.sqlite", "--scenario", "Chain.scenario.yaml", "-o", "Out/new.sqlite",
  ]

  /// Starts a migration and ends it by a signal when so many new names are beside its result. One
  /// that was done before, on a busy machine, is started again.
  private func interrupt(
    _ arguments: [String], in folder: TemporaryFolder, by number: Int32, seeing names: Int
  ) throws {
    for _ in 1...50 {
      let before = Set(try folder.names(in: "Out"))
      let process = try Tool.start(arguments, in: folder)
      while process.isRunning,
        try Set(folder.names(in: "Out")).subtracting(before).count < names
      {}
      kill(process.processIdentifier, number)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal {
        #expect(process.terminationStatus == number)
        if try !folder.names(in: "Out").contains("new.sqlite") { return }
      }
      for name in try folder.names(in: "Out") where name.hasPrefix("new") {
        try FileManager.default.removeItem(at: folder.url.appending(path: "Out/\(name)"))
      }
    }
    Issue.record("it was always done before it could be ended")
  }

  /// A lock for the place, which is left from the first time on, a lock and a store for the first step, then a
  /// lock for the second; the store that follows could be the result before the signal comes.
  @Test func aKilledMigrationLeavesNeitherAResultNorATouchedSource() throws {
    let folder = try folder()
    let source = folder.url.appending(path: "old.sqlite")
    let before = (try Data(contentsOf: source), try folder.names())
    for namesSeen in 1...3 {
      try interrupt(Self.arguments, in: folder, by: SIGKILL, seeing: namesSeen)
      #expect(try !folder.names(in: "Out").contains { $0.hasPrefix("new") })
      #expect(try Data(contentsOf: source) == before.0)
      #expect(try folder.names() == before.1)
    }
    #expect(try !folder.names(in: "Out").isEmpty, "nothing was left to be removed")
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 0)
    #expect(try folder.names(in: "Out") == ["new.sqlite"])
    let same = try Tool.run(["diff", "old.sqlite", "Out/new.sqlite"], in: folder)
    #expect(same.status == 0)
    #expect(same.output.contains("equal: 1500 objects"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func anInterruptedMigrationLeavesNothing(_ number: Int32) throws {
    let folder = try folder()
    let before = try folder.names()
    try interrupt(Self.arguments, in: folder, by: number, seeing: 3)
    #expect(try folder.names(in: "Out") == [])
    #expect(try folder.names() == before)
  }

  /// One of several calls that are begun at once has the place; the others end as where a result is, and touch
  /// nothing of it.
  @Test func ofSeveralMigrationsToOnePlaceOneIsDone() throws {
    let folder = try folder()
    let script = """
      for i in 1 2 3 4; do
        { "$0" "$@" >$i.out 2>$i.err; echo $? >$i.status; } &
      done
      wait
      cat ?.status | sort
      """
    let result = try Tool.run(
      script: script, [try Tool.executable().path] + Self.arguments, in: folder)
    #expect(result.output == "0\n2\n2\n2\n")
    func text(_ path: String) throws -> String {
      try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
    }
    let refusals = [
      "another migration makes this now, and nothing is overwritten; name another file",
      "this already exists, and nothing is overwritten; name another file",
    ].map { "Out/new.sqlite: error: \($0)\n" }
    for call in 1...4 {
      let (status, errors) = (try text("\(call).status"), try text("\(call).err"))
      if status == "0\n" {
        #expect(errors == "")
        #expect(try text("\(call).out").contains("Out/new.sqlite is of version v3, in "))
      } else {
        #expect(refusals.contains(errors), "\(errors)")
        #expect(try text("\(call).out") == "")
      }
    }
    #expect(try folder.names(in: "Out") == ["new.sqlite"])
    let same = try Tool.run(["diff", "old.sqlite", "Out/new.sqlite"], in: folder)
    #expect(same.output.contains("equal: 1500 objects"), "\(same)")
  }

  @Test func aFullDiskIsAnErrorThatNamesItAndLeavesNothing() throws {
    let folder = try folder()
    let source = folder.url.appending(path: "old.sqlite")
    let before = try Data(contentsOf: source)
    // The signal would end the process; ignored, writing fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 30; exec \"$0\" \"$@\""
    let result = try Tool.run(
      script: script, [try Tool.executable().path] + Self.arguments, in: folder)
    #expect(result.status == 8)
    #expect(result.output.contains("disk"))
    #expect(result.output.hasSuffix("not judged: I/O error; nothing was written\n"))
    #expect(try folder.names(in: "Out") == [])
    #expect(try Data(contentsOf: source) == before)
  }
}
