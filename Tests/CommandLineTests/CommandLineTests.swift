import Foundation
import TestSupport
import Testing

/// Runs the built tool, and looks at what it prints and how it ends.
@Suite struct CommandLineTests {
  private static let passing = """
    scenario: A library grows
    tags: [library]
    models:
      v1: { Book: { title: string } }
      v2: { Book: { title: string, pages: int16 = 0 } }
    seed: { Book: [{ title: One }] }
    chain: [v1 -> v2]
    expect:
      - count: { Book: 1 }

    """

  /// A folder with one scenario.
  private func folder(_ text: String = passing) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "Scenarios/Library.scenario.yaml")
    return folder
  }

  @Test func passedRunsEndWith0() throws {
    let result = try Tool.run(["run"], in: folder())
    #expect(result.status == 0)
    #expect(result.output.contains("✓ A library grows"))
    #expect(result.output.contains("1 scenario, 2 runs: 2 passed, in "))
    #expect(!result.output.contains("\u{1B}"))
    #expect(result.errors == "")
  }

  @Test func aFailedRunEndsWith1() throws {
    let text = Self.passing.replacing("Book: 1 }", with: "Book: 2 }")
    let result = try Tool.run(["run", "--backend", "memory"], in: folder(text))
    #expect(result.status == 1)
    #expect(result.output.contains("Scenarios/Library.scenario.yaml:9:20: count of Book"))
    #expect(result.output.contains("1 scenario, 1 run: 0 passed, 1 failed, in "))
  }

  @Test func mistakesInAScenarioEndWith2AndNothingRuns() throws {
    let text = Self.passing.replacing("title: One", with: "titel: One")
    let result = try Tool.run(["run"], in: folder(text))
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(
      result.errors == """
        Scenarios/Library.scenario.yaml:6:18: error: entity 'Book' of v1 has no property 'titel'; \
        did you mean 'title'?
          6 | seed: { Book: [{ titel: One }] }
            |                  ^~~~~

        """)
  }

  @Test func wrongArgumentsEndWith2() throws {
    let folder = try folder()
    let unknown = try Tool.run(["run", "--bakend", "memory"], in: folder)
    #expect(unknown.status == 2)
    #expect(unknown.errors.hasPrefix("Error: Unknown option '--bakend'. Did you mean '--backend'?"))
    let backend = try Tool.run(["run", "--backend", "mysql"], in: folder)
    #expect(backend.status == 2)
    #expect(backend.errors.hasPrefix("Error: There is no backend 'mysql'; choose from memory,"))
    let path = try Tool.run(["run", "Nowhere"], in: folder)
    #expect(path.status == 2)
    #expect(path.errors == "Nowhere: error: no such file or folder\n")
  }

  @Test func anEmptySelectionEndsWith3() throws {
    let folder = try folder()
    for arguments in [["--filter", "songs"], ["--tag", "songs"], ["--start", "v7"]] {
      let result = try Tool.run(["run"] + arguments, in: folder)
      #expect(result.status == 3)
      #expect(result.errors == "nothing ran: none of 1 scenarios in Scenarios was selected\n")
    }
    let selected = try Tool.run(["run", "--filter", "LIBRARY", "--tag", "library"], in: folder)
    #expect(selected.status == 0)
  }

  @Test func aScenarioThatExpectsNothingEndsWith3() throws {
    let text = Self.passing.replacing("  - count: { Book: 1 }\n", with: "")
    let result = try Tool.run(["run"], in: folder(text))
    #expect(result.status == 3)
    #expect(result.output.contains("nothing expected: the scenario"))
  }

  @Test func storesAreKeptWhereItIsSaid() throws {
    let folder = try folder()
    for _ in 1...2 {
      let result = try Tool.run(["run", "--keep", "Kept"], in: folder)
      #expect(result.status == 0)
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "Kept/Library.v1.run").path)
    #expect(files == ["store.sqlite"])
  }

  @Test func aReportForMachinesGoesToAFileOrStandardOutput() throws {
    let folder = try folder()
    let toFile = try Tool.run(["run", "--json", "report.json"], in: folder)
    #expect(toFile.status == 0)
    #expect(toFile.output.contains("✓ A library grows"))
    let data = try Data(contentsOf: folder.url.appending(path: "report.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect((json["runs"] as? [Any])?.count == 2)
    let toOutput = try Tool.run(["run", "--json", "-"], in: folder)
    let printed = try JSONSerialization.jsonObject(with: Data(toOutput.output.utf8))
    #expect((printed as? [String: Any])?["format"] as? Int == 1)
  }

  @Test func helpTeaches() throws {
    let result = try Tool.run(["run", "--help"], in: folder())
    #expect(result.status == 0)
    for text in ["EXAMPLES", "EXIT STATUS", "--backend", "--keep", "nothing ran"] {
      #expect(result.output.contains(text))
    }
  }
}

/// The built tool, which lies beside the test bundle.
enum Tool {
  typealias Result = (status: Int32, output: String, errors: String)

  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Result {
    try run(executable(), arguments, in: folder)
  }

  /// Runs a shell script, whose `$0` and `$@` are `arguments`.
  static func run(
    script: String, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Result {
    try run(URL(filePath: "/bin/bash"), ["-c", script] + arguments, in: folder)
  }

  private static func run(
    _ program: URL, _ arguments: [String], in folder: TemporaryFolder
  ) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // What the tool prints here fits the pipes' buffers.
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    let complained = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (
      process.terminationStatus, String(decoding: printed, as: UTF8.self),
      String(decoding: complained, as: UTF8.self)
    )
  }

  /// Starts the tool and doesn't wait; what it prints is lost.
  static func start(_ arguments: [String], in folder: TemporaryFolder) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  static func executable() throws -> URL {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let url = folder.appending(path: "heavyweight")
    if FileManager.default.isExecutableFile(atPath: url.path) { return url }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
  }
}
