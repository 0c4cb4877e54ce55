import Testing

@testable import Scenarios

/// What holds only since there is nothing that it could be wrong about.
@Suite struct LookingAtNothingTests {
  private func lines(_ scenario: String, _ expectations: String) throws -> [String] {
    let lines = try outcomes(scenario + "expect:\n" + expectations + "\n")
    #expect(lines[0] == lines[1])
    return lines[0].map { $0.replacing(#/ \d+:/#, with: ":", maxReplacements: 1) }
  }

  /// All links are lost.
  private static let unlinked = """
    scenario: s
    models:
      v1: &model
        Song: { title: string, album: Album? <-> songs, tags: "[Tag] <-> songs" }
        Album: { year: int16 = 0, name: string?, label: Label? <-> albums, songs: "[Song] <-> album" }
        Label: { city: string?, albums: "[Album] <-> label" }
        Tag: { n: string, songs: "[Song] <-> tags" }
      v2: { .rest: copy, X: { y: int16 = 0 } }
    seed:
      Album: [{ id: best, year: 1999 }, { id: rest, year: 2001 }]
      Tag: [{ id: t, n: t }]
      Song: [{ id: a, title: A, album: best, tags: [t] }, { id: b, title: B, album: best, tags: [t] }]
    chain:
      - v1 -> v2:
          SS: { source: Song, destination: Song, relationships: none }
          AA: { source: Album, destination: Album, relationships: none }
          LL: { source: Label, destination: Label, relationships: none }
          TT: { source: Tag, destination: Tag, relationships: none }

    """

  @Test(arguments: [
    "none: Song where album.year < 1900", "all: Song where NOT album.year == 0",
    "exactly: 0 Song where album.year > 2100", "count: { Song where album.year > 2100: 0 }",
    "all: Song where album.name != 'x'", "exactly: 2 Song where album.year != 7",
    "none: Song where album.name CONTAINS[c] 'x'", "none: Song where album.name MATCHES 'x.*'",
    "none: Song where album.name LIKE '*x'", "none: Song where album.label.city == 'Rome'",
    "none: Song where title == 'A' AND album.year == 1998",
    "all: Song where title == 'A' OR album.year != 1998",
    "none: Song where album.songs.@count > 7", "none: Song where uppercase(album.name) == 'X'",
    "none: Song where album.label != nil AND album.year > 3",
    "none: Song where album.name == title", "all: Song where album.name != title",
    "none: Song where album.label.city BEGINSWITH album.name",
  ])
  func aWayThatLeadsNowhereHoldsForNothing(_ expectation: String) throws {
    let found = try lines(Self.unlinked, "  - \(expectation)")
    #expect(found.count == 1, "\(found)")
    #expect(
      found.first?.contains("expected values to look at, found no Song") == true
        && found.first?.contains("has any 'album") == true, "\(found)")
  }

  @Test(arguments: [
    "all: Song where album == nil", "none: Song where album != nil",
    "all: Song where album == nil OR album.year > 3",
    "none: Song where album != nil AND album.year > 3",
    "all: Song where title != '' OR album.year > 3",
    "none: Song where album.year < 1900\n  - all: Song where album == nil",
    "none: Song where album.year < 1900\n  - count: { Song where album != nil: 0 }",
    "none: Song where album.label.city == 'Rome'\n  - all: Song where album == nil",
    "all: Song where tags.@count == 0", "none: Album where year == 1998",
    "none: Song where title == 'C' AND album.name == title",
  ])
  func whoeverExpectsThatSaysSo(_ expectations: String) throws {
    #expect(try lines(Self.unlinked, "  - \(expectations)") == [])
  }

  /// One of two songs has an album: that can be wrong.
  @Test func oneWayThatLeadsSomewhereIsEnough() throws {
    let scenario = """
      scenario: s
      models:
        v1:
          Song: { title: string, album: Album? <-> songs }
          Album: { year: int16 = 0, songs: "[Song] <-> album" }
      seed: { Album: [{ id: best, year: 1999 }], Song: [{ title: A, album: best }, { title: B }] }

      """
    #expect(try lines(scenario, "  - none: Song where album.year < 1900") == [])
    #expect(
      try lines(scenario, "  - none: Song where title == 'B' AND album.year < 1900") == [
        "nothing looked at: Song where title == 'B' AND album.year < 1900: expected values to look at, "
          + "found no Song that the rest of the condition leaves has any 'album'"
      ])
  }

  @Test func whatToWriteInsteadIsSaid() throws {
    let results = try play(
      Self.unlinked + """
        expect:
          - none: Song where album.year < 1900
          - none: Song where title == 'A' AND album.year < 1900
          - none: Song where ANY tags.n == 'x'
        """, on: [.memory])
    #expect(
      results.flatMap(\.failures).map(\.notes) == [
        ["if that is intended, expect it, too: - all: Song where album == nil"],
        ["if that is intended, say so in the condition: album != nil AND …"],
        ["if that is intended, expect it, too: - all: Song where tags.@count == 0"],
      ])
  }

  private static let empty = """
    scenario: s
    models:
      v1: { Song: { title: string } }
      v2: { Song: { title: string, k: int16 = 0 } }
    chain: [v1 -> v2]

    """

  @Test(arguments: [
    "steps: [v1 -> v2: inferred]", "store: v2", "model: { Song.k: exists }", "mapping: inferred",
    "source: untouched",
  ])
  func aMigrationOfNothingShowsNothing(_ expectation: String) throws {
    // In its own place the source store becomes another.
    let destination = expectation.hasPrefix("source") ? "destination: New.sqlite\n" : ""
    #expect(
      try lines(Self.empty + destination, "  - \(expectation)") == [
        "nothing looked at: the seed: expected objects to migrate, found no object in any store"
      ])
  }

  @Test(arguments: ["count: { Song: 0 }", "none: Song", "store: v2\n  - count: { Song: 0 }"])
  func anEmptyStoreMayBeMeant(_ expectation: String) throws {
    #expect(try lines(Self.empty, "  - \(expectation)") == [])
  }

  @Test func anErrorOfAnEmptyStoreIsOne() throws {
    let text = """
      scenario: s
      models:
        v1: { Song: { title: string } }
        v2: { Song: { title: int16 } }
      chain: [v1 -> v2]

      """
    #expect(try lines(text, "  - fails: { code: 134140 }") == [])
  }

  @Test func oneObjectAloneRepeatsNothing() throws {
    let text = """
      scenario: s
      models: { v1: { Tag: { name: string? } } }
      seed: { Tag: [{ name: a }] }

      """
    #expect(
      try lines(text, "  - unique: Tag.name") == [
        "nothing looked at: Tag: expected objects to look at, found there is but one Tag"
      ])
  }
}
