import Foundation
import TestSupport
import Testing

/// What editors and shells are given to know what may be written.
@Suite(.tags(.process), .tiered)
struct EditorFilesTests {
  /// A repository with the app of the ten-minute guide.
  private static func repository() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Tool.package.appending(path: "Scenarios/Bookshop/Model"),
      to: folder.url.appending(path: "Model"))
    try folder.write("ref: refs/heads/main\n", to: ".git/HEAD")
    return folder
  }

  private static let model = "Model/Bookshop.xcdatamodeld"

  private static func firstLine(_ path: String, in folder: TemporaryFolder) throws -> String {
    try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
      .components(separatedBy: "\n")[0]
  }

  private static func files(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
      .filter { $0.hasSuffix(".json") }
  }

  @Test func aRepositoryHasOneSchemaAndTheEditorsSettings() throws {
    let folder = try Self.repository()
    for place in ["Migrations", "Tests/Migrations/Every"] {
      let result = try Tool.run(["init", Self.model, place], in: folder)
      #expect(result.status == 0, "\(result.errors)")
    }
    let name = "Bookshop-3-to-Bookshop-4.scenario.yaml"
    #expect(
      try Self.firstLine("Migrations/\(name)", in: folder)
        == "# yaml-language-server: $schema=../.heavyweight/scenario.schema.json")
    #expect(
      try Self.firstLine("Tests/Migrations/Every/\(name)", in: folder)
        == "# yaml-language-server: $schema=../../../.heavyweight/scenario.schema.json")
    let written = [
      ".heavyweight/project.schema.json", ".heavyweight/scenario.schema.json",
      ".vscode/settings.json",
    ]
    #expect(try Self.files(in: folder) == written)
    let settings = try #require(
      JSONSerialization.jsonObject(
        with: Data(contentsOf: folder.url.appending(path: written[2]))) as? [String: Any])
    let schemas = try #require(settings["yaml.schemas"] as? [String: [String]])
    #expect(
      schemas == [
        "./.heavyweight/scenario.schema.json": ["*.scenario.yaml", "*.scenario.yml"],
        "./.heavyweight/project.schema.json": ["heavyweight.yaml"],
      ])
    let saved = try Tool.run(
      ["capture", "customer.sqlite", "--models", Self.model, "-o", "Captured"],
      in: Self.withStore(folder))
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(
      try Self.firstLine("Captured/Captured.scenario.yaml", in: folder)
        == "# yaml-language-server: $schema=../.heavyweight/scenario.schema.json")
  }

  private static func withStore(_ folder: TemporaryFolder) throws -> TemporaryFolder {
    try FileManager.default.copyItem(
      at: Tool.package.appending(path: "Scenarios/Bookshop/customer.sqlite"),
      to: folder.url.appending(path: "customer.sqlite"))
    return folder
  }

  @Test func aSchemaAndSettingsThatAreThereStay() throws {
    let folder = try Self.repository()
    try folder.write("{}\n", to: "Tests/scenario.schema.json")
    try folder.write("{ \"editor.tabSize\": 2 }\n", to: ".vscode/settings.json")
    let result = try Tool.run(["init", Self.model, "Tests/Migrations"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      try Self.firstLine("Tests/Migrations/Bookshop-3-to-Bookshop-4.scenario.yaml", in: folder)
        == "# yaml-language-server: $schema=../scenario.schema.json")
    #expect(
      try Self.files(in: folder) == [".vscode/settings.json", "Tests/scenario.schema.json"])
    #expect(try Self.firstLine(".vscode/settings.json", in: folder) == "{ \"editor.tabSize\": 2 }")
  }

  @Test func aProjectFileMarksARepositoryWithoutGit() throws {
    let folder = try Self.repository()
    try FileManager.default.removeItem(at: folder.url.appending(path: ".git"))
    try folder.write("models: \(Self.model)\n", to: "heavyweight.yaml")
    let result = try Tool.run(["init", Self.model, "Tests"], in: folder)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try Self.files(in: folder).contains(".heavyweight/scenario.schema.json"))
  }

  /// What bash offers where a line ends, one a line.
  private static func offered(_ words: [String], in folder: TemporaryFolder) throws -> [String] {
    let script = try Tool.run(["--generate-completion-script", "bash"], in: TemporaryFolder())
    try folder.write(script.output, to: "script")
    try folder.write("models: \(model)\n", to: "heavyweight.yaml")
    let line = (["heavyweight"] + words).joined(separator: " ")
    let quoted = (["\"$tool\""] + words.map { "'\($0)'" }).joined(separator: " ")
    let result = try Tool.run(
      script: """
        tool=$0; source ./script
        COMP_WORDS=(\(quoted)) COMP_CWORD=\(words.count) COMP_LINE='\(line)' COMP_POINT=\(line.count)
        _heavyweight "$tool" '\(words[words.count - 1])' '\(words[words.count - 2])'
        printf '%s\\n' "${COMPREPLY[@]}"
        """, [Tool.executable().path], in: folder)
    #expect(result.errors == "")
    return result.output.split(separator: "\n").map {
      $0.replacing("\\", with: "").trimmingCharacters(in: .whitespaces)
    }
  }

  @Test func shellsOfferValues() throws {
    let folder = try Self.repository()
    try folder.write("", to: "Migrations/A.scenario.yaml")
    try folder.write("", to: "Migrations/notes.txt")
    #expect(
      Set(try Self.offered(["run", "--backend", ""], in: folder))
        == ["memory", "sqlite", "memory,sqlite"])
    #expect(
      try Self.offered(["run", "Migrations/"], in: folder) == ["Migrations/A.scenario.yaml"])
    #expect(try Self.offered(["explain", "destination-c"], in: folder) == ["destination-changed"])
    #expect(try Self.offered(["schema", "pre"], in: folder) == ["predicate"])
    let versions = ["Bookshop", "Bookshop 2", "Bookshop 3", "Bookshop 4"]
    #expect(try Self.offered(["check", Self.model, "--since", ""], in: folder) == versions)
    // Of the project file's model.
    #expect(try Self.offered(["run", "--start", ""], in: folder) == versions)
  }
}
