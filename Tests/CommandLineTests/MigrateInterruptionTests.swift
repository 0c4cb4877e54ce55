import Foundation
import TestSupport
import Testing

/// What is left when a migration is cut off.
@Suite struct MigrateInterruptionTests {
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

  private func names(in folder: TemporaryFolder, _ path: String = "") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.appending(path: path).path)
      .sorted()
  }

  @Test func aKilledMigrationLeavesNeitherAResultNorATouchedSource() throws {
    let folder = try folder()
    let source = folder.url.appending(path: "old.sqlite")
    let before = (try Data(contentsOf: source), try names(in: folder))
    for filesSeen in 1...2 {
      let process = try Tool.start(Self.arguments, in: folder)
      let begun = try names(in: folder, "Out").count
      // Not before it has something to leave behind; a step further each time.
      while process.isRunning, try names(in: folder, "Out").count < begun + filesSeen {}
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal, "it was done before it could be killed")
      #expect(try !names(in: folder, "Out").contains { $0.hasPrefix("new") })
      #expect(try Data(contentsOf: source) == before.0)
      #expect(try names(in: folder) == before.1)
    }
    let result = try Tool.run(Self.arguments, in: folder)
    #expect(result.status == 0)
    let same = try Tool.run(["diff", "old.sqlite", "Out/new.sqlite"], in: folder)
    #expect(same.status == 0)
    #expect(same.output.contains("equal: 1500 objects"))
  }

  @Test func aFullDiskIsAnErrorThatNamesItAndLeavesNothing() throws {
    let folder = try folder()
    let source = folder.url.appending(path: "old.sqlite")
    let before = try Data(contentsOf: source)
    // The signal would end the process; ignored, writing fails as on a full disk.
    let script = "trap '' XFSZ; ulimit -f 30; exec \"$0\" \"$@\""
    let result = try Tool.run(
      script: script, [try Tool.executable().path] + Self.arguments, in: folder)
    #expect(result.status == 1)
    #expect(result.output.contains("disk"))
    #expect(result.output.hasSuffix("the migration failed; nothing was written\n"))
    #expect(try names(in: folder, "Out") == [])
    #expect(try Data(contentsOf: source) == before)
  }
}
