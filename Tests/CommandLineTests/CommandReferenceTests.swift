import Foundation
import TestSupport
import Testing

/// `docs/commands` has a page for each command, made of what the command says of itself.
///
/// `HEAVYWEIGHT_REGENERATE=1` writes them.
@Suite(.tags(.process), .tiered) struct CommandReferenceTests {
  private static let docs = URL(filePath: #filePath).appending(path: "../../../docs")
    .standardizedFileURL
  private static let pages = docs.appending(path: "commands")

  /// The commands that `heavyweight --help` lists.
  private static func commands() throws -> [String] {
    let help = try Tool.run(["--help"], in: TemporaryFolder()).output
    let list = try #require(help.components(separatedBy: "SUBCOMMANDS:\n").last)
    return list.matches(of: #/(?m)^  ([a-z][a-z-]*) /#).map { String($0.output.1) }
  }

  private static func page(of command: String) throws -> String {
    let help = try Tool.run(
      script: "COLUMNS=80 exec \"$0\" \"$@\"",
      [Tool.executable().path, command, "--help"], in: TemporaryFolder()
    ).output
    let hasMore = FileManager.default.fileExists(
      atPath: docs.appending(path: "\(command).md").path)
    return """
      # heavyweight \(command)

      <!-- Made of `heavyweight \(command) --help` by
           HEAVYWEIGHT_REGENERATE=1 swift test --filter CommandReferenceTests -->

      ```text
      \(help.trimmingCharacters(in: .newlines).replacing(#/ +\n/#, with: "\n"))
      ```
      \(hasMore ? "\n[More about `\(command)`](../\(command).md), with examples of what it prints.\n" : "")
      """
  }

  @Test func eachCommandHasAPageMadeOfItsHelp() throws {
    let commands = try Self.commands()
    #expect(commands.count > 10)
    let writes = ProcessInfo.processInfo.environment["HEAVYWEIGHT_REGENERATE"] == "1"
    let files = FileManager.default
    if writes {
      try? files.removeItem(at: Self.pages)
      try files.createDirectory(at: Self.pages, withIntermediateDirectories: true)
    }
    for command in commands {
      let file = Self.pages.appending(path: "\(command).md")
      let page = try Self.page(of: command)
      if writes { try Data(page.utf8).write(to: file) }
      let written = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      #expect(
        written == page,
        "docs/commands/\(command).md is out of date: HEAVYWEIGHT_REGENERATE=1 writes it")
    }
    #expect(
      try files.contentsOfDirectory(atPath: Self.pages.path).sorted()
        == commands.map { "\($0).md" }.sorted())
  }

  @Test func theIndexListsEveryCommandOnce() throws {
    let text = try String(contentsOf: Self.docs.appending(path: "README.md"), encoding: .utf8)
    for command in try Self.commands() {
      #expect(
        text.ranges(of: "| [\(command)](commands/\(command).md) | ").count == 1, "\(command)")
    }
  }
}
