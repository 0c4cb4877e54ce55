import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
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

  @Test(arguments: ["uniform", "skewed", "zipf", "each"])
  func membersWithoutAnInverseHaveOneOwner(link: String) throws {
    let scenario = try checked(
      """
      scenario: s
      models: { v1: { A: { bs: "[B]" }, B: { n: int16 } } }
      seed:
        A: [{ id: own, bs: [first] }, { .count: 4, bs: { link: \(link), times: 2 } }]
        B: [{ id: first, n: 1 }, { .count: 9, n: 2 }]

      """)
    let counts = try linkCounts(plan(scenario), of: "A", "bs")
    #expect(counts == Array(repeating: 1, count: 8), "\(counts)")
  }

  @Test func moreMembersThanThereAreWithoutAnOwnerAreRefused() {
    let text = """
      scenario: s
      models: { v1: { A: { bs: "[B]" }, B: { n: int16 } } }
      seed: { A: { .count: 4, bs: { link: uniform, times: 2 } }, B: { .count: 7, n: 2 } }

      """
    #expect(
      mistakes(text, after: 0)
        == ["3:12: 8 links don't fit: the 7 objects of 'B' have room for 7 in 'A.bs'"])
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
      + "chain: [v1 -> v2: { .manager: { usesStoreSpecificMigrationManager: false } }]\nexpect: [everySourceMigrated: [Song, Album]]\n"
    let scenario = try checked(text).scaled(to: 540)
    let results = ScenarioSuite().run(scenario, from: "v1", with: PolicyRegistry())
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

  /// Whose links are made from the other side alone is given no other number of them.
  @Test func violationsOfCountsThatNoRuleMakesAreRefused() {
    let text = """
      scenario: s
      models:
        v1:
          Album: { tags: "[Tag](0...2) <-> albums" }
          Tag: { albums: "[Album](0...3) <-> tags" }
      seed:
        Album: { .count: 4, tags: { link: uniform, times: 0...2 } }
        Tag: { .count: 6, .violations: tooMany }

      """
    let found = mistakes(text, after: 0)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("8:8: Tag 7 was to have 4 'albums', and has 0: link") == true)
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

  // MARK: Links by hand beside those by rule

  private static func albums(_ count: String, song: String = "Album?") -> String {
    func version(_ name: String, _ more: String) -> String {
      """
        \(name):
          Album: { \(more)songs: "[Song]\(count) <-> album" }
          Song: { name: string?, album: \(song) <-> songs }
          Single: { .parent: Song }

      """
    }
    return "scenario: s\nmodels:\n" + version("v1", "") + version("v2", "rating: int16?, ")
      + "chain: [v1 -> v2: { .manager: { usesStoreSpecificMigrationManager: false } }]\nseed:\n"
  }

  /// Each has at least two and at most three, by hand or by rule.
  @Test(arguments: [
    // Its own two leave one place; the other album takes the rest.
    """
      Album: [{ id: a, songs: [s, t] }, { id: b }]
      Song: [{ id: s }, { id: t }]
      Single: { .count: 4, album: { link: uniform } }
    """,
    // An album by hand whose songs are all made by rule.
    """
      Album: [{ id: a }]
      Song: { .count: 3, album: { link: uniform } }
    """,
    // Songs without albums between those with.
    """
      Album: { .count: 4 }
      Song: [{ .count: 20 }, { .count: 9, album: { link: skewed } }]
    """,
  ])
  func rulesRespectLinksByHand(seed: String) throws {
    let scenario = try checked(
      Self.albums("!(2...3)") + seed + "\nexpect: [everySourceMigrated: true]\n")
    let results = ScenarioSuite().run(scenario, from: "v1", with: PolicyRegistry())
    #expect(results.map { $0.failures.map(\.line) } == [[], []])
    for result in results { #expect(result.executedSteps.count == 1) }
  }

  /// - Parameter head: How many lines stand before those that are counted.
  private func mistakes(_ text: String, after head: Int = 12) -> [String] {
    do {
      _ = try checked(text)
      return []
    } catch {
      return (error as? Diagnostics)?.all.map { found in
        "\((found.place?.line ?? 0) - head):\(found.place?.column ?? 0): \(found.message)"
      } ?? ["\(error)"]
    }
  }

  @Test(arguments: [
    (
      "Album: { .count: 2 }",
      "1:10: Album 1 (and 1 more) can't be saved: 'songs' leads to 0, and v1 wants at least 2; link more to it, "
        + "by 'album' of 'Song'"
    ),
    (
      "Album: [{ id: a }, { id: b }]\n  Song: { .count: 3, album: { link: uniform } }",
      "1:22: Album b can't be saved: 'songs' leads to 1, and v1 wants at least 2; link more to it, by 'album' of "
        + "'Song'"
    ),
    (
      "Album: [{ id: a, songs: [s, t] }]\n  Song: [{ id: s }, { id: t }]\n"
        + "  Single: { .count: 2, album: { link: uniform } }",
      "3:11: 2 links don't fit: the one object of 'Album' has room for 1 in 'songs'"
    ),
  ])
  func whatRulesCantMendIsRefused(_ seed: String, _ message: String) {
    #expect(mistakes(Self.albums("!(2...3)") + "  \(seed)\n") == [message])
  }

  @Test func aRowsRequiredLinkIsWrittenByHandBesideRules() {
    let seed = "  Song: [{ id: s }]\n  Album: { .count: 2 }\n"
    #expect(
      mistakes(Self.albums("", song: "Album") + seed)
        == ["1:16: Song s has no 'album', which v1 requires: such a row can't be saved"])
  }

  /// Songs and tags, of which each takes two of the others.
  private static func tagged(_ tags: String, _ songs: String) -> String {
    """
    scenario: s
    models:
      v1:
        Tag: { songs: "[Song](...2) <-> tags" }
        Song: { tags: "[Tag](...2) <-> songs" }
    seed:
      Tag: \(tags)
      Song: \(songs)

    """
  }

  /// Both sides give links: those that are the same count once.
  @Test func linksFromBothSidesAreCountedTogether() throws {
    func text(_ count: Int) -> String {
      Self.tagged(
        "{ .count: 2, songs: { link: each, times: 2 } }",
        "{ .count: \(count), tags: { link: each, times: 2 } }")
    }
    #expect(try plan(checked(text(2))).count == 4)
    #expect(
      mistakes(text(4)).joined().contains(
        "8 links don't fit: the 2 objects of 'Tag' have room for 4 in 'songs'"))
  }

  /// Links by hand, by the rule of one side and by that of the other.
  @Test(arguments: [
    (
      "[{ id: a, songs: [s, t] }]", "[{ id: s }, { id: t }, { .count: 1, tags: { link: each } }]",
      "2:32: 1 link doesn't fit: the one object of 'Tag' has room for 0 in 'songs'"
    ),
    (
      "[{ id: a, songs: [s, t] }, { .count: 2, songs: { link: each, times: 2 } }]",
      "[{ id: s }, { id: t }]",
      "1:35: 4 links don't fit: the 2 objects of 'Song' have room for 2 in 'tags'"
    ),
    (
      "[{ id: a, songs: [s] }, { .count: 2, songs: { link: each, times: 2 } }]",
      "[{ id: s }, { id: t }, { .count: 2, tags: { link: each } }]",
      "1:32: Tag 2 can't be saved: 'songs' leads to 3, and v1 allows at most 2; link fewer to it, by 'tags' "
        + "of 'Song'"
    ),
    (
      "[{ id: a }, { .count: 2, songs: { link: each, times: 2 } }]",
      "[{ id: s, tags: [a] }, { .count: 3, tags: { link: each } }]",
      "1:20: Tag 1 (and 1 more) can't be saved: 'songs' leads to 3, and v1 allows at most 2; link fewer to it, "
        + "by 'tags' of 'Song'"
    ),
  ])
  func linksFromBothSidesBeyondTheModelAreRefused(
    _ tags: String, _ songs: String, _ message: String
  ) {
    #expect(mistakes(Self.tagged(tags, songs), after: 6) == [message])
  }

  /// A to-many relationship to the own entity, which is its own inverse.
  @Test func linksAmongTheSameAreCountedAtBothEnds() throws {
    let text = """
      scenario: s
      models:
        v1:
          Person: { friends: "[Person](...1000) <-> friends" }
      seed:
        Person: { .count: 9, friends: { link: each, times: 2 } }

      """
    #expect(try plan(checked(text)).count == 9)
    #expect(
      mistakes(text.replacing("...1000", with: "...2")).joined().contains(
        "can't be saved: 'friends' leads to"))
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      "number: { skewed: [1, 60] }", "number: { skewed: [1, 39] }",
      "10:58: 'number' must be unique, but this gives 39 values for 40 objects"
    ),
    (
      ".count: 40", ".count: 51",
      "10:9: 51 links don't fit: the 10 objects of 'Album' have room for 50 in 'songs'"
    ),
    (
      "times: 2...3", "times: 2...4",
      "9:56: 'times' goes beyond the model: each has from 2 to 3 'singers'"
    ),
    (
      "Singer: { .count: 4", "Singer: { .violations: [tooFew], .count: 4",
      "12:27: no 'Singer' can be 'tooFew' in this seed"
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
