import Foundation
import TestSupport
import Testing

@testable import Scenarios
@testable import Terminal

/// `heavyweight.yaml`: where it is found, what is wrong with it, and what scenarios take of it.
@Suite struct ProjectFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func project(_ text: String) throws -> ProjectFile {
    try folder.write("models: {}\n", to: "App.yaml")
    let url = try folder.write(text, to: ProjectFile.name)
    return try ProjectFile(at: url, shownAs: ProjectFile.name)
  }

  private func complaint(_ text: String) -> String {
    do {
      _ = try project(text)
      return ""
    } catch { return "\(error)" }
  }

  // MARK: Finding

  @Test func theNearestOneAboveAFolderCounts() throws {
    let outer = try folder.write("models: App.xcdatamodeld\n", to: "heavyweight.yaml")
    try folder.write("x", to: "App.xcdatamodeld/x")
    let inner = try folder.write("{}\n", to: "a/heavyweight.yaml")
    try folder.write("x", to: "a/b/c/x")
    try folder.write("x", to: "d/heavyweight.yaml/x")
    let found = try #require(
      try ProjectFile.find(from: folder.url.appending(path: "a/b/c"), [:]))
    #expect(found.url.standardizedFileURL == inner.standardizedFileURL)
    #expect(found.file.path == "../../heavyweight.yaml")
    let above = try #require(try ProjectFile.find(from: folder.url.appending(path: "d"), [:]))
    #expect(above.url.standardizedFileURL == outer.standardizedFileURL)
    #expect(try above.model() == "../App.xcdatamodeld")
  }

  @Test func theEnvironmentNamesAnotherOneOrNone() throws {
    try folder.write("{}\n", to: "heavyweight.yaml")
    let other = try folder.write("module: A\npolicies: P.swift\n", to: "other.yaml")
    let found = try ProjectFile.find(from: folder.url, ["HEAVYWEIGHT_PROJECT": other.path])
    #expect(found?.module?.value == "A")
    #expect(try ProjectFile.find(from: folder.url, ["HEAVYWEIGHT_PROJECT": ""]) == nil)
    #expect(throws: Diagnostics.self) {
      try ProjectFile.find(from: folder.url, ["HEAVYWEIGHT_PROJECT": "/nowhere/x.yaml"])
    }
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      "modles: x",
      """
      heavyweight.yaml:1:1: error: unknown key 'modles' in a project file; did you mean 'models'?
        1 | modles: x
          | ^~~~~~
      """
    ),
    (
      "models: Nowhere.xcdatamodeld",
      """
      heavyweight.yaml:1:9: error: there is no 'Nowhere.xcdatamodeld' here
        1 | models: Nowhere.xcdatamodeld
          |         ^~~~~~~~~~~~~~~~~~~~
      """
    ),
    (
      "module: A",
      """
      heavyweight.yaml:1:1: error: 'module' needs 'policies' beside it
        1 | module: A
          | ^~~~~~
      """
    ),
    (
      "policies: P.swift",
      """
      heavyweight.yaml:1:1: error: 'policies' need 'module', as in 'module: Songbook'
        1 | policies: P.swift
          | ^~~~~~~~
      """
    ),
    (
      "mappings: []",
      """
      heavyweight.yaml:1:11: error: 'mappings' lists nothing
        1 | mappings: []
          |           ^
      """
    ),
    (
      "- a",
      """
      heavyweight.yaml:1:1: error: 'heavyweight.yaml' must be a map, not a list
        1 | - a
          | ^
      """
    ),
  ])
  func mistakesHavePlaces(_ text: String, _ message: String) {
    #expect(complaint(text) == message)
  }

  @Test func aCommandThatTakesOneModelSaysThatThereAreSeveral() throws {
    try folder.write("x", to: "A.xcdatamodeld/x")
    try folder.write("x", to: "B.xcdatamodeld/x")
    let project = try project("models: [A.xcdatamodeld, B.xcdatamodeld]")
    let error = #expect(throws: Diagnostics.self) { try project.model() }
    #expect(error?.all.map(\.message) == ["this command takes one model: name it"])
  }

  @Test func theSchemaHasAllKeys() throws {
    let data = try Data(
      contentsOf: DocumentationTests.package.appending(path: "docs/project.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set((schema["properties"] as? [String: Any] ?? [:]).keys) == Set(ProjectFile.keys))
  }

  // MARK: Options

  private static let help = """
    {"command": {"commandName": "heavyweight", "subcommands": [
      {"commandName": "run", "arguments": [
        {"kind": "positional", "isRepeating": true, "shouldDisplay": true, "valueName": "path"},
        {"kind": "option", "isRepeating": false, "shouldDisplay": true, "valueName": "number",
         "names": [{"kind": "long", "name": "jobs"}]},
        {"kind": "option", "isRepeating": true, "shouldDisplay": true, "valueName": "tag",
         "names": [{"kind": "long", "name": "tag"}]},
        {"kind": "option", "isRepeating": false, "shouldDisplay": true, "valueName": "file",
         "names": [{"kind": "short", "name": "o"}, {"kind": "long", "name": "output"}]},
        {"kind": "flag", "isRepeating": false, "shouldDisplay": true, "valueName": "quiet",
         "names": [{"kind": "long", "name": "quiet"}]},
        {"kind": "flag", "isRepeating": false, "shouldDisplay": true, "valueName": "verbose",
         "names": [{"kind": "long", "name": "verbose"}, {"kind": "short", "name": "v"}]}]}]}}
    """

  private struct Wrong: Error { let text: String }

  /// Takes whole numbers as jobs, and not `--quiet` with `--verbose`.
  private static func parse(_ arguments: [String]) throws -> [String] {
    for argument in arguments where argument.hasPrefix("--jobs=") {
      guard let jobs = Int(argument.dropFirst(7)) else {
        throw Wrong(text: "The value is invalid for '--jobs <number>'")
      }
      if jobs < 1 { throw Wrong(text: "--jobs must be at least 1.") }
    }
    let isQuiet = arguments.contains("--quiet")
    if isQuiet, arguments.contains("--verbose") || arguments.contains("-v") {
      throw Wrong(text: "--quiet and --verbose contradict each other.")
    }
    return arguments
  }

  private func parsed(_ defaults: String, _ typed: String...) throws -> [String] {
    let project = try project("defaults: { run: \(defaults) }")
    return try ProjectArguments(project, help: Self.help).parse(
      typed, by: Self.parse, message: { ($0 as? Wrong)?.text ?? "\($0)" }
    ).command
  }

  @Test func defaultsAreAddedUnlessTheyWereTyped() throws {
    let all = "{ jobs: 4, tag: [a, b], output: x.json, quiet: true, verbose: false }"
    #expect(
      try parsed(all, "run", "here", "--", "-x") == [
        "run", "here", "--jobs=4", "--tag=a", "--tag=b", "--output=x.json", "--quiet", "--", "-x",
      ])
    #expect(
      try parsed(all, "run", "--jobs", "1", "--tag=c", "-o", "y") == [
        "run", "--jobs", "1", "--tag=c", "-o", "y", "--quiet",
      ])
    #expect(try parsed(all, "check") == ["check"])
  }

  @Test func whatContradictsWhatWasTypedIsLeftOut() throws {
    #expect(
      try parsed("{ quiet: true, jobs: 2 }", "run", "--verbose") == [
        "run", "--verbose", "--jobs=2",
      ])
  }

  @Test(arguments: [
    ("{ jobs: many }", "1:26: The value is invalid for '--jobs <number>'"),
    ("{ jobs: 0 }", "1:26: --jobs must be at least 1."),
    ("{ quiet: true, verbose: true }", "1:42: --quiet and --verbose contradict each other."),
    ("{ jbos: 1 }", "1:20: 'run' has no option '--jbos'; did you mean 'jobs'?"),
    ("{ jobs: [1, 2] }", "1:26: 'jobs' must be text, not a list"),
    ("{ quiet: 1 }", "1:27: 'quiet' must be true or false, not '1'"),
    ("{}, rnu: {}", "1:22: there is no command 'rnu'; did you mean 'run'?"),
  ])
  func wrongDefaultsHavePlaces(_ defaults: String, _ message: String) {
    let error = #expect(throws: Diagnostics.self) { try self.parsed(defaults, "run") }
    let told = error?.all.map { problem in
      "\(problem.place.map { "\($0.line):\($0.column): " } ?? "")\(problem.message)"
    }
    #expect(told == [message])
  }

  // MARK: Scenarios

  @Test func scenariosTakeModelsMappingsAndPoliciesThatTheyHaveNoneOf() throws {
    let tags = DocumentationTests.scenarios.appending(path: "Tags")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "App"), withIntermediateDirectories: true)
    for name in ["Locations.xcdatamodeld", "Policies"] {
      try FileManager.default.copyItem(
        at: tags.appending(path: name), to: folder.url.appending(path: "App/" + name))
    }
    let project = try project(
      """
      models: App/Locations.xcdatamodeld
      policies: App/Policies/TagsMigrationPolicy.swift
      module: Locations

      """)
    func load(_ text: String) throws -> CheckedScenario {
      let file = try folder.write("scenario: s\n" + text, to: "deep/a.scenario.yaml")
      return try ProjectFile.$current.withValue(project) {
        try CheckedScenario.load(contentsOf: file)
      }
    }
    let inferred = try load("chain: [Locations -> Locations 2]\n")
    #expect(inferred.models.names == ["Locations", "Locations 2"])
    // Nothing of a lightweight chain calls code.
    #expect(inferred.scenario.policies.isEmpty)
    let mapped = try load(
      """
      chain:
        - Locations -> Locations 2:
            EventToEvent: { source: Event, destination: Event, policy: Locations.TagsMigrationPolicy }
      """)
    #expect(mapped.scenario.policies.map(\.name.value) == ["Locations"])
    #expect(
      mapped.scenario.policies.first?.sources.map(\.value)
        == [folder.url.appending(path: "App/Policies/TagsMigrationPolicy.swift").path])
    let files = try ProjectFile.$current.withValue(project) { try mapped.filesForSandbox().read }
    #expect(files.contains(folder.url.appending(path: "heavyweight.yaml").path))
    let own = try load("models: { v1: { Song: { title: string } } }\n")
    #expect(own.models.names == ["v1"])
  }
}
