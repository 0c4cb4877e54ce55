import Foundation
import TestSupport
import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
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

  @Test func theWorkflowHasJobsWithSteps() throws {
    let workflow = try #require(try blocks("github-action.md").first)
    let jobs = try #require(workflow["jobs"]?.map)
    #expect(jobs.map(\.key.value) == ["tool", "model", "scenarios"])
    let names = Set(jobs.map(\.key.value))
    for job in jobs {
      #expect(job.value["runs-on"]?.text != nil, "\(job.key.value)")
      if let needed = job.value["needs"]?.text { #expect(names.contains(needed)) }
      let steps = try #require(job.value["steps"]?.list)
      #expect(!steps.isEmpty)
      for step in steps {
        let keys = (step.map ?? []).map(\.key.value)
        #expect(keys.contains("uses") != keys.contains("run"), "\(step.place)")
        #expect(
          Set(keys).isSubset(of: ["id", "name", "uses", "with", "run", "if", "env"]),
          "\(step.place)")
      }
    }
  }

  @Test func theHooksSayWhatPreCommitWants() throws {
    let file = try #require(try blocks("pre-commit.md").first)
    let hooks = try #require(file["repos"]?.list?.first?["hooks"]?.list)
    #expect(hooks.count == 3)
    for hook in hooks {
      for key in ["id", "name", "entry", "language", "files"] {
        #expect(hook[key]?.text != nil, "\(key) in \(hook.place)")
      }
      _ = try Regex(hook["files"]?.text ?? "(")
    }
  }

  @Test func theScenarioOfThePageCanBeRead() throws {
    let text = try String(
      contentsOf: Self.docs.appending(path: "in-ten-minutes.md"), encoding: .utf8)
    let block = try #require(
      text.components(separatedBy: "```yaml\n").dropFirst().first?.components(separatedBy: "```")
        .first)
    let scenario = try ScenarioReader.read(
      SourceFile(path: "in-ten-minutes.md", text: block), in: Self.docs)
    #expect(scenario.expectations.count == 4)
    guard Corpus.isPresent else { return }
    let folder = try TemporaryFolder()
    let file = try folder.write(block, to: "Migrations/OrderStatus.scenario.yaml")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Storage"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "Storage/Model"),
      withDestinationURL: Corpus.url("woocommerce"))
    let checked = try CheckedScenario.load(contentsOf: file)
    let failures = checked.starts.flatMap {
      ScenarioSuite().run(checked, $0, PolicyRegistry()).flatMap(\.failures)
    }
    // The page shows how just this fails.
    #expect(Set(failures.map(\.subject)) == ["Order odd, statusKey"])
    #expect(Set(failures.map(\.found)) == ["\"my-own-status\""])
  }
}

extension SourceNode {
  fileprivate subscript(key: String) -> SourceNode? {
    map?.first { $0.key.value == key }?.value
  }
}
