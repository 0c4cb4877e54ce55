import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Every kind of expectation, once holding and once not.
@Suite struct ExpectationTests {
  private static let base = """
    scenario: s
    models:
      v1:
        Media: { .abstract: true, title: string? }
        Album: { .parent: Media, year: int16?, songs: "[Song] ordered <-> album" }
        Song: { .parent: Media, length: double = 0, isLive: bool = false, album: Album? <-> songs }
        Loner: { friend: Album? }
      v2:
        Media: { .abstract: true, title: string? }
        Album: { .parent: Media, note: string?, year: int16?, songs: "[Song] ordered <-> album" }
        Song: { .parent: Media, length: double = 0, isLive: bool = false, album: Album? <-> songs }
        Loner: { friend: Album? }
        Label: { name: string }
    seed:
      Album:
        - { id: best, title: Best, year: 1999, songs: [waltz, tango] }
        - { id: rest, title: Rest }
      Song:
        - { id: waltz, title: Waltz, length: 3.5, isLive: YES }
        - { id: tango, title: Tango, length: 2 }
        - { id: again, title: Waltz }
      Loner: [{ friend: best }]
    chain: [v1 -> v2]
    expect:
    - count: { Album: 2 }

    """

  /// What is wrong with one expectation, on both backends alike.
  private func mismatches(_ expectation: String) throws -> [String] {
    let lines = try outcomes(Self.base + expectation + "\n")
    #expect(lines[0] == lines[1])
    return lines[0].map { $0.replacing(#/^expectation \d+: /#, with: "") }
  }

  @Test(arguments: [
    "- count: { Media: 5, Song: 3, Song where title == 'Waltz': 2, Loner: 1 }",
    "- none: Song where length < 0",
    "- some: Song where isLive == YES",
    "- all: Song where length >= 0",
    "- exactly: 2 Song where album != nil",
    "- exactly: 0 Song where length == 99",
    "- unique: [Album.title, 'Song.(title, length)']",
    "- inverse: [Album.songs, Song.album]",
    "- required: [Song, Album.title]",
    "- object: Song waltz\n  from: Song waltz\n  has: { length: 3.5, isLive: true, album.year: 1999 }",
    "- object: Album best\n  has: { songs: [waltz, tango], songs.length: [3.5, 2], songs.@count: 2 }",
    "- object: Album where year == nil\n  has: { songs: [], title: Rest, year: ~ }",
    "- object: Media tango\n  has: { title: Tango }",
    "- object: Loner where friend.title == 'Best'\n  has: { friend: best, friend.songs: [waltz, tango] }",
    "- made: { Song waltz: Song, Album rest: [Album] }",
    "- dropped: []",
    "- everySourceMigrated: [Song, Album]",
    "- everySourceMigrated: [Media]",
    "- model: { Media: exists }",
    "- model: { Media: { abstract: true, parent: ~ }, Song: { parent: Media }, Album.note: exists }",
    "- model: { Song.length: { type: double, default: 0, optional: false } }",
    "- model: { Album.songs: { destination: Song, inverse: album, toMany: true, ordered: true } }",
    "- model: { Album.songs: { deleteRule: nullify, minCount: 0, maxCount: 0, optional: true } }",
    "- steps: [v1 -> v2]",
    "- mapping: inferred",
    "- store: v2",
    "- at: v1\n  model: { Label: gone, Album.note: gone }",
    "- at: v1\n  model: { gone: [Label, 'Album.(note)'], exists: [Album, Song.length] }",
    "- model: { exists: Label }",
    "- instanceOf: { Song waltz: NSManagedObject }",
    "- at: v1\n  count: { Album: 2 }",
  ])
  func holds(_ expectation: String) throws {
    #expect(try mismatches(expectation) == [])
  }

  @Test(arguments: [
    ("- count: { Song: 2 }", ["count of Song: expected 2, found 3"]),
    (
      "- none: Song where title == 'Waltz'",
      ["Song where title == 'Waltz': expected none, found 2"]
    ),
    ("- some: Song where length > 9", ["Song where length > 9: expected at least one, found 0"]),
    (
      "- all: Song where length > 2",
      ["Song where length > 2: expected all, found all but 2"]
    ),
    (
      "- all: Loner where friend == nil",
      ["Loner where friend == nil: expected all, found all but 1"]
    ),
    ("- exactly: 1 Song where album != nil", ["Song where album != nil: expected 1, found 2"]),
    ("- unique: Song.title", ["Song.title: expected every value once, found 1 repeated"]),
    ("- required: Album.year", ["Album.year: expected a value, found none in 1 of 2"]),
    (
      "- object: Song waltz\n  has: { length: 3, isLive: false, album: rest }",
      [
        "Song waltz, length: expected 3.0, found 3.5",
        "Song waltz, isLive: expected false, found true",
        "Song waltz, album: expected Album rest, found Album best",
      ]
    ),
    (
      "- object: Album best\n  has: { songs: [tango, waltz], songs.title: [Waltz] }",
      [
        "Album best, songs: expected [Song tango, Song waltz], found [Song waltz, Song tango]",
        "Album best, songs.title: expected [\"Waltz\"], found [\"Waltz\", \"Tango\"]",
      ]
    ),
    (
      "- object: Album rest\n  has: { songs.title: any, songs.length: present }",
      [
        "Album rest, songs.title: expected any, found []",
        "Album rest, songs.length: expected present, found []",
      ]
    ),
    (
      "- object: Song again\n  has: { album: present }",
      ["Song again, album: expected present, found null"]
    ),
    (
      "- object: Album waltz",
      ["Album waltz: expected one object, found 'waltz' became Song waltz, no Album"]
    ),
    (
      "- object: Song where title == 'Waltz'",
      [
        "Song where title == 'Waltz': expected one object, "
          + "found 2 objects: Song waltz, Song again"
      ]
    ),
    (
      "- object: Song where title == 'Polka'",
      ["Song where title == 'Polka': expected one object, found no such object"]
    ),
    (
      "- object: Song waltz\n  from: Song tango",
      ["Song waltz, from: expected Song tango, found Song waltz"]
    ),
    ("- made: { Song waltz: [Album] }", ["made of Song waltz: expected [Album], found [Song]"]),
    (
      "- dropped: [Song waltz]",
      ["dropped seeded objects: expected [Song waltz], found []"]
    ),
    ("- model: { Media: gone }", ["Media in the model of v2: expected gone, found it is there"]),
    (
      "- model: { Song.length: { type: float, default: 1 } }",
      [
        "Song.length in the model of v2, type: expected float, found double",
        "Song.length in the model of v2, default: expected 1, found 0.0",
      ]
    ),
    (
      "- model: { Album.songs: { deleteRule: cascade, inverse: ~ } }",
      [
        "Album.songs in the model of v2, deleteRule: expected cascade, found nullify",
        "Album.songs in the model of v2, inverse: expected null, found album",
      ]
    ),
    ("- steps: []", ["steps executed: expected [], found [v1 -> v2: inferred]"]),
    ("- hops: []", ["steps executed: expected [], found [v1 -> v2: inferred]"]),
    ("- mapping: custom", ["mapping: expected custom, found v1 -> v2: inferred"]),
    ("- store: v1", ["version of the store: expected v1, found v2"]),
    ("- source: untouched", ["source store: expected untouched, found changed"]),
    ("- fails: { code: 1570 }", ["failure: expected code 1570, found no error"]),
    (
      "- at: v1\n  model: { Label: exists }",
      ["Label in the model of v1: expected exists, found it isn't there"]
    ),
  ])
  func fails(_ expectation: String, with lines: [String]) throws {
    #expect(try mismatches(expectation) == lines)
  }

  @Test func objectsExpectedAfterAnErrorAreNotPassedOver() throws {
    let lines = try outcomes(
      """
      scenario: s
      models:
        v1: { Tag: { name: string } }
        v2: { Tag: { name: string, note: string? } }
        v3: { Tag: { name: string, note: string?, more: string? } }
      seed: { Tag: [{ name: food }] }
      chain: [v1 -> v2]
      destination: result.sqlite
      expect:
        - count: { Tag: 1 }
      then:
        - start: [v2, v3]
          store: source
          expect:
            - fails: { code: 134130 }
            - count: { Tag: 99 }
      """)
    let wanted = [
      "expectation 16: count: expected to be checked, found the run ended before it could be"
    ]
    #expect(lines == [wanted, wanted])
  }

  @Test func allDoesNotHoldForNothing() throws {
    let lines = try outcomes(
      """
      scenario: s
      models: { v1: { Tag: { name: string } } }
      expect:
        - all: Tag where name != ""
      """)
    #expect(
      lines[0] == [
        "expectation 4: Tag where name != \"\": expected all, found there is no Tag at all"
      ])
  }

  /// Tags of which none has a song.
  private func outcomesWithoutSongs(_ expectations: String) throws -> [[String]] {
    try outcomes(
      """
      scenario: s
      models:
        v1:
          Tag: { name: string, songs: "[Song] <-> tags" }
          Song: { rank: int16 = 0, tags: "[Tag] <-> songs" }
      seed: { Tag: [{ id: jazz, name: Jazz }, { id: folk, name: Folk }], Song: [{ rank: 1 }] }
      expect:
      \(expectations)

      """)
  }

  @Test(arguments: [
    "all: Tag where ALL songs.rank > 100", "none: Tag where ANY songs.rank > 100",
    "all: Tag where NONE songs.rank > 100", "all: Tag where name != '' AND ALL songs.rank > 100",
    "none: Tag where name == '' OR ANY songs.rank > 100",
    "exactly: 2 Tag where ALL songs.rank > 100",
    "exactly: 0 Tag where ANY songs.rank > 100", "count: { Tag where ANY songs.rank > 100: 0 }",
    "count: { Tag where ALL songs.rank > 100: 2 }", "some: Tag where ALL songs.rank > 100",
  ])
  func quantifiersOverNothingHoldForNothing(_ expectation: String) throws {
    let lines = try outcomesWithoutSongs("- \(expectation)")
    #expect(lines[0] == lines[1])
    #expect(lines[0].count == 1)
    #expect(lines[0].first?.hasSuffix("no Tag has any 'songs'") == true, "\(lines[0])")
  }

  @Test(arguments: [
    "all: Tag where SUBQUERY(songs, $s, $s.rank > 100).@count == 0",
    "none: Tag where SUBQUERY(songs, $s, $s.rank > 100).@count > 0",
    "all: Tag where SUBQUERY(songs, $s, $s.rank > 100).@count != 1",
    "all: Tag where SUBQUERY(songs, $s, $s.rank > 100).@count == songs.@count",
    "all: Tag where 3 > SUBQUERY(songs, $s, $s.rank > 100).@count",
    "count: { 'Tag where SUBQUERY(songs, $s, $s.rank > 100).@count < 3': 2 }",
  ])
  func subqueriesOfNothingHoldForNothing(_ expectation: String) throws {
    let lines = try outcomesWithoutSongs("- \(expectation)")
    #expect(lines[0] == lines[1])
    #expect(lines[0].first?.hasSuffix("no Tag has any 'songs'") == true, "\(lines[0])")
  }

  @Test(arguments: [
    "all: Tag where NOT (1000 IN songs.rank)", "none: Tag where 1000 IN songs.rank",
    "none: Tag where songs.rank CONTAINS 1000", "none: Tag where songs.@max.rank > 100",
    "none: Tag where max(songs.rank) > 100", "all: Tag where songs.@sum.rank < 100",
    "all: Tag where songs.@min.rank != 5",
    "none: Tag where TERNARY(ANY songs.rank > 100, 1, 0) == 1",
    "all: Tag where 'a' == TERNARY(ALL songs.rank > 100, 'a', 'b')",
  ])
  func otherQuestionsAboutNothingHoldForNothing(_ expectation: String) throws {
    let lines = try outcomesWithoutSongs("- \(expectation)")
    #expect(lines[0] == lines[1])
    #expect(lines[0].first?.hasSuffix("no Tag has any 'songs'") == true, "\(lines[0])")
  }

  /// A tag with a song, and one without.
  private func outcomesWithOneSong(_ expectation: String) throws -> [[String]] {
    try outcomes(
      """
      scenario: s
      models:
        v1:
          Tag: { name: string, songs: "[Song] <-> tags" }
          Song: { rank: int16 = 0, tags: "[Tag] <-> songs", plays: "[Play] <-> song" }
          Play: { year: int16 = 0, song: Song? <-> plays }
      seed:
        Tag: [{ name: Jazz, songs: [waltz] }, { name: Folk }]
        Song: [{ id: waltz, rank: 200 }]
        Play: [{ year: 1 }]
      expect:
      - \(expectation)

      """)
  }

  /// Only the other objects have songs.
  @Test(arguments: [
    "all: Tag where name == 'Jazz' OR ALL songs.rank > 100",
    "none: Tag where name == 'Folk' AND ANY songs.rank > 100",
    "count: { Tag where name == 'Folk' AND 200 IN songs.rank: 0 }",
  ])
  func objectsThatMatterMustHaveSomething(_ expectation: String) throws {
    let lines = try outcomesWithOneSong(expectation)
    #expect(lines[0] == lines[1])
    #expect(
      lines[0].first?.hasSuffix("no Tag that the rest of the condition leaves has any 'songs'")
        == true, "\(lines[0])")
  }

