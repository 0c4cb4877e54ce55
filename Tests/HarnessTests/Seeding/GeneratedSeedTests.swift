import Foundation
import TestSupport
import Testing

@testable import Commands
@testable import PolicyCompiler
@testable import Scenarios
@testable import Terminal

/// Seeds whose objects are made by rule.
@Suite struct GeneratedSeedTests {
  private static let models = """
    scenario: s
    models:
      v1:
        Album: { title: string(1...40), songs: "[Song] <-> album" }
        Song:
          title: string
          plays: int32
          length: double
          price: decimal?
          day: date?
          key: uuid
          live: bool = false
          album: Album? <-> songs
          singers: "[Singer] ordered <-> songs"
          text: Text? <-> song
        Singer: { name: string, songs: "[Song] <-> singers" }
        Text: { bytes: data?, song: Song? <-> text }
        Base: { .abstract: true, x: string? }

    """
  private static let seed = """
    seed:
      .random: 99
      Album:
        - { id: best, title: Best of }
        - .count: 5
          title: { words: 1...3, of: 50, spread: zipf }
      Singer: { .count: 8, name: { sequence: "Singer {n:2}" } }
      Song:
        - .count: 40
          title: { join: { pick: [a, b, c] }, times: 0...4, by: "-", nil: 0% }
          plays: { sequence: 10, step: -3 }
          length: { skewed: [0.5, 90] }
          price: { uniform: [0.10, 2], nil: 20% }
          day: { uniform: [2000-01-01, 2020-01-01] }
          key: { uniform: ~ }
          album: { link: zipf, nil: 25% }
          singers: { link: uniform, times: 0...3 }
          text: { link: each }
        - { .extremes: true, key: { uniform: ~ }, plays: 100, .violations: missing, title: x, length: 2 }
      Text: { .count: 30, bytes: { bytes: 0...12 } }

    """

  @Test func equalSeedsGiveEqualDigests() throws {
    let scenario = try checked(Self.models + Self.seed)
    let digest = scenario.seedDigest(from: "v1")
    #expect(digest?.count == 64)
    #expect(try checked(Self.models + Self.seed).seedDigest(from: "v1") == digest)
    let other = try checked(Self.models + Self.seed.replacing("99", with: "98"))
    #expect(other.seedDigest(from: "v1") != scenario.seedDigest(from: "v1"))
    #expect(try checked(Self.models).seedDigest(from: "v1") == nil)
  }

  @Test func storesHoldTheSameAndWhatTheRulesSay() throws {
    let lines = try outcomes(
      Self.models + Self.seed + """
        expect:
          - count: { Album: 6, Singer: 8, Text: 30 }
          - inverse: [Song.album, Song.singers, Song.text]
          - count: { Song where plays == 10: 1, Song where plays == -107: 1 }
          - none: Song where singers.@count > 3
          - none: Song where price > 2 AND price < 1000
          - count: { Text where song == nil: 0 }
          - some: Song where album == nil AND plays < 11
          - some: Song where title == ""
          - count: { Song where title == nil: 1, Song where key == nil: 1 }
          - object: Song Song.title.missing
            has: { title: null, plays: 100 }
        """)
    #expect(lines == [[], []])
  }

  @Test func scalingKeepsProportions() throws {
    let scenario = try checked(Self.models + Self.seed)
    #expect(scenario.isScalable(from: "v1"))
    let counts = try scenario.scaled(to: 830).scenario.seed(for: "v1")?.generators.map(\.count)
    #expect(counts == [50, 80, 400, 0, 300])
    let few = try scenario.scaled(to: 1).scenario.seed(for: "v1")?.generators.map(\.count)
    #expect(few == [1, 1, 1, 0, 1])
    #expect(try checked(Self.models).isScalable(from: "v1") == false)
  }

