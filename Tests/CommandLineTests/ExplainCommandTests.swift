import Foundation
import TestSupport
import Testing

@Suite(.tags(.process), .tiered)
struct ExplainCommandTests {
  @Test func explainsCodesAndFindings() throws {
    let result = try Tool.run(["explain", "1570", "stale-maximum"], in: TemporaryFolder())
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("1570  NSValidationMissingMandatoryPropertyError\n"))
    #expect(result.output.contains("\nstale-maximum  finding of `heavyweight inspect`, warning\n"))
    #expect(result.errors == "")
  }

  @Test(arguments: [
    "edited-version", "deleted-version", "current-moved-back", "order-unknown", "equal-versions",
    "no-path", "not-locked", "equal-versions-when-locked", "renamed-version", "current-not-locked",
    "stranded-store", "store-of-no-version", "version-without-store", "renaming-identifier-changed",
    "configuration-changed", "value-transformer-changed", "earlier-not-locked",
  ])
  func explainsWhatLockFinds(_ finding: String) throws {
    let result = try Tool.run(["explain", finding], in: TemporaryFolder())
    #expect(result.status == 0 && result.output.hasPrefix("\(finding)  finding of `heavyweight "))
  }

  @Test func suggestsForWhatIsNotKnownAndExplainsTheRest() throws {
    let result = try Tool.run(["explain", "missing-modul", "1600"], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(
      result.errors
        == "nothing is known about 'missing-modul'; did you mean 'missing-module'?\n")
    #expect(result.output.hasPrefix("1600  "))
  }

  @Test func listsEverythingForPeopleAndMachines() throws {
    let folder = try TemporaryFolder()
    let list = try Tool.run(["explain", "--list"], in: folder)
    #expect(list.output.hasPrefix("Core Data's error codes\n  1550    An object is invalid"))
    let json = try Tool.run(["explain", "--list", "--json"], in: folder)
    let parsed = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    let topics = try #require(parsed as? [[String: Any]])
    #expect(topics.count > 100)
    #expect(
      topics.allSatisfy { Set($0.keys) == ["identifier", "name", "meaning", "causes", "remedies"] })
  }

  @Test func askingForNothingIsAMistake() throws {
    let result = try Tool.run(["explain"], in: TemporaryFolder())
    #expect(result.status == 2)
    #expect(
      result.errors.hasPrefix(
        "Error: Name what to explain, as in 'explain 1570' or 'explain console.txt', or use --list."
      ))
  }

  // MARK: Logs

  @Test func logsAreReadFromFilesStandardInputAndArguments() throws {
    let folder = try TemporaryFolder()
    let text = "noise\nCoreData: Cannot create an NSPersistentStoreCoordinator with a nil model\n"
    try folder.write(text, to: "console.txt")
    let file = try Tool.run(["explain", "console.txt"], in: folder)
    #expect(file.status == 0 && file.errors == "")
    #expect(
      file.output.hasPrefix(
        "console.txt:2: CoreData: Cannot create an NSPersistentStoreCoordinator with a nil model\n"
          + "no-model  a model that wasn't found\n"))
    let input = try Tool.run(
      script: "printf '%s' \"$1\" | \"$0\" explain -", [Tool.executable().path, text], in: folder)
    #expect(input.status == 0 && input.errors == "")
    #expect(
      input.output
        == file.output.replacing("console.txt:2:", with: "line 2:"), "\(input.output)")
    let argument = try Tool.run(["explain", text], in: folder)
    #expect(argument.status == 0 && argument.output.hasPrefix("no-model  "))
    let json = try Tool.run(["explain", "console.txt", "--json"], in: folder)
    #expect(json.output.contains(#""line" : 2"#))
    let schema = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: Tool.package.appending(path: "docs/explain.schema.json")))
        as? [String: Any])
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    #expect(SchemaCheck(schema).problems(report) == [])
  }

  /// What can't be a log, and one in which nothing is.
  @Test(arguments: [
    (Data(), "error: there is nothing in it"),
    (Data([0x7F, 0x45, 0, 1]), "error: this isn't text in UTF-8"),
    (
      Data("SQLite format 3\0".utf8),
      "error: this is a store, not a log; `heavyweight inspect` shows what it is"
    ),
    (
      Data("all is well".utf8), "nothing of Core Data, SwiftData or SQLite that is known is in it"
    ),
  ])
  func otherFilesAreNamed(content: Data, message: String) throws {
    let folder = try TemporaryFolder()
    try content.write(to: folder.url.appending(path: "console.txt"))
    let result = try Tool.run(["explain", "console.txt"], in: folder)
    #expect(result.status == 2)
    #expect(result.errors == "console.txt: \(message)\n")
  }

  /// 30 MB, with the message at the end: read once, in little memory.
  @Test func longLogsAreReadPieceByPiece() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "console.txt")
    let line = Data("2026-01-02 App[1:2] NSStoreModel = <abc> entity = x; \\\"quoted\\\"\n".utf8)
    var content = Data()
    while content.count < 30 << 20 { content += line }
    let count = content.count / line.count
    content += Data("Can\u{2019}t find model for source store".utf8)
    try content.write(to: url)
    let result = try Tool.run(["explain", "console.txt"], in: folder)
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "console.txt:\(count + 1): Can't find model for source store\n134130  "))
  }

  @Test func theProjectsModelSaysWhatAMessageMeansHere() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"<model><entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity></model>"#,
      to: "App.xcdatamodel/contents")
    try folder.write("models: App.xcdatamodel\n", to: "heavyweight.yaml")
    let error = "could not locate an entity named 'A' in this model"
    let result = try Tool.run(["explain", error], in: folder)
    #expect(result.status == 0)
    #expect(result.output.hasSuffix("\nhere\n  A: in App\n"))
  }

  /// The scripts that shells load.
  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsKnowTheCommands(shell: String) throws {
    let result = try Tool.run(["--generate-completion-script", shell], in: TemporaryFolder())
    #expect(result.status == 0)
    for word in ["heavyweight", "explain", "timeout"] { #expect(result.output.contains(word)) }
  }
}
