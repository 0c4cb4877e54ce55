import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import Terminal

@Suite struct ShardTests {
  @Test(arguments: 1...9) func shardsTogetherAreTheWholeWithoutOverlap(_ total: Int) throws {
    let items = Array(0..<31)
    let parts = try (1...total).map { number in
      try #require(Shard(argument: "\(number)/\(total)")).part(of: items)
    }
    #expect(parts.flatMap(\.self).sorted() == items)
    #expect(parts.allSatisfy { $0 == $0.sorted() })
  }

  @Test(arguments: ["", "1", "0/3", "4/3", "1/0", "a/b", "1/2/3", "-1/3", "/"])
  func whatIsNoShardIsRefused(_ text: String) {
    #expect(Shard(argument: text) == nil)
  }

  @Test func bazelCountsFrom0() throws {
    let shard = try Shard.fromEnvironment(["TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "2"])
    #expect(shard == Shard(argument: "3/3"))
    #expect(try Shard.fromEnvironment([:]) == nil)
  }

  @Test func variablesThatMakeNoSenseAreRefused() {
    #expect {
      try Shard.fromEnvironment(["TEST_TOTAL_SHARDS": "3", "TEST_SHARD_INDEX": "3"])
    } throws: {
      "\($0)"
        == "TEST_SHARD_INDEX: error: '3' isn't a number from 0 to TEST_TOTAL_SHARDS ('3') less 1"
    }
  }
}
