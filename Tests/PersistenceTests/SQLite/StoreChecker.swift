import Persistence
import TestSupport
import Testing

/// What the independent checker finds in a store of a model.
enum StoreChecker {
  /// Compares a store with what the checker predicts from its model and from its model cache, with
  /// all rows; strictly, as a fresh store must be, or as one that was migrated in place may be.
  /// - Returns: The checker's differences and notes; empty when there are none.
  static func findings(
    in store: URL, model: ManagedObjectModel, strictly isStrict: Bool = true
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(ModelXML.text(of: model), to: "Model.xcdatamodel/contents")
    let options = isStrict ? ["--strict", "--rows"] : ["--rows"]
    let modelPath = folder.url.appending(path: "Model.xcdatamodel").path
    let fromModel = try run(options + [modelPath, store.path])
    let fromCache = try run(options + ["--cache", store.path])
    return fromModel + fromCache
  }

  private static func run(_ arguments: [String]) throws -> [String] {
    let output = try FormatChecker.output(arguments)
    let lines = output.split(separator: "\n").map(String.init)
    #expect(lines.last?.hasSuffix("stores pass") == true, "the checker didn't finish: \(output)")
    return lines.filter { $0.contains("ERROR") || $0.contains("NOTE") || $0.contains("UNREADABLE") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }
}

/// What a program prints.
enum CommandOutput {
  static func of(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

/// SQLite's own command line, as a second opinion on what a file holds.
enum PlainSQLite {
  private static let program = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static let isPresent = program != nil
  static let absenceMessage: Comment = "needs the sqlite3 command"

  /// The rows of a query, columns separated by `|`. The file isn't changed.
  static func rows(_ sql: String, in store: URL) throws -> [String] {
    let location = "file:\(store.path)?immutable=1"
    return try CommandOutput.of(try #require(program), ["-readonly", location, sql])
      .split(separator: "\n").map(String.init)
  }

  /// Changes a file, to damage it on purpose.
  static func change(_ sql: String, in store: URL) throws {
    let output = try CommandOutput.of(try #require(program), [store.path, sql])
    #expect(output.isEmpty, "\(output)")
  }
}
