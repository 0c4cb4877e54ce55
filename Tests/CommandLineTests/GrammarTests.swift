import Foundation
import TestSupport
import Testing

/// One grammar of flags over all commands, and JSON that is what its schema says.
@Suite(.tags(.process), .tiered) struct GrammarTests {
  /// What the argument parser tells of itself.
  private struct Dump: Decodable { let command: Command }

  private struct Command: Decodable {
    let commandName: String
    let shouldDisplay: Bool?
    let arguments: [Argument]?
    let subcommands: [Command]?
  }

  private struct Argument: Decodable {
    struct Name: Decodable { let name: String }
    let kind: String
    let shouldDisplay: Bool?
    let isOptional: Bool
    let names: [Name]?
    let valueName: String?
    let abstract: String?
  }

  private func commands() throws -> [Command] {
    let result = try Tool.run(["--experimental-dump-help"], in: TemporaryFolder())
    let dump = try JSONDecoder().decode(Dump.self, from: Data(result.output.utf8))
    return (dump.command.subcommands ?? []).filter {
      $0.shouldDisplay != false && $0.commandName != "help"
    }
  }

  private func options(of command: Command) -> [String: Argument] {
    let named = (command.arguments ?? []).flatMap { argument in
      (argument.names ?? []).map { ($0.name, argument) }
    }
    return Dictionary(named) { first, _ in first }
  }

  @Test func everyCommandHasColours() throws {
    let commands = try commands()
    #expect(commands.count > 10)
    for command in commands {
      let color = options(of: command)["color"]
      #expect(color?.kind == "option", "\(command.commandName)")
      #expect(color?.valueName == "when", "\(command.commandName)")
    }
  }

  @Test func everyCommandIsQuietOrVerbose() throws {
    for command in try commands() {
      for name in ["quiet", "verbose", "v"] {
        #expect(options(of: command)[name]?.kind == "flag", "\(command.commandName) \(name)")
      }
    }
  }

  @Test func quietPrintsOnlyWhatFails() throws {
    let folder = try folder()
    let check = ["check", "App.xcdatamodeld", "--quiet"]
    #expect(try Tool.run(check, in: folder) == (0, "", ""))
    let red = try Tool.run(check + ["--strict"], in: folder)
    #expect(red.status == 1 && red.output.contains("removed-property"), "\(red)")
    #expect(try Tool.run(["explain", "1570", "--quiet"], in: folder).output.hasPrefix("1570"))
    #expect(try Tool.run(check + ["--verbose"], in: folder).status == 2)
  }

  /// An option means one thing wherever it is, and its former name is taken with a warning.
  @Test func formerNamesAreTakenWithAWarning() throws {
    let commands = try commands()
    for (name, meaning) in [
      ("keep", "run"), ("save", "bench"), ("accepted", "check lock mutate smoke"),
    ] {
      let found = commands.filter { options(of: $0)[name] != nil }.map(\.commandName)
      #expect(found.sorted() == meaning.split(separator: " ").map(String.init), "--\(name)")
    }
    let folder = try folder()
    try folder.write(
      "silence: [{ rule: removed-property, entity: Book, reason: Nobody reads it. }]\n",
      to: "old.yaml")
    let check = ["check", "App.xcdatamodeld", "--since", "App 2", "--strict"]
    let today = try Tool.run(check + ["--accepted", "old.yaml"], in: folder)
    #expect(today.status == 0, "\(today)")
    #expect(
      today.errors == "old.yaml:1:1: warning: 'silence' is 'accepted' now, and alone in 0.5\n")
    for former in [["--silence", "old.yaml"], ["--silence=old.yaml"]] {
      let result = try Tool.run(check + former, in: folder)
      #expect(result.output == today.output)
      #expect(
        result.errors.hasPrefix(
          "warning: '--silence' of 'check' is '--accepted' now; 0.5 won't know the former name\n"))
    }
    try folder.write("defaults: { check: { silence: old.yaml } }\n", to: "heavyweight.yaml")
    let project = try Tool.run(check, in: folder)
    #expect(project.output == today.output)
    #expect(
      project.errors.contains("heavyweight.yaml:1:22: warning: '--silence' of 'check'"),
      "\(project.errors)")
  }

  @Test func aMisspeltCommandIsToldWhichWasMeant() throws {
    let wrong = try Tool.run(["chek", "x"], in: TemporaryFolder())
    #expect(wrong.status == 2)
    #expect(wrong.errors.hasPrefix("Error: There is no command 'chek'; did you mean 'check'?\n"))
    let strange = try Tool.run(["sing"], in: TemporaryFolder())
    #expect(strange.errors.hasPrefix("Error: There is no command 'sing'; commands: adopt, bench, "))
  }

  /// As a path, nothing is the working folder, or with a slash the whole disk.
  @Test func anEmptyArgumentIsNoPath() throws {
    for arguments in [["run", ""], ["check", ""], ["model", "", "-o", "X.xcdatamodeld"]] {
      let result = try Tool.run(arguments, in: TemporaryFolder())
      #expect(result.status == 2)
      #expect(
        result.errors.hasPrefix(
          "Error: An argument is empty. Set the variable that it comes from, or leave it out.\n"),
        "\(result)")
    }
  }

  /// What an option is called, takes and does is the same wherever it is.
  @Test func anOptionIsTheSameEverywhere() throws {
    let shared = [
      "json", "junit", "html", "github", "mappings", "policies", "module", "stubs", "order",
      "models", "since", "progressive", "sandbox", "color", "memory", "timeout", "accepted",
    ]
    let commands = try commands()
    for name in shared {
      let found = commands.compactMap { command in
        options(of: command)[name].map { (command.commandName, $0) }
      }
      #expect(!found.isEmpty, "--\(name)")
      #expect(Set(found.map(\.1.kind)).count == 1, "--\(name): \(found.map(\.0))")
      #expect(
        Set(found.map { $0.1.valueName ?? "" }).count == 1,
        "--\(name): \(found.map { "\($0.0) \($0.1.valueName ?? "-")" })")
    }
  }

  /// Commands that tell of findings tell machines of them.
  @Test func findingsAreToldInEveryForm() throws {
    let commands = try commands()
    for name in [
      "run", "check", "lock", "inspect", "smoke", "crash", "mutate", "diff", "compare", "bench",
      "migrate", "report",
    ] {
      let known = options(of: try #require(commands.first { $0.commandName == name }))
      for option in ["json", "junit", "html", "github"] {
        #expect(known[option] != nil, "\(name) --\(option)")
      }
    }
  }

  @Test func everyCommandWithJSONHasASchema() throws {
    let schemas = try Tool.run(["schema"], in: TemporaryFolder()).output
    let names = Set(schemas.split(separator: "\n").map { String($0.prefix { $0 != " " }) })
    for command in try commands() where options(of: command)["json"] != nil {
      let name = ["run": "report"][command.commandName] ?? command.commandName
      #expect(names.contains(name), "\(command.commandName)")
    }
  }

  /// An editor takes for a mistake what the schema of project files doesn't know.
  @Test func projectFilesMayHaveDefaultsOfEveryCommand() throws {
    let text = try Data(contentsOf: Tool.package.appending(path: "docs/project.schema.json"))
    let schema = try #require(JSONSerialization.jsonObject(with: text) as? [String: Any])
    let properties = schema["properties"] as? [String: [String: Any]]
    let names = properties?["defaults"]?["propertyNames"] as? [String: [String]]
    #expect(try names?["enum"]?.sorted() == commands().map(\.commandName).sorted())
  }

  @Test func colourIsAsAskedFor() throws {
    let folder = try TemporaryFolder()
    #expect(
      try Tool.run(["explain", "1570", "--color", "always"], in: folder).output.contains("\u{1B}["))
    for when in ["auto", "never"] {
      let result = try Tool.run(["explain", "1570", "--color", when], in: folder)
      #expect(!result.output.contains("\u{1B}["))
    }
    #expect(try Tool.run(["explain", "1570", "--color", "red"], in: folder).status == 2)
  }

  // MARK: Schemas

  @Test func aSchemaIsPrintedAsItLiesInTheRepository() throws {
    let folder = try TemporaryFolder()
    let list = try Tool.run(["schema"], in: folder).output
    for line in list.split(separator: "\n") {
      let name = String(line.prefix { $0 != " " })
      let result = try Tool.run(["schema", name], in: folder)
      #expect(result.status == 0)
      let schema = try #require(
        JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
      #expect(schema["$id"] as? String == "urn:heavyweight:schema:\(name)")
    }
    let wrong = try Tool.run(["schema", "chek"], in: folder)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("did you mean 'check'?"))
  }

  private static let model = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book" representedClassName="Book" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="pages" optional="YES" attributeType="Integer 16"/>
      </entity>
    </model>

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.model, to: "App.xcdatamodeld/App.xcdatamodel/contents")
    try folder.write(
      Self.model.replacing("\"pages\"", with: "\"count\""),
      to: "App.xcdatamodeld/App 2.xcdatamodel/contents")
    try folder.write(
      Self.model.replacing(
        "<attribute name=\"pages\" optional=\"YES\" attributeType=\"Integer 16\"/>", with: ""),
      to: "App.xcdatamodeld/App 3.xcdatamodel/contents")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>App 3.xcdatamodel</string></dict></plist>
      """, to: "App.xcdatamodeld/.xccurrentversion")
    try folder.write(LibraryScenario.passing, to: "Library.scenario.yaml")
    return folder
  }

  /// What each command really prints has no key that its schema doesn't describe, and all that it requires.
  @Test func realReportsAreWhatTheirSchemasSay() throws {
    let folder = try folder()
    _ = try Tool.run(
      [
        "run", "Library.scenario.yaml", "--keep", "kept", "--shard", "1/1", "--json", "run.json",
      ], in: folder)
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let store = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    _ = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    // A store of whose migration nothing comes, since a value is missing.
    try folder.write(
      LibraryScenario.passing.replacing("pages: int16 = 0", with: "pages: int16"),
      to: "Required.scenario.yaml")
    try folder.write(
      """
      accepted:
        - rule: removed-property
          entity: Book
          reason: Nobody reads it.
      """, to: "accepted.yaml")
    let calls: [(schema: String, arguments: [String])] = [
      ("report", ["run", "Library.scenario.yaml"]),
      ("list", ["run", "--list", "Library.scenario.yaml"]),
      ("check", ["check", "App.xcdatamodeld"]),
      ("check", ["check", "App.xcdatamodeld", "--since", "App 2", "--progressive", "--strict"]),
      ("check", ["check", "App.xcdatamodeld", "--accepted", "accepted.yaml"]),
      ("lock", ["lock", "App.xcdatamodeld", "--check"]),
      ("init", ["init", "App.xcdatamodeld", "One"]),
      ("init", ["init", "App.xcdatamodeld", "All", "--all"]),
      ("predicate", ["predicate", "age > 20 AND name == 'x'"]),
      ("predicate", ["predicate", "age > 20", "--object", "{\"age\": 30}", "--sql"]),
      ("predicate", ["predicate", "age.x > 20", "--object", "{\"age\": 30}"]),
      ("inspect", ["inspect", store]),
      ("inspect", ["inspect", store, "--models", "App.xcdatamodeld"]),
      ("diff", ["diff", store, store]),
      ("explain", ["explain", "1570", "dangling-reference"]),
      ("migrate", ["migrate", store, "--scenario", "Library.scenario.yaml", "-o", "new.sqlite"]),
      ("migrate", ["migrate", store, "--scenario", "Required.scenario.yaml", "-o", "no.sqlite"]),
      (
        "bench",
        ["bench", "Library.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0"]
      ),
      ("report", ["report", "run.json"]),
      ("smoke", ["smoke", "App.xcdatamodeld"]),
      ("smoke", ["smoke", "App.xcdatamodeld/App.xcdatamodel"]),
      ("lock", ["lock", "App.xcdatamodeld"]), ("bench", Self.tooMuchMemory),
      ("mutate", ["mutate", "Library.scenario.yaml", "--list"]),
      ("mutate", ["mutate", "Library.scenario.yaml"]),
      ("mutate", ["mutate", "Library.scenario.yaml", "--filter", "nothing such"]),
      ("crash", ["crash", "Library.scenario.yaml", "--at", "1"]),
      ("crash", ["crash", "Library.scenario.yaml", "--at", "100000"]),
    ]
    for (name, arguments) in calls {
      let result = try Tool.run(arguments + ["--json"], in: folder)
      let data = Data(result.output.utf8)
      let report = try JSONSerialization.jsonObject(with: data)
      let printed = try Tool.run(["schema", name], in: folder).output
      let schema = try #require(
        JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
      #expect(SchemaCheck(schema).problems(report) == [], "\(arguments)")
      // In a file it is the same, and the text is printed beside it.
      guard name == "check" || name == "explain" else { continue }
      let beside = try Tool.run(arguments + ["--json", "beside.json"], in: folder)
      #expect(try Data(contentsOf: folder.url.appending(path: "beside.json")) == data)
      #expect(beside.output != result.output)
      #expect(!beside.output.isEmpty)
    }
  }

  // MARK: Findings

  /// A folder with the reports of commands that tell of findings, and the commands with the status they end with.
  private func toldFindings() throws -> (
    folder: TemporaryFolder, calls: [(name: String, result: Tool.Result)]
  ) {
    let folder = try folder()
    _ = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    _ = try Tool.run(["run", "Library.scenario.yaml", "--keep", "kept"], in: folder)
    let kept = try FileManager.default.subpathsOfDirectory(
      atPath: folder.url.appending(path: "kept").path)
    let store = "kept/" + (try #require(kept.first { $0.hasSuffix(".sqlite") }))
    let calls = try [
      ("check", ["check", "App.xcdatamodeld"]),
      ("strict", ["check", "App.xcdatamodeld", "--strict"]),
      ("lock", ["lock", "App.xcdatamodeld", "--check"]), ("inspect", ["inspect", store]),
      ("smoke", ["smoke", "App.xcdatamodeld"]), ("diff", ["diff", store, store]),
      ("bench", Self.tooMuchMemory), ("mutate", ["mutate", "Library.scenario.yaml"]),
      ("crash", ["crash", "Library.scenario.yaml", "--at", "1", "--faults", "kill"]),
      ("migrate", ["migrate", store, "--scenario", "Library.scenario.yaml", "-o", "new.sqlite"]),
      ("foreign", ["migrate", store, "--models", "App.xcdatamodeld", "-o", "other.sqlite"]),
    ].map { name, arguments in
      let forms = ["--junit", "\(name).xml", "--html", name, "--github"]
      return (name, try Tool.run(arguments + forms, in: folder))
    }
    return (folder, calls)
  }

  /// Where a finding fails the command it fails in every form, be it a warning or an error.
  @Test func findingsOfCheckLockAndInspectAreToldAsTheyCount() throws {
    let (folder, calls) = try toldFindings()
    #expect(calls.map(\.result.status) == [0, 1, 0, 0, 1, 0, 1, 1, 0, 0, 1])
    for (name, result) in calls {
      let xml = try String(
        contentsOf: folder.url.appending(path: "\(name).xml"), encoding: .utf8)
      let failures = xml.ranges(of: "<failure ").count
      #expect((failures > 0) == (result.status != 0), "\(name)")
      let counts = xml.matches(of: #/failures="(\d+)"/#).map { Int($0.output.1) }
      #expect(counts == [failures, failures], "\(name)")
      let annotations = result.output.split(separator: "\n").filter { $0.hasPrefix("::") }
      #expect(annotations.count { $0.hasPrefix("::error ") } == failures, "\(name)")
      // Both have pages of their own.
      if name == "bench" || name == "mutate" { continue }
      let page = try String(
        contentsOf: folder.url.appending(path: "\(name)/index.html"), encoding: .utf8)
      #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\""), "\(name)")
      let heading = result.status == 0 ? "✓</span> Noth" : "✗</span> Findings to look at"
      #expect(page.contains(heading), "\(name)")
    }
    #expect(
      calls[1].result.output.contains(
        "\n::error file=App.xcdatamodeld/App 2.xcdatamodel/contents,line=5,col=5,"
          + "title=heavyweight check%3A App 2 -> App 3%3A Book.count [removed-property]::"
      ), "\(calls[1].result.output)")
    for (name, place) in [
      ("smoke", "file=App.xcdatamodeld/App.xcdatamodel/contents,line=5,col=5"),
      (
        "bench",
        "file=Library.scenario.yaml,title=heavyweight bench%3A A library grows (sqlite) [gate]"
      ),
      ("mutate", "file=Library.scenario.yaml,line="),
      ("foreign", "file=kept/"),
    ] {
      let output = try #require(calls.first { $0.name == name }).result.output
      #expect(output.contains("\n::error \(place)"), "\(output)")
    }
  }

  /// Pages are handed on: they say what a command saw, and nothing of this machine.
  @Test func pagesShowWhatACommandSawBesideItsFindings() throws {
    let (folder, calls) = try toldFindings()
    let model = folder.url.appending(path: "App.xcdatamodeld").path
    _ = try Tool.run(
      script: "cd / && exec \"$0\" check \"$1\" --html \"$2\"",
      [try Tool.executable().path, model, folder.url.appending(path: "absolute").path], in: folder)
    func page(_ name: String) throws -> String {
      try String(contentsOf: folder.url.appending(path: "\(name)/index.html"), encoding: .utf8)
    }
    for name in calls.map(\.name) + ["absolute"] {
      #expect(!(try page(name)).contains(folder.url.path), "\(name)")
    }
    let seen: [(String, [String])] = [
      ("check", ["<h2>Versions</h2>", "<ol class=\"way\">", "<th scope=\"col\">to the next</th>"]),
      ("lock", ["<h2>Locked versions</h2>", "<td>as it was locked</td>"]),
      ("inspect", ["<h2>The store</h2>", "<h2>Entities</h2>"]),
      ("smoke", ["<h2>What became of the rows</h2>", "<h2>All the way to "]),
      ("diff", ["<h2>Entities</h2>"]), ("migrate", ["<h2>Objects</h2>"]),
      ("mutate", ["<h2>By file</h2>", "<h2>By kind</h2>", "id=\"search\""]),
    ]
    for (name, texts) in seen {
      for text in texts { #expect(try page(name).contains(text), "\(name): \(text)") }
    }
  }

  private static let tooMuchMemory = [
    "bench", "Library.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
    "--max-memory", "1",
  ]

  /// GitHub shows an annotation at a line of a file, and none at a folder.
  @Test func annotationsNameTheVersionsFileAndTheElementsLine() throws {
    let folder = try folder()
    _ = try Tool.run(["lock", "App.xcdatamodeld"], in: folder)
    let book = "App.xcdatamodeld/App 2.xcdatamodel/contents"
    try folder.write(
      Self.model.replacing("\"pages\"", with: "\"count\"").replacing(
        "  </entity>",
        with: """
              <attribute name="isbn" optional="YES" attributeType="String"/>
            </entity>
          """),
      to: book)
    try FileManager.default.removeItem(
      at: folder.url.appending(path: "App.xcdatamodeld/App.xcdatamodel"))
    let lock = try Tool.run(["lock", "App.xcdatamodeld", "--check", "--github"], in: folder)
    #expect(lock.status == 1)
    for place in [
      // A version that is gone has no file but the manifest.
      "file=App.xcdatamodeld.lock.json,title=heavyweight lock%3A App [deleted-version]::",
      "file=\(book),line=6,col=5,title=heavyweight lock%3A App 2%3A Book.isbn [edited-version]::",
    ] {
      #expect(lock.output.contains("::error \(place)"), "\(lock.output)")
    }
    try folder.write(
      """
      accepted:
        - rule: removed-entity
          entity: Shelf
          reason: Nobody has one.
      """, to: "accepted.yaml")
    let check = try Tool.run(
      ["check", "App.xcdatamodeld", "--accepted", "accepted.yaml", "--github"], in: folder)
    #expect(
      check.output.contains("::warning file=accepted.yaml,line=2,col=5,title=heavyweight check"),
      "\(check.output)")
    // From a folder below the workspace, as a monorepo has it.
    let below = try Tool.run(
      script: """
        mkdir app && mv App.xcdatamodeld app && cd app &&
        GITHUB_WORKSPACE="$OLDPWD" exec "$0" check App.xcdatamodeld --strict --github
        """, [try Tool.executable().path], in: folder)
    #expect(below.output.contains("file=app/\(book),line="), "\(below.output)")
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/xmllint"), "needs xmllint"))
  func findingsInJUnitsXMLAreValid() throws {
    let (folder, calls) = try toldFindings()
    let schema = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Schemas/junit.xsd")
    let result = try Tool.run(
      script: "exec xmllint --noout --schema \"$0\" \"$@\"",
      [schema.path] + calls.map { "\($0.name).xml" }, in: folder)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(.enabled(if: Browser.executable != nil, "chromium is missing: ./ci.sh installs it"))
  func pagesOfFindingsCanBeUsedByKeyboardAndScreenReader() throws {
    let (folder, calls) = try toldFindings()
    for (name, _) in calls {
      for scheme in ["light", "dark"] {
        let problems = try Browser.problems(
          of: folder.url.appending(path: "\(name)/index.html"), scheme: scheme, in: folder)
        #expect(problems == [], "\(name), \(scheme)")
      }
    }
  }

  /// Cases have a line of JSON each already.
  @Test func casesOfPredicatesHaveNoJSONBesides() throws {
    let folder = try TemporaryFolder()
    let result = try Tool.run(["predicate", "--cases", "cases.jsonl", "--json"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.contains("--cases prints a line of JSON for each case: leave out --json."))
  }

  /// `--json MODEL` before the model's own place must not cost the model.
  @Test func anInputIsNotOverwrittenByAReport() throws {
    let folder = try folder()
    let before = try Data(contentsOf: folder.url.appending(path: "Library.scenario.yaml"))
    let result = try Tool.run(["run", "--json", "Library.scenario.yaml"], in: folder)
    #expect(result.status == 2)
    #expect(
      result.errors.contains(
        "this file exists and is no report of this tool in JSON, so it isn't overwritten"))
    #expect(try Data(contentsOf: folder.url.appending(path: "Library.scenario.yaml")) == before)
    #expect(try Tool.run(["check", "--json", "App.xcdatamodeld"], in: folder).status == 2)
  }

  /// An earlier report may be replaced, but no other JSON, be it this tool's.
  @Test(arguments: [
    #"{"name": "x", "version": "1.0.0"}"#, #"{"format": 1, "model": "App", "versions": []}"#,
    #"[{"name": "x"}]"#, "[1]", "{",
  ])
  func somebodyElsesJSONIsNotOverwritten(_ text: String) throws {
    let folder = try folder()
    try folder.write(text, to: "package.json")
    let call = [
      "bench", "Library.scenario.yaml", "--objects", "10", "--samples", "1", "--warmup", "0",
      "--save", "package.json",
    ]
    let refused = try Tool.run(call, in: folder)
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "package.json: error: this file is there and holds no report of this tool in JSON"))
    let file = folder.url.appending(path: "package.json")
    #expect(try Data(contentsOf: file) == Data(text.utf8))
    try FileManager.default.removeItem(at: file)
    for _ in 0..<2 { #expect(try Tool.run(call, in: folder).status == 0) }
  }
}
