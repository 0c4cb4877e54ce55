import Foundation
import Testing

/// The independent checker of store files, a Python script beside the corpus: it predicts a store's layout and
/// version hashes from its model, and shares no code with this package.
///
/// Where it is missing, tests that use it beside other things go on without. So that this doesn't go unnoticed, each
/// module that uses it has a test of the checker itself, which then counts as skipped.
public enum FormatChecker {
  public static let isPresent = script != nil && python != nil
  public static let absenceMessage: Comment =
    "the layout of stores isn't checked: it needs store-format-check.py beside the corpus, and python3"

  private static let script = Corpus.reference("store-format-check.py")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Has it look at stores.
  /// - Returns: What it prints: findings with `ERROR`, `NOTE` or `UNREADABLE`, and at the end how many stores pass.
  public static func output(_ arguments: [String]) throws -> String {
    try run(["-B", try #require(script).path] + arguments)
  }

  /// Changes a store behind its back, to see that the checker notices.
  public static func damage(_ store: URL, by sql: String) throws {
    let program = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      store.execute(sys.argv[2])
      store.commit()
      """
    let output = try run(["-c", program, store.path, sql])
    #expect(output == "")
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: try #require(python))
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output
  }
}
