import Testing

@testable import Benching
@testable import PolicyCompiler
@testable import Reports
@testable import ScenarioLanguage
@testable import ScenarioRunner
@testable import StoreTools
@testable import Terminal

/// Links and unique values of seeds made by rule, as many as there may be, at any size.
@Suite struct CardinalityTests {
  private static func models(_ versions: String...) -> String {
    let entities = """
          Album: { title: string?, songs: "[Song](2...5) <-> album", singers: "[Singer](2...3) <-> albums" }
          Song: { .unique: [code, number, [disc, track]], code: string, number: int32, price: decimal?,
            disc: string, track: int16, album: Album <-> songs }
          Singer: { name: string, albums: "[Album] <-> singers" }

      """
    let texts = versions.map {
      "  \($0):\n\(entities.replacing("title: string", with: "title\($0): string"))"
    }
    return "scenario: s\nmodels:\n" + texts.joined()
  }
  private static let models = models("v1")
  private static let seed = """
    seed:
      Album: { .count: 10, singers: { link: skewed, times: 2...3 } }
      Song: { .count: 40, code: { words: 1, of: 3 }, number: { skewed: [1, 60] }, disc: { pick: [a, b] },
        track: { uniform: [1, 9] }, album: { link: skewed } }
      Singer: { .count: 4, name: { words: 2 } }

    """

  private func linkCounts(
    _ plan: SeedPlan, of entity: String, _ relationship: String
  ) -> [Int] {
    var counts: [Int: Int] = [:]
    for block in plan.blocks where block.entity.name == entity {
      for row in 0..<block.count {
        for link in block.row(row).links where link.relationship.name == relationship {
          for target in link.targets { counts[target, default: 0] += 1 }
        }
      }
    }
    return counts.sorted { $0.key < $1.key }.map(\.value)
  }

  private func plan(_ scenario: CheckedScenario) throws -> SeedPlan {
    try #require(scenario.seed(for: "v1")?.plan)
  }

  @Test(arguments: [54, 540, 5400])
  func eachHasAsManyAsTheModelAllows(objects: Int) throws {
    let scenario = try checked(Self.models + Self.seed).scaled(to: objects)
    let counts = try linkCounts(plan(scenario), of: "Song", "album")
    #expect(counts.count == objects * 10 / 54)
    #expect(counts.allSatisfy { (2...5).contains($0) })
    #expect(Set(counts).count > 1, "not all have equally many")
  }

  @Test(arguments: [54, 540, 5400])
  func uniqueValuesStayUnique(objects: Int) throws {
    let scenario = try checked(Self.models + Self.seed).scaled(to: objects)
    let song = try #require(try plan(scenario).blocks.first { $0.entity.name == "Song" })
    let rows = (0..<song.count).map { song.row($0).values }
    for name in ["code", "number"] {
      let slot = try #require(song.entity.attribute(named: name)?.slot)
      #expect(Set(rows.map { $0[slot] }).count == song.count, "\(name)")
    }
    let pair = try ["disc", "track"].map { try #require(song.entity.attribute(named: $0)?.slot) }
    #expect(Set(rows.map { row in pair.map { row[$0] } }).count == song.count)
  }

  /// The objects are in a store that refuses others, and pass a migration manager's validation.
  @Test func scaledSeedsAreValid() throws {
    let text =
      Self.models("v1", "v2") + Self.seed
      + "chain: [v1 -> v2: { .manager: true }]\nexpect: [everySourceMigrated: [Song, Album]]\n"
    let scenario = try checked(text).scaled(to: 540)
    let results = ScenarioSuite().run(scenario, "v1", PolicyRegistry())
    #expect(results.map { $0.failures.map(\.line) } == [[], []])
  }

  @Test func violationsOfCountsAreMadeOnEitherSide() throws {
    let text =
      Self.models
      + Self.seed.replacing(".count: 10,", with: ".count: 10, .violations: [tooMany, tooFew],")
      .replacing("Singer: { .count: 4", with: "Singer: { .count: 9")
    let plan = try plan(try checked(text))
    let album = try #require(plan.blocks.first { $0.entity.name == "Album" })
    let names = (10..<album.count).map { album.name($0) }
    #expect(
      names == [
        "Album.singers.tooMany", "Album.songs.tooMany", "Album.singers.tooFew",
        "Album.songs.tooFew",
      ])
    let songs = linkCounts(plan, of: "Song", "album")
    #expect(songs[11] == 6 && songs[13] == 1)
    #expect(
      songs.enumerated().allSatisfy {
        [11, 13].contains($0.offset) || (2...5).contains($0.element)
      })
    let singers = [10, 12].map { album.row($0).links.first { $0.relationship.name == "singers" } }
    #expect(singers.map { $0?.targets.count } == [4, 1])
  }

  /// Where every object there is has too few links, there is no other that links could lead to.
  @Test func objectsWithTooFewLinksMayBeTheOnlyOnes() throws {
    let text = """
      scenario: s
      models:
        v1:
          Album: { songs: "[Song](2...) <-> album" }
          Song: { album: Album? <-> songs }
      seed:
        Album: { .violations: [tooFew] }
        Song: { .count: 9, album: { link: skewed } }

      """
    let songs = linkCounts(try plan(try checked(text)), of: "Song", "album")
    #expect(songs == [1])
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      "number: { skewed: [1, 60] }", "number: { skewed: [1, 39] }",
      "10:58: 'number' must be unique, and this gives 39 values for 40 objects"
    ),
    (
      ".count: 40", ".count: 51",
      "10:9: 51 links don't fit: the 10 objects of 'Album' take 50 'songs'"
    ),
    (
      "times: 2...3", "times: 2...4",
      "9:56: 'times' goes beyond the model: each has from 2 to 3 'singers'"
    ),
    (
      "Singer: { .count: 4", "Singer: { .violations: [tooFew], .count: 4",
      "12:27: nothing of 'Singer' can be 'tooFew' in this seed"
    ),
  ])
  func whatDoesNotFitIsNamedWithItsPlace(old: String, new: String, message: String) throws {
    let error = #expect(throws: Diagnostics.self) {
      try checked(Self.models + Self.seed.replacing(old, with: new))
    }
    let found = error?.all.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0): \($0.message)" }
    #expect(found == [message])
  }
}
