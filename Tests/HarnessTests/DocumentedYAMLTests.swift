import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// What the pages in `docs/` want copied must at least be what it says it is.
@Suite struct DocumentedYAMLTests {
  private static let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs").standardizedFileURL

  /// The YAML blocks of a page.
  private func blocks(_ page: String) throws -> [SourceNode] {
    let text = try String(contentsOf: Self.docs.appending(path: page), encoding: .utf8)
    return try text.components(separatedBy: "```yaml\n").dropFirst().map { part in
      let block = part.components(separatedBy: "```")[0]
      return try SourceNode.yaml(SourceFile(path: page, text: block))
    }
  }

  @Test func everyBlockCanBeRead() throws {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Self.docs.path)
      .filter { $0.hasSuffix(".md") }
    var count = 0
    for page in pages { count += try blocks(page).count }
    #expect(count >= 5)
  }

  /// A file of the package that other tools read.
  private func file(_ name: String) throws -> SourceNode {
    let url = Self.docs.appending(path: "../\(name)").standardizedFileURL
    return try SourceNode.yaml(SourceFile(contentsOf: url))
  }

  @Test func theWorkflowUsesTheActionWithInputsThatItHas() throws {
    let workflow = try #require(try blocks("github-action.md").first)
    let job = try #require(workflow["jobs"]?.map?.first)
    #expect(job.value["runs-on"]?.text != nil)
    let steps = try #require(job.value["steps"]?.list)
    let step = try #require(steps.first { $0["uses"]?.text?.contains("/heavyweight@") == true })
    let given = try #require(step["with"]?.map).map(\.key.value)
    let inputs = try #require(try file("action.yml")["inputs"]?.map).map(\.key.value)
    #expect(!given.isEmpty && Set(given).isSubset(of: inputs))
    let page = try String(
      contentsOf: Self.docs.appending(path: "github-action.md"), encoding: .utf8)
    for input in inputs { #expect(page.contains("| `\(input)` | "), "\(input)") }
  }

  @Test func theActionsStepsAreWhatActionsTake() throws {
    let action = try file("action.yml")
    #expect(action["runs"]?["using"]?.text == "composite")
    for step in try #require(action["runs"]?["steps"]?.list) {
      let keys = (step.map ?? []).map(\.key.value)
      #expect(keys.contains("uses") != keys.contains("run"), "\(step.place)")
      #expect(keys.contains("run") == keys.contains("shell"), "\(step.place)")
      #expect(
        Set(keys).isSubset(of: ["id", "name", "uses", "with", "run", "if", "env", "shell"]),
        "\(step.place)")
    }
  }

  @Test func theHooksOfThePageAreThere() throws {
    let page = try #require(try blocks("pre-commit.md").first)
    let used = try #require(page["repos"]?.list?.first?["hooks"]?.list).compactMap {
      $0["id"]?.text
    }
    let known = try #require(try file(".pre-commit-hooks.yaml").list).compactMap { $0["id"]?.text }
    #expect(used == known && known.count == 3)
  }
}

extension SourceNode {
  fileprivate subscript(key: String) -> SourceNode? {
    map?.first { $0.key.value == key }?.value
  }
}