  @Test func aStoreIsMadeWhereItIsWanted() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "seed.sqlite")
    let scenario = try checked(Self.models + Self.seed).scaled(to: 2000)
    try scenario.makeStore(at: url, start: "v1")
    let store = try SQLiteStore.openReadOnly(at: url, model: scenario.model("v1"))
    let context = try ManagedObjectContext(readingFrom: store)
    let request = FetchRequest<ManagedObject>(entityName: "Song")
    request.predicate = Predicate(format: "plays < 11 AND plays != nil")
    #expect(try context.count(for: request) == 963)
    try store.close()
  }

  // MARK: Mistakes

  private func mistakes(_ seed: String) -> [String] {
    do {
      _ = try checked(Self.models + "seed:\n" + seed)
      return []
    } catch {
      return (error as? Diagnostics)?.all.map { diagnostic in
        (diagnostic.place.map { "\($0.line - 18):\($0.column): " } ?? "") + diagnostic.message
      } ?? ["\(error)"]
    }
  }

  /// As a person sees them: the place, what is wrong, and the line itself.
  @Test func mistakesAreShownInTheFile() throws {
    let text =
      Self.models + """
        seed:
          Album:
            .count: 3
            title: { unifrom: [1, 2] }
          Song:
            - { .count: 2, title: { words: 1, of: 0 }, plays: { uniform: [9, 1] }, length: 1, key: { uniform: ~ } }
        """
    let error = #expect(throws: Diagnostics.self) { try checked(text) }
    let heads = error?.all.map { "\($0)".split(separator: "\n").first ?? "" }
    #expect(
      heads == [
        "test.scenario.yaml:22:14: error: unknown key 'unifrom' in a rule; did you mean 'uniform'?",
        "test.scenario.yaml:24:43: error: 'of' must be a number of words, from 1",
        "test.scenario.yaml:24:66: error: write the lowest value first",
      ])
    let shown = error?.all.first.map { "\($0)" } ?? ""
    #expect(
      shown.hasSuffix("22 |     title: { unifrom: [1, 2] }\n     |              ^~~~~~~"),
      "\(shown)")
  }

  @Test func mistakesInRulesHaveTheirPlaces() {
    #expect(
      mistakes("  Album: { .count: 3, .edge: true, title: x }") == [
        "2:23: unknown key '.edge' in a generator; known keys: .count, .extremes, .violations"
      ])
  }

  @Test(arguments: [
    ("Album: { .count: 2 }", "give 'title' a value: it is required and has no default value"),
    ("Album: { .count: -2, title: x }", "'.count' can't be -2"),
    ("Base: { .count: 2 }", "'Base' is abstract; it has no objects of its own"),
    ("Text: { .count: 2, song: { link: each } }", "the seed has no 'Song' to link to"),
    (
      "Album: { .count: 2, title: x, songs: { link: uniform } }",
      "link 'album' of 'Song' instead: each has one 'album'"
    ),
    (
      "Album: { .count: 2, title: { uniform: [1, 2] } }",
      "'uniform' makes numbers and dates, and 'title' is String"
    ),
    (
      "Album: { .count: 2, title: { words: 3...1 } }",
      "this must be a whole number, or two as in 1...5, the smaller one first"
    ),
    (
      "Album: { .count: 2, title: { words: 1, pick: [a] } }",
      "give 'title' one rule: uniform, skewed, zipf, sequence, pick, words, join, bytes"
    ),
    (
      "Album: { .count: 2, title: { words: 1, nil: 3 } }", "'nil' must be a share, as in 5% or 0.05"
    ),
    (
      "Album: { .violations: [mising], title: x }",
      "there is no violation 'mising'; did you mean 'missing'?"
    ),
    (
      "Album: { .count: 2, titel: x, title: y }",
      "entity 'Album' of v1 has no property 'titel'; did you mean 'title'?"
    ),
  ])
  func aMistakeIsNamed(seed: String, message: String) {
    #expect(
      mistakes("  " + seed).map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) }
        == [message])
  }

  @Test(arguments: [
    (
      "Album: { .count: 3, title: { sequence: \"{n:41}\" } }",
      "2:30: Album 1, with 'title' \"00000000000000000000000000000000000000001\", can't be saved: title is too "
        + "long (v1 wants 1...40)"
    ),
    (
      "Album: { .count: 1, title: { pick: [a, \"\"] } }",
      "2:30: some Album, with 'title' \"\", can't be saved: title is too short (v1 wants 1...40)"
    ),
    (
      "Album: { .count: 1, title: \"\" }",
      "2:30: some Album, with 'title' \"\", can't be saved: title is too short (v1 wants 1...40)"
    ),
    (
      "Album: { .count: 3, title: { words: 1, of: 9, nil: 5% } }",
      "2:30: 'title' is required by v1: leave out 'nil'"
    ),
    ("Album: { .count: 3, title: { words: 1, of: 9, nil: 0% } }", ""),
  ])
  func whatTheModelForbidsIsRefusedBeforeAnythingIsMade(_ seed: String, _ message: String) {
    #expect(mistakes("  " + seed).joined(separator: "\n") == message)
  }

  private static let limits = """
    scenario: s
    models:
      v1:
        Band: { size: "int16(1...1100)", members: "[Member](1...2) <-> band" }
        Member: { name: string?, band: Band <-> members }

    """

  private func mistakesWithLimits(_ seed: String) -> [String] {
    do {
      _ = try checked(Self.limits + "seed:\n" + seed)
      return []
    } catch {
      return (error as? Diagnostics)?.all.map { diagnostic in
        (diagnostic.place.map { "\($0.line - 6):\($0.column): " } ?? "") + diagnostic.message
      } ?? ["\(error)"]
    }
  }

  @Test(arguments: [
    (
      "  Band: { .count: 1, size: { uniform: [1, 2000] } }",
      "1:28: some Band, with 'size' 2000, can't be saved: size is too large (v1 wants 1...1100)"
    ),
    (
      "  Band: [{ id: a, size: 1, members: [b, c, d] }]\n"
        + "  Member: [{ id: b }, { id: c }, { id: d }]",
      "1:37: Band a can't be saved: 'members' leads to 3, and v1 allows at most 2"
    ),
    (
      "  Band: [{ id: a, size: 1 }]\n"
        + "  Member: [{ id: b, band: a }, { id: c, band: a }, { id: d, band: a }]",
      "1:16: Band a can't be saved: 'members' leads to 3, and v1 allows at most 2"
    ),
    (
      "  Band: { .count: 2, size: 1 }\n  Member: { .count: 3, band: { link: each, nil: 10% } }",
      "2:49: 'band' is required: leave out 'nil'"
    ),
  ])
  func moreThanTheModelAllowsIsRefused(_ seed: String, _ message: String) {
    #expect(mistakesWithLimits(seed) == [message])
  }

  /// Those after the first thousand are known only when they are made.
  @Test func anObjectThatIsMadeLateIsToldAsTheSeedsMistake() throws {
    let lines = try outcomes(
      Self.limits + """
        seed:
          Band: { .count: 1200, size: { sequence: 1 } }
        expect: [count: { Band: 1200 }]
        """)
    let line =
      "error 7: the seed: expected objects that v1 allows, found Band 1101, with 'size' 1101, can't be "
      + "saved: size is too large (v1 wants 1...1100)"
    #expect(lines.map(\.first) == [line, line])
  }

  @Test func rowsThatCannotBeTogetherAreToldAsTheSeedsMistake() throws {
    let lines = try outcomes(
      """
      scenario: s
      models:
        v1: { Tag: { .unique: [name], name: string } }
      seed:
        Tag: [{ id: a, name: x }, { id: b, name: x }]
      expect: [count: { Tag: 2 }]
      """)
    let line =
      "error 5: the seed: expected objects that v1 allows, found Tag b can't be saved: Could not merge "
      + "changes. Two objects have the same name, which the model's uniqueness constraint forbids; "
      + "deduplicate before saving."
    #expect(lines.map(\.first) == [line, line])
  }
}
