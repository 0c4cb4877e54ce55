import ObjectModel
import Testing

/// The `sqlite3` command line, which reads stores without any of this project's code.
struct SQLiteShell {
  static let executable = CommandLineTool.find("sqlite3")
  static let absenceMessage: Comment = "needs the sqlite3 command line (package sqlite3)"

  let database: URL

  /// The rows of a query, by column name.
  func rows(_ query: String) throws -> [[String: SQLiteLiteral]] {
    let output = try run([query], options: ["-quote", "-header"])
    var parser = SQLiteLiteralParser(output)
    let lines = try parser.rows()
    guard let header = lines.first else { return [] }
    let names = header.compactMap(\.text)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(names, $0)) }
  }

  func text(_ command: String) throws -> String {
    String(decoding: try run([command], options: []), as: UTF8.self)
  }

  private func run(_ commands: [String], options: [String]) throws -> Data {
    let executable = try #require(Self.executable)
    // `immutable` keeps sqlite3 from making files beside a database that it only reads.
    let name = "file:\(database.path)?immutable=1"
    return try CommandLineTool(executable: executable)
      .run(["-batch", "-bail", "-readonly"] + options + [name] + commands)
  }
}

/// A program that is run to its end.
struct CommandLineTool {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let executable: URL

  /// The program `name` in the folders of `PATH`; nil where there is none.
  static func find(_ name: String) -> URL? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { URL(filePath: String($0)).appending(path: name) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// What the program writes.
  /// - Throws: ``Failure`` with all its output when it doesn't succeed.
  func run(_ arguments: [String]) throws -> Data {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "\(executable.lastPathComponent) \(arguments.joined(separator: " ")):\n"
          + String(decoding: data + message, as: UTF8.self))
    }
    return data
  }
}
