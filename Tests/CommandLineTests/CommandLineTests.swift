import Foundation
import TestSupport
import Testing

/// Runs the built tool, and looks at what it prints and how it ends.
@Suite(.tags(.process), .tiered)
struct CommandLineTests {
  private static let passing = LibraryScenario.passing.replacing(
    "models:", with: "tags: [library]\nmodels:")

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

  @Test func aMistakeInManyPlacesIsToldOnce() throws {
    let text = Self.passing.replacing(
      "  - count: { Book: 1 }\n",
      with: "  - count: { Buch: 1 }\n  - count: { Buch: 2 }\n  - count: { Boook: 1, Buch: 3 }\n")
    let result = try Tool.run(["run"], in: folder(text))
    #expect(result.status == 2)
    #expect(
      result.errors == """
        Scenarios/Library.scenario.yaml:9:14: error: v2 has no entity 'Buch'; entities of v2: Book
          9 |   - count: { Buch: 1 }
            |              ^~~~
          and 2 times more: 10:14, 11:24
        Scenarios/Library.scenario.yaml:11:14: error: v2 has no entity 'Boook'; did you mean 'Book'?
          11 |   - count: { Boook: 1, Buch: 3 }
             |              ^~~~~

        """, "\(result.errors)")
  }

  /// A value of any length takes a line, and is told from another one.
  @Test func aLargeValueIsCutWithItsLengthAndDigest() throws {
    let large = String(repeating: "x", count: 1_000_000)
    let text = Self.passing.replacing("title: One", with: "title: \(large)").replacing(
      "  - count: { Book: 1 }\n",
      with: "  - { object: Book where pages = 0, has: { title: \(large)y } }\n")
    let result = try Tool.run(["run", "--backend", "memory"], in: folder(text))
    #expect(result.status == 1)
    #expect(result.output.utf8.count < 4000)
    let start = String(repeating: "x", count: 200)
    #expect(
      result.output.contains(
        "found     \"\(start)…\" (1000000 characters, SHA-256 1b977e9f84f1b26b…)\n"),
      "\(result.output)")
    #expect(result.output.contains("expected  \"\(start)…\" (1000001 characters, SHA-256 "))
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

  @Test func noScenarioAtAllEndsWith3() throws {
    let folder = try TemporaryFolder()
    try folder.write("scenario: s\n", to: "Scenarios/Library.yaml")
    let result = try Tool.run(["run"], in: folder)
    #expect(result.status == 3)
    #expect(result.errors == "nothing ran: there is no *.scenario.yaml in Scenarios\n")
  }

  @Test func anEmptySelectionEndsWith4() throws {
    let folder = try folder()
    for arguments in [["--filter", "songs"], ["--tag", "songs"], ["--start", "v7"]] {
      let result = try Tool.run(["run"] + arguments, in: folder)
      #expect(result.status == 4)
      #expect(
        result.errors == """
          nothing ran: none of 1 scenario in Scenarios was left
            left out 1: by \(arguments.joined(separator: " "))

          """)
    }
    let selected = try Tool.run(["run", "--filter", "LIBRARY", "--tag", "library"], in: folder)
    #expect(selected.status == 0)
  }

  @Test func onlySkippedScenariosEndWith4() throws {
    let folder = try folder(Self.passing + "skip: waits for the server\n")
    let result = try Tool.run(["run"], in: folder)
    #expect(result.status == 4)
    #expect(
      result.errors == """
        nothing ran: none of 1 scenario in Scenarios was left
          skipped 1: waits for the server

        """)
    try folder.write(Self.passing, to: "Scenarios/Other.scenario.yml")
    let other = try Tool.run(["run"], in: folder)
    #expect(other.status == 0)
    #expect(other.output.hasSuffix("\nskipped 1: waits for the server\n"), "\(other.output)")
  }

  @Test func aScenarioThatExpectsNothingEndsWith5() throws {
    let text = Self.passing.replacing("  - count: { Book: 1 }\n", with: "")
    let result = try Tool.run(["run"], in: folder(text))
    #expect(result.status == 5)
    #expect(result.output.contains("nothing expected: the scenario"))
  }

  @Test func expectationsAboutTheSeedAloneEndWith5() throws {
    let seedOnly = Self.passing.replacing(
      "  - count: { Book: 1 }\n", with: "  - { at: v1, count: { Book: 1 } }\n")
    let result = try Tool.run(["run", "--backend", "memory"], in: folder(seedOnly))
    #expect(result.status == 5)
    #expect(
      result.output.contains(
        """
        nothing expected: the scenario
              expected  something to check
              found     of a start at v1, only the store before the first step is checked
        """), "\(result.output)")
    #expect(
      result.output.contains("expect something of v2, to which the steps lead"), "\(result.output)")
    let both = seedOnly + "  - count: { Book: 1 }\n"
    #expect(try Tool.run(["run", "--backend", "memory"], in: folder(both)).status == 0)
    let stays = seedOnly.replacing("chain: [v1 -> v2]", with: "start: v1")
    #expect(stays != seedOnly)
    #expect(try Tool.run(["run", "--backend", "memory"], in: folder(stays)).status == 0)
  }

  @Test func anExpectationOverNothingEndsWith5() throws {
    let text = Self.passing.replacing("seed: { Book: [{ title: One }] }\n", with: "")
      .replacing("count: { Book: 1 }", with: "unique: Book.title")
    let result = try Tool.run(["run", "--backend", "memory"], in: folder(text))
    #expect(result.status == 5)
    #expect(result.output.contains("nothing looked at: Book\n      expected  objects to look at"))
  }

  @Test func anInverseWithoutLinksEndsWith5UnlessEachObjectIsExpectedToHaveNone() throws {
    let tags = ", tags: '[Tag] <-> books' }, Tag: { name: string, books: '[Book] <-> tags' } }\n"
    let seed =
      "seed: { Book: [{ id: one, title: One }, { id: two, title: Two }], Tag: [{ name: a }] }"
    func status(_ expectations: String) throws -> Int32 {
      let text = Self.passing.replacing(" } }\n", with: tags)
        .replacing("seed: { Book: [{ title: One }] }", with: seed)
        .replacing("  - count: { Book: 1 }\n", with: "  - inverse: Book.tags\n" + expectations)
      return try Tool.run(["run", "--backend", "memory"], in: folder(text)).status
    }
    let one = "  - { object: Book one, has: { tags: [] } }\n"
    #expect(try status("") == 5)
    #expect(try status(one) == 5)
    #expect(try status(one + one) == 5)
    #expect(try status(one + "  - { object: Book two, has: { tags.name: [] } }\n") == 0)
  }

  @Test func aMissingFileEndsWith6() throws {
    let seed = "store: old.sqlite"
    let text = Self.passing.replacing("seed: { Book: [{ title: One }] }", with: seed)
    let store = try Tool.run(["run"], in: folder(text))
    #expect(store.status == 6)
    #expect(store.errors.contains(":6:8: error: there is no file 'old.sqlite' beside the scenario"))
    let device = try Tool.run(["run"], in: folder(Self.passing + "device: after.sqlite\n"))
    #expect(device.status == 6)
    #expect(
      device.errors.contains(":9: error: there is no file 'after.sqlite' beside the scenario"))
    let model = Self.passing.replacing("{ Book: { title: string } }", with: "No.xcdatamodel")
    #expect(try Tool.run(["run"], in: folder(model)).status == 6)
    let policies = Self.passing + "policies: { module: App, sources: Policies/*.swift }\n"
    let glob = try Tool.run(["run"], in: folder(policies))
    #expect(glob.status == 6)
    #expect(glob.output.contains("no file matches 'Policies/*.swift'"), "\(glob)")
  }

  @Test func aStepThatIsNotExecutedFails() throws {
    let text = Self.passing.replacing(", pages: int16 = 0 }", with: " }")
    let result = try Tool.run(["run", "--backend", "memory"], in: folder(text))
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        """
            Scenarios/Library.scenario.yaml:7:9: not executed: the step
              expected  to be executed
              found     the store already fits v2
        """), "\(result.output)")
    let expected = try Tool.run(["run"], in: folder(text + "  - steps: []\n"))
    #expect(expected.status == 0)
  }

  @Test func anExpectationThatCannotFailEndsWith2() throws {
    for (expectation, column, problem) in [
      ("none: Book where FALSEPREDICATE", 22, "this condition holds for no object"),
      ("all: Book where pages == pages", 21, "'pages == pages' holds for every value of 'pages'"),
      ("count: {}", 5, "'count' lists nothing, so it can't fail"),
    ] {
      let result = try Tool.run(["run"], in: folder(Self.passing + "  - \(expectation)\n"))
      #expect(result.status == 2)
      #expect(
        result.errors.hasPrefix("Scenarios/Library.scenario.yaml:10:\(column): error: \(problem)"),
        "\(result.errors)")
    }
  }

  @Test func everyExitStatusIsInHelpAndDocumentation() throws {
    let help = try Tool.run(["run", "--help"], in: folder()).output
    let table = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/exit-statuses.md")
        .standardizedFileURL, encoding: .utf8)
    for (number, text) in [
      (0, "every run passed"), (1, "a run failed"), (2, "a scenario or an argument is wrong"),
      (3, "there is no scenario"), (4, "every scenario was skipped or left out"),
      (5, "nothing was expected, or there was nothing to check"),
      (6, "a file that a scenario names doesn't exist"),
      (7, "a report couldn't be written"),
    ] {
      let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("\(number) ") && words.contains(text), "\(number) in \(help)")
      #expect(table.contains("| \(number) | ") && table.contains(text), "\(number)")
    }
  }

  @Test func storesAreKeptWhereItIsSaid() throws {
    let folder = try folder()
    for _ in 1...2 {
      let result = try Tool.run(["run", "--keep", "Kept"], in: folder)
      #expect(result.status == 0)
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "Kept/Scenarios/Library.v1.run").path)
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
  static let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

  typealias Result = (status: Int32, output: String, errors: String)

  /// Runs the tool, and sees that a report for machines is what its schema says, whatever it is about.
  static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> Result {
    let result = try run(executable(), arguments, in: folder)
    try PrintedReport(of: arguments, result, in: folder)?.followsItsSchema()
    return result
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

/// What a call printed for machines, or wrote for them into a file.
struct PrintedReport {
  private let schema: URL
  private let arguments: [String]
  private let report: Any

  /// Nil for a call without `--json`, and for one that ended before there was a report.
  init?(of arguments: [String], _ result: Tool.Result, in folder: TemporaryFolder) {
    guard let command = arguments.first, let place = arguments.firstIndex(of: "--json") else {
      return nil
    }
    let file = arguments.dropFirst(place + 1).first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    let data =
      file.map { try? Data(contentsOf: folder.url.appending(path: $0)) }
      ?? Data(result.output.utf8)
    guard let data, let report = try? JSONSerialization.jsonObject(with: data) else { return nil }
    let names = ["run": arguments.contains("--list") ? "list" : "report"]
    schema = Tool.package.appending(path: "docs/\(names[command] ?? command).schema.json")
    self.arguments = arguments
    self.report = report
  }

  func followsItsSchema() throws {
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: schema)) as? [String: Any])
    #expect(SchemaCheck(schema).problems(report) == [], "\(arguments)")
  }
}
