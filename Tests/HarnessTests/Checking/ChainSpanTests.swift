import Foundation
import TestSupport
import Testing

@testable import Scenarios

/// Steps and entities that a scenario doesn't write one by one.
@Suite struct ChainSpanTests {
  private func load(_ text: String) throws -> CheckedScenario {
    let file = SourceFile(path: "test.scenario.yaml", text: text)
    return try .check(ScenarioReader.read(file, in: URL(fileURLWithPath: "/nowhere")))
  }

  private func complaint(_ text: String) -> String {
    do {
      _ = try load(text)
      return ""
    } catch let error as Diagnostics {
      return error.all.map { "\($0.place?.line ?? 0): \($0.message)" }.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  private static let models = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { .rest: copy, Tag: { name: string } }
      v3: { .rest: copy, .gone: Tag, Label: { name: string } }

    """

  @Test(arguments: ["…", "..."])
  func aSpanIsAStepToEachVersionOnTheWay(_ dots: String) throws {
    let scenario = try load(Self.models + "chain: [v1 -> \(dots) -> v3]\n")
    #expect(scenario.scenario.chain.map(\.ends.value.description) == ["v1 -> v2", "v2 -> v3"])
    let short = try load(Self.models + "chain: [v1 -> v2, v2 -> \(dots) -> v3: { .infer: true }]\n")
    #expect(short.scenario.chain.map(\.ends.value.description) == ["v1 -> v2", "v2 -> v3"])
  }

  @Test func aSpanKeepsItsOptions() throws {
    let scenario = try load(Self.models + "chain:\n  - v1 -> … -> v3: { .manager: true }\n")
    #expect(scenario.scenario.chain.allSatisfy { $0.manager != nil })
  }

  @Test func entitiesAreThoseOfTheVersionBefore() throws {
    let models = try load(Self.models).models
    #expect(models["v2"]?.entities.map(\.name).sorted() == ["Song", "Tag"])
    #expect(models["v3"]?.entities.map(\.name).sorted() == ["Label", "Song"])
  }

  @Test(arguments: [
    (
      "chain: [v3 -> … -> v1]",
      "6: 'v1' doesn't come after 'v3' in the order of the versions: v1, v2, v3"
    ),
    ("chain: [v1 -> … -> v9]", "6: there is no version 'v9'; versions: v1, v2, v3"),
    (
      "chain:\n  - v1 -> … -> v3: { SongToSong: { source: Song, destination: Song } }",
      "7: mappings and stages belong to one step; write that step separately, and '…' for the others"
    ),
    (
      "chain:\n  - v1 -> v2: { .rest: all }",
      "7: '.rest' must be 'copy', not 'all'"
    ),
  ])
  func wrongChainsAreTold(_ chain: String, _ message: String) {
    #expect(complaint(Self.models + chain + "\n") == message)
  }

  @Test(arguments: [
    (
      "v1: { .rest: copy }",
      "3: '.rest: copy' copies the entities of the previous version, which must be written in the scenario"
    ),
    ("v1: { .gone: Tag }", "3: '.gone' can be used with '.rest: copy' only"),
    (
      "v1: { Song: { title: string } }\n  v2: { .rest: copy, .gone: Sang }",
      "4: the previous version has no entity 'Sang'; did you mean 'Song'?"
    ),
    (
      "v1: { .rset: copy }",
      "3: unknown key '.rset' in the options of a version; did you mean '.rest'?"
    ),
  ])
  func wrongVersionsAreTold(_ versions: String, _ message: String) {
    #expect(complaint("scenario: s\nmodels:\n  \(versions)\n") == message)
  }
}
