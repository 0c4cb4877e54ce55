import Foundation
import Testing

/// The independent checker of store files, `Tests/Fixtures/store-format-check.py`: it predicts a store's layout and
/// version hashes from its model, and shares no code with the engine. Without Python the tests that use it fail.
public enum FormatChecker {
  private static let script = Fixture.url("store-format-check.py")
  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Has it look at stores.
  /// - Returns: What it prints: findings with `ERROR`, `NOTE` or `UNREADABLE`, and at the end how many stores pass.
  public static func output(_ arguments: [String]) throws -> String {
    try run(["-B", script.path] + arguments)
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
    let python = try #require(
      python, "the layout of stores is checked with python3: ./ci.sh installs it")
    process.executableURL = URL(filePath: python)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output
  }
}
