import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import Scenarios

/// `.validation: false`: rows that no app could save, as they lie in old stores.
@Suite struct PastValidationTests {
  private func scenario(_ option: String) throws -> CheckedScenario {
    let text = """
      scenario: Old songs
      models:
        v1: { Song: { title: string, stars: "int16(0...5)", album: Album? <-> songs }, Album: { songs: "[Song](1...2) <-> album" } }
        v2: { Song: { title: string?, stars: "int16(0...5)", album: Album? <-> songs }, Album: { songs: "[Song] <-> album" } }
      seed:
        \(option)
        Song: [{ id: old, stars: 9, album: live }, { id: b, stars: 1, album: live }, { id: c, stars: 2, album: live }]
        Album: [{ id: live }]
      chain: [v1 -> v2]
      expect:
        - at: v1
          expect:
            - object: Song old
              has: { title: null, stars: 9, album: live }
        - object: Song old
          has: { title: null, stars: 9 }
        - count: { Song: 3, Album: 1 }
      """
    return try CheckedScenario.check(
      ScenarioReader.read(
        SourceFile(path: "old.yaml", text: text), in: FileManager.default.temporaryDirectory))
  }

  @Test func rowsGetIntoTheStorePastTheModelsRules() throws {
    let checked = try scenario(".validation: false")
    let results = ScenarioSuite().run(checked, from: "v1", with: PolicyRegistry())
    #expect(results.count == 2)
    for result in results { #expect(result.failures.map(\.found) == []) }
  }

  @Test(arguments: [".random: 1", ".validation: true"])
  func withoutItTheyAreMistakesInTheFile(_ option: String) throws {
    let problems = try #require(throws: Diagnostics.self) { try scenario(option) }
    let messages = problems.all.map(\.message)
    #expect(messages.contains { $0.contains("Song old has no 'title', which v1 requires") })
    #expect(messages.contains { $0.contains("allows at most 2") })
  }

  @Test func onlyTrueAndFalseAreUnderstood() throws {
    let problems = try #require(throws: Diagnostics.self) { try scenario(".validation: no") }
    #expect(problems.all.map(\.message) == ["'.validation' must be true or false, not 'no'"])
  }
}
