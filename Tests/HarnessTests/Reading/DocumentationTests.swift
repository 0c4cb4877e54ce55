import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What Scenarios/README.md shows must be what the reader takes.
@Suite struct DocumentationTests {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let scenarios = package.appending(path: "Scenarios")

  /// A list as pages have it, in lines of at most 118 columns; code isn't broken.
  static func list(_ entries: [(term: String, meaning: String)]) -> String {
    entries.map { term, meaning in
      var lines = ["-"]
      for word in words("\(term): \(meaning)") {
        if lines[lines.count - 1].count + 1 + word.count > 118, lines != ["-"] { lines.append(" ") }
        lines[lines.count - 1] += " " + word
      }
      return lines.joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// What blanks part outside of code.
  private static func words(_ text: String) -> [String] {
    var words = [""]
    var isCode = false
    for character in text {
      if character == "`" { isCode.toggle() }
      if character == " ", !isCode {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }

  /// The YAML blocks of a document, each with the line it starts in.
  private static func examples(in url: URL) throws -> [(line: Int, text: String)] {
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    var examples: [(line: Int, text: String)] = []
    var block: [String]?
    for (index, line) in lines.enumerated() {
      if line == "```yaml" {
        block = []
      } else if line == "```", let text = block {
        examples.append((index + 1 - text.count, text.joined(separator: "\n")))
        block = nil
      } else {
        block?.append(line)
      }
    }
    return examples
  }

  @Test func everyExampleOfTheFormatIsReadable() throws {
    let examples = try Self.examples(in: Self.scenarios.appending(path: "README.md"))
    #expect(examples.count > 10)
    for (line, text) in examples {
      var whole = text
      if !text.contains("scenario:") { whole = "scenario: s\n" + whole }
      if !text.contains("models:") { whole += "\nmodels: {}\n" }
      #expect(allComplaints(whole) == "", "the example in line \(line)")
    }
  }

  /// Pages are read in terminals and in differences, too. Code is as wide as it is; a table that needs more room is
  /// a list.
  @Test func linesHaveAtMost120Columns() throws {
    let docs = try FileManager.default.contentsOfDirectory(
      atPath: Self.package.appending(path: "docs").path)
    let pages =
      docs.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
      + [
        "README.md", "CHANGELOG.md", "ARCHITECTURE.md", "Scenarios/README.md",
        "Scenarios/COVERAGE.md", "Benchmarks/README.md",
      ]
    #expect(pages.count > 20)
    for page in pages.sorted() {
      let text = try String(contentsOf: Self.package.appending(path: page), encoding: .utf8)
      var isCode = false
      for (index, line) in text.components(separatedBy: "\n").enumerated() {
        if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
        #expect(isCode || line.count <= 120, "\(page):\(index + 1) has \(line.count) columns")
      }
    }
  }

  /// What a page links to is there, and every page is in the index.
  @Test func everyLinkLeadsSomewhereAndTheIndexIsComplete() throws {
    let folder = Self.package.appending(path: "docs")
    let docs = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".md") }
    for page in docs.map({ "docs/\($0)" }) + [
      "README.md", "Scenarios/README.md", "ARCHITECTURE.md",
    ] {
      let file = Self.package.appending(path: page)
      let text = try String(contentsOf: file, encoding: .utf8)
      let prose = text.replacing(#/`[^`\n]*`/#, with: "")
      for link in prose.matches(of: #/\]\(([^)#:\s]+)(#[^)]*)?\)/#) {
        let target = file.deletingLastPathComponent().appending(path: String(link.output.1))
          .standardizedFileURL
        #expect(
          FileManager.default.fileExists(atPath: target.path), "\(page): \(link.output.1)")
      }
    }
    let index = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    for page in docs where page != "README.md" {
      #expect(index.contains("](\(page))"), "\(page) isn't in docs/README.md")
    }
  }

  @Test func everyKeywordIsDocumented() throws {
    let text = try String(
      contentsOf: Self.scenarios.appending(path: "README.md"), encoding: .utf8)
    let keywords = ScenarioReader.failureKeys + ScenarioReader.hooks
    for keyword in keywords { #expect(text.contains("`\(keyword)"), "\(keyword)") }
  }

  @Test func theSchemaKnowsEveryKeyword() throws {
    let data = try Data(contentsOf: Self.scenarios.appending(path: "scenario.schema.json"))
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    func keys(_ name: String) -> Set<String> {
      Set((definitions[name]?["properties"] as? [String: Any] ?? [:]).keys)
    }
    #expect(keys("failure") == Set(ScenarioReader.failureKeys))
    #expect(Set((schema["properties"] as? [String: Any] ?? [:]).keys) == Set(ScenarioReader.keys))
    #expect(keys("facts") == Set(ModelFacts.names))
  }

  @Test func shippedScenariosAndExamplesFollowTheSchema() throws {
    let script = """
      import json, sys
      try:
          import jsonschema
      except ImportError:
          sys.exit(77)
      validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
      for name, document in json.load(open(sys.argv[2])).items():
          for error in validator.iter_errors(document):
              print(name, list(error.absolute_path), error.message)
      """
    let folder = try TemporaryFolder()
    let data = try JSONSerialization.data(withJSONObject: try documents())
    let file = folder.url.appending(path: "documents.json")
    try data.write(to: file)
    let schema = Self.scenarios.appending(path: "scenario.schema.json").path
    let (status, output) = try Command.run(
      "/usr/bin/env", ["python3", "-c", script, schema, file.path])
    if status == 77 || status == 127 {
      try Test.cancel("needs python3 with the package jsonschema")
    }
    #expect(output == "")
    #expect(status == 0)
  }

  /// All shipped scenarios and the documentation's examples, as JSON has them.
  private func documents() throws -> [String: Any] {
    var documents: [String: Any] = [:]
    for path in try ScenarioFinder.files(at: [Self.scenarios.path]) {
      let file = try SourceFile(contentsOf: URL(fileURLWithPath: path))
      for (index, document) in try SourceNode.yamlDocuments(file).enumerated() {
        documents["\(path)#\(index)"] = document.json
      }
    }
    for (line, text) in try Self.examples(in: Self.scenarios.appending(path: "README.md")) {
      var whole = text
      if !text.contains("scenario:") { whole = "scenario: s\n" + whole }
      if !text.contains("models:") { whole += "\nmodels: {}\n" }
      let file = SourceFile(path: "README.md:\(line)", text: whole)
      for (index, document) in try SourceNode.yamlDocuments(file).enumerated() {
        documents["\(file.path)#\(index)"] = document.json
      }
    }
    return documents
  }
}

extension SourceNode {
  /// The value as YAML's core schema reads it, which is what editors check.
  fileprivate var json: Any {
    switch content {
    case .list(let items): items.map(\.json)
    case .map(let entries):
      Dictionary(entries.map { ($0.key.value, $0.value.json) }) { first, _ in first }
    case .scalar where isNull: NSNull()
    case .scalar("true", isPlain: true): true
    case .scalar("false", isPlain: true): false
    case .scalar(let text, isPlain: true): Self.number(text) ?? text
    case .scalar(let text, isPlain: false): text
    }
  }

  private static func number(_ text: String) -> Any? {
    if let whole = Int(text) { return whole }
    // The infinities and what is no number are texts in JSON.
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Other programs.
enum Command {
  /// Runs a program to its end.
  /// - Returns: Its exit status, and what it printed on both outputs.
  static func run(_ path: String, _ arguments: [String]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}

extension ScenarioFinder {
  /// The files at the given paths, each once.
  static func files(at paths: [String]) throws -> [String] {
    try addresses(at: paths).map(\.path).uniqued()
  }
}