  /// Each part of the condition decides by itself, since there is nothing to look at.
  @Test(arguments: [
    "none: Tag where ANY songs.rank > 100 AND ANY songs.rank < 3",
    "all: Tag where ALL songs.rank > 100 OR ALL songs.rank < 3",
    "exactly: 0 Tag where name != '' AND ANY songs.rank > 100 AND 7 IN songs.rank",
    "none: Tag where NOT (ALL songs.rank > 100 OR songs.@sum.rank < 3)",
  ])
  func quantifiersOverNothingDoNotExcuseEachOther(_ expectation: String) throws {
    let line =
      "nothing looked at 8: \(Self.query(of: expectation)): expected values to look at, "
      + "found no Tag has any 'songs'"
    #expect(try outcomesWithoutSongs("- \(expectation)") == [[line], [line]])
  }

  @Test func quantifiersOverNothingDoNotExcuseEachOtherForTheRest() throws {
    let line =
      "nothing looked at 8: Tag where name == 'Folk' AND ANY songs.rank > 100 AND ANY songs.rank < 3: "
      + "expected values to look at, found no Tag that the rest of the condition leaves has any 'songs'"
    #expect(
      try outcomesWithoutSongs(
        "- none: Tag where name == 'Folk' AND ANY songs.rank > 100 AND ANY songs.rank < 3")
        == [[line], [line]])
  }

  /// `Tag where …` of an expectation.
  private static func query(of expectation: String) -> Substring {
    expectation[(expectation.firstRange(of: "Tag where")?.lowerBound ?? expectation.startIndex)...]
  }

  @Test(arguments: [
    "none: Tag where ANY songs.rank > 300 AND ANY songs.rank < 3",
    "all: Tag where ALL songs.rank > 300 OR ANY songs.rank > 100 OR name == 'Folk'",
    "all: Tag where name == 'Folk' OR ALL songs.rank > 100",
    "none: Tag where name == 'Jazz' AND ANY songs.rank > 300",
    "some: Tag where name == 'Jazz' OR ALL songs.rank > 300",
    "all: Tag where songs.@count == 0 OR ALL songs.rank > 100",
    "none: Tag where name CONTAINS 'x'",
    "all: Tag where songs.@max.rank == nil OR songs.@sum.rank > 0",
  ])
  func othersMayHaveNothing(_ expectation: String) throws {
    #expect(try outcomesWithOneSong(expectation) == [[], []])
  }

  /// There are songs, but none of them has been played.
  @Test(arguments: [
    "all: Tag where SUBQUERY(songs, $s, ANY $s.plays.year > 1).@count == 0",
    "none: Tag where SUBQUERY(songs, $s, ANY $s.plays.year > 1).@count > 0",
    "all: Tag where SUBQUERY(songs, $s, ALL $s.plays.year > 1).@count == songs.@count",
    "some: Tag where SUBQUERY(songs, $s, ALL $s.plays.year > 1).@count > 0",
  ])
  func quantifiersInSubqueriesMustLookAtSomething(_ expectation: String) throws {
    let lines = try outcomesWithOneSong(expectation)
    #expect(lines[0] == lines[1])
    #expect(lines[0].first?.hasSuffix("no Tag has any 'songs.plays'") == true, "\(lines[0])")
  }

  @Test(arguments: [
    "- all: Tag where songs.@count == 0",
    "- all: Tag where songs.@count == 0\n- none: Tag where ANY songs.rank > 100",
    "- all: Tag where songs.@count == 0\n- none: Tag where ANY songs.rank > 9 AND 7 IN songs.rank",
    "- none: Tag where songs.@count > 0\n- all: Tag where ALL songs.rank > 100",
    "- count: { Tag where songs.@count > 0: 0 }\n- inverse: Tag.songs",
    "- all: Song where tags.@count == 0\n- all: Tag where songs.@count == 0 OR ALL songs.rank > 1",
    "- all: Tag where songs.@count == 0 OR ALL songs.rank > 100",
    "- none: Tag where songs.@count > 0 AND ANY songs.rank > 100",
    """
    - none: Tag where ANY songs.rank > 100
    - object: Tag jazz
      has: { songs: [] }
    - object: Tag folk
      has: { songs: [] }
    """,
    """
    - none: Tag where name == 'Folk' AND ANY songs.rank > 100
    - object: Tag where name == 'Folk'
      has: { songs: [] }
    """,
  ])
  func whoeverExpectsNothingSaysSo(_ expectations: String) throws {
    #expect(try outcomesWithoutSongs(expectations) == [[], []])
  }

  /// As many objects are expected to have nothing as matter, but they are others.
  @Test(arguments: [
    """
    - none: Tag where name == 'Folk' AND ANY songs.rank > 100
    - object: Tag jazz
      has: { songs: [] }
    """,
    """
    - none: Tag where name BEGINSWITH 'F' AND ANY songs.rank > 100
    - object: Tag jazz
      has: { songs: [] }
    - object: Tag where name == 'Jazz'
      has: { songs.rank: [] }
    """,
  ])
  func onlyObjectsThatMatterMayHaveNothing(_ expectations: String) throws {
    let query = Self.query(of: String(expectations.prefix { $0 != "\n" }))
    let line =
      "nothing looked at 8: \(query): expected values to look at, "
      + "found no Tag that the rest of the condition leaves has any 'songs'"
    #expect(try outcomesWithoutSongs(expectations) == [[line], [line]])
  }

  @Test func anObjectIsExpectedToHaveNothingOnce() throws {
    let line =
      "nothing looked at 8: Tag where ANY songs.rank > 100: expected values to look at, "
      + "found no Tag has any 'songs'"
    #expect(
      try outcomesWithoutSongs(
        """
        - none: Tag where ANY songs.rank > 100
        - object: Tag jazz
          has: { songs: [] }
        - object: Tag where name == 'Jazz'
          has: { songs: [] }
        """) == [[line], [line]])
  }

  /// A tag with a song without a rank, and one without a song.
  private func outcomesWithoutRanks(_ expectation: String) throws -> [[String]] {
    try outcomes(
      """
      scenario: s
      models:
        v1:
          Tag: { name: string, songs: "[Song] <-> tags" }
          Song: { rank: int16?, tags: "[Tag] <-> songs" }
      seed: { Tag: [{ name: Jazz, songs: [waltz] }, { name: Folk }], Song: [{ id: waltz }] }
      expect:
      - \(expectation)

      """)
  }

  /// A wrong migration could give the song a rank.
  @Test(arguments: [
    "none: Tag where ANY songs.rank != nil", "none: Tag where ANY songs.rank > 100",
    "all: Tag where NONE songs.rank > 100", "count: { Tag where ANY songs.rank > 100: 0 }",
    "all: Tag where ALL songs.rank == nil",
    "none: Tag where songs.@sum.rank > 5", "all: Tag where songs.@sum.rank != 7",
  ])
  func anyLooksAtObjectsWithoutValues(_ expectation: String) throws {
    #expect(try outcomesWithoutRanks(expectation) == [[], []])
  }

  /// It holds of a set without values: a migration that lost them would pass.
  @Test func allLooksAtValues() throws {
    let lines = try outcomesWithoutRanks("all: Tag where ALL songs.rank > 100")
    #expect(lines[0] == lines[1])
    #expect(lines[0].first?.hasSuffix("no Tag has any 'songs.rank'") == true, "\(lines[0])")
  }

  /// A sum passes over what is nil, too, and is 0 then.
  @Test(arguments: [
    "all: Tag where songs.@sum.rank < 5", "all: Tag where sum(songs.rank) < 5",
    "exactly: 2 Tag where 5 > songs.@sum.rank", "none: Tag where NOT (songs.@sum.rank < 5)",
    "all: Tag where name != '' AND songs.@sum.rank >= 0",
  ])
  func sumsLookAtValues(_ expectation: String) throws {
    let line =
      "nothing looked at 8: \(Self.query(of: expectation)): expected values to look at, "
      + "found no Tag has any 'songs.rank'"
    #expect(try outcomesWithoutRanks(expectation) == [[line], [line]])
  }

  @Test func whatIsNilIsPassedOver() throws {
    for condition in ["ALL songs.rank < 5", "songs.@sum.rank < 5", "sum(songs.rank) < 5"] {
      let results = try play(
        """
        scenario: s
        models:
          v1:
            Tag: { songs: "[Song] <-> tag" }
            Song: { rank: int16?, tag: Tag? <-> songs }
        seed: { Tag: [{ songs: [waltz] }], Song: [{ id: waltz }] }
        expect:
        - all: Tag where \(condition)
        """, on: [.memory])
      #expect(
        results.flatMap(\.failures).map(\.notes) == [
          ["what is nil is passed over: expect something of each Song instead"]
        ])
    }
  }

  @Test func relationshipsWithoutInverseHaveOneSide() throws {
    let lines = try outcomes(
      """
      scenario: s
      models:
        v1:
          Album: { songs: "[Song]" }
          Song: { album: Album? }
      seed: { Album: [{ id: best, songs: [waltz] }], Song: [{ id: waltz }] }
      expect:
        - object: Album best
          has: { songs: [waltz] }
        - object: Song waltz
          has: { album: null }
      """)
    #expect(lines == [[], []])
  }

  @Test func oneSidedLinksAreFound() throws {
    let scenario = try checked(
      """
      scenario: s
      models:
        v1:
          Album: { song: Song? <-> album }
          Song: { title: string, album: Album? <-> song }
      expect: [{ inverse: Album.song }, { inverse: Song.album }]
      """)
    let model = try scenario.model("v1")
    let store = InMemoryStore(model: model)
    let (album, song) = (model.entitiesByName["Album"]!, model.entitiesByName["Song"]!)
    let albumID = ManagedObjectID(entity: album, primaryKey: 1, store: store)
    let songID = ManagedObjectID(entity: song, primaryKey: 1, store: store)
    var changes = SaveRequest()
    // A damaged store: the song knows its album, the album doesn't know the song.
    changes.inserted = [
      .init(objectID: albumID, version: 0, values: [.null], toMany: []),
      .init(
        objectID: songID, version: 0, values: [.object(albumID), .string("Waltz")], toMany: []),
    ]
    try store.save(changes)
    let evaluator = try ExpectationEvaluator(
      Situation(
        version: "v1", context: .init(readingFrom: store), provenance: Provenance(),
        run: RunFacts()), expecting: scenario.expectations)
    let found = scenario.expectations.flatMap(evaluator.mismatches)
    #expect(found.map(\.subject) == ["Album.song", "Song.album"])
    #expect(found.map(\.found) == ["1 one-sided", "1 one-sided"])
    #expect(
      found[0].notes == ["Song { title: \"Waltz\" } leads to Album {}, which doesn't lead back"])
  }
}
