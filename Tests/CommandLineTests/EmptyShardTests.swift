import Foundation
import TestSupport
import Testing

/// Parts of few scenarios that have none.
@Suite(.tags(.process), .tiered)
struct EmptyShardTests {
  private func run(
    _ scenarios: [String], _ arguments: String...
  ) throws -> (status: Int32, output: String, errors: String) {
    let folder = try TemporaryFolder()
    for (index, text) in scenarios.enumerated() {
      try folder.write(text, to: "Scenarios/\(index).scenario.yaml")
    }
    return try Tool.run(["run", "--backend", "memory"] + arguments, in: folder)
  }

  private static let two = [LibraryScenario.passing, LibraryScenario.passing]
  private static let skipped = LibraryScenario.passing + "skip: too slow\n"

  @Test func anEmptyPartOfSomethingIsWellAndSaysSo() throws {
    let result = try run(Self.two, "--shard", "3/3", "--json", "-")
    #expect(result.status == 0)
    #expect(
      result.errors
        == "nothing to run here: shard 3/3 of 2 scenarios in Scenarios is empty; the other shards have them\n"
    )
    #expect(result.output.contains("\"exitStatus\" : 0"))
  }

  @Test func anEmptyPartOfNothingIsNot() throws {
    #expect(try run(Self.two, "--shard", "3/3", "--filter", "nowhere").status == 4)
    #expect(try run([Self.skipped], "--shard", "3/3").status == 4)
    #expect(try run([], "--shard", "3/3").status == 2)
  }

  @Test func aPartOfSkippedScenariosIsNotEmpty() throws {
    #expect(try run([LibraryScenario.passing, Self.skipped], "--shard", "2/2").status == 4)
  }
}
